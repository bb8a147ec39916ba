import Scripting

/// All pages.
///
/// A page is a template in `Templates` and an entry in one of the lists below, which fills it in.
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

    /// Templates that cannot be read, with the reason; always empty.
    package static var brokenTemplates: [String] { PageTemplates.shared.broken }

    /// The paths of pages without side effects; `{name}` is a parameter.
    package static var shownPaths: [String] { all.filter { $0.verb == .get }.map(\.path) }
}
