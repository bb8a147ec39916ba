/// All pages.
///
/// A page is one file: its text in `Templates`, and what fills it in in a list below.
package enum PageTable {
    static let all: [Page] =
        PageAssets.pages + PicturePage.pages + BrowsePage.pages + SearchPage.pages + TitlePage.pages + CartPage.pages
        + CheckoutPage.pages
        + LogInPage.pages + SignUpPage.pages + ForgottenPage.pages + ProfilePage.pages + DetailsPage.pages
        + AccessPage.pages + LeavingPage.pages
        + NotificationsPage.pages + FavouritesPage.pages + MarketPage.pages + OwnListingsPage.pages + TradesPage.pages
        + SuggestionsPage.pages
        + DeskPage.pages + ReturnsPage.pages + PatronPage.pages + DeskSuggestionsPage.pages
        + PolicyInForcePage.pages + DeskReportsPage.pages

    /// Templates that cannot be read, with why: there must be none.
    package static var brokenTemplates: [String] { PageTemplates.shared.broken }

    /// The paths of pages that are looked at; `{name}` stands for something.
    package static var shownPaths: [String] { all.filter { $0.verb == .get }.map(\.path) }
}
