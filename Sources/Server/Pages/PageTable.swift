import Scripting

/// All pages.
///
/// A page is a template in `Templates`, and a type below that names it and fills it in.
package enum PageTable {
    static let groups: [any PageGroup.Type] = [
        PageAssets.self,
        LanguagePage.self,
        WorkplacePage.self,
        PicturePage.self,
        BrowsePage.self,
        WelcomePage.self,
        SearchPage.self,
        TitlePage.self,
        SeriesPage.self,
        RatingPages.self,
        ListsPage.self,
        NewTitlesFeed.self,
        OPDSCatalogue.self,
        CartPage.self,
        CheckoutPage.self,
        LogInPage.self,
        SignUpPage.self,
        SetUpPage.self,
        ForgottenPage.self,
        ProfilePage.self,
        DetailsPage.self,
        AccessPage.self,
        LeavingPage.self,
        NotificationsPage.self,
        FavouritesPage.self,
        MarketPage.self,
        OwnListingsPage.self,
        TradesPage.self,
        MessagesPage.self,
        SuggestionsPage.self,
        DeskPage.self,
        ReturnsPage.self,
        PatronPage.self,
        PatronRecordPages.self,
        PatronMergePage.self,
        DuplicatesPage.self,
        TitleDeskPage.self,
        TitleRecordPages.self,
        HoldShelfPage.self,
        OverduePage.self,
        CashPage.self,
        NoticesPage.self,
        JobsPage.self,
        SettingsPages.self,
        CalendarPage.self,
        ImportPage.self,
        StaffAccountsPage.self,
        OwnFieldsPage.self,
        DeskSuggestionsPage.self,
        DeskListsPage.self,
        PolicyInForcePage.self,
        ShadowPage.self,
        PolicyDraftPage.self,
        DeskReportsPage.self,
        ReportBuilderPage.self,
        PluginPages.self,
        PluginsPage.self,
        PluginUsePage.self,
    ]

    static let all: [Page] = groups.flatMap { $0.pages }

    /// Templates that cannot be read, with the reason; always empty.
    package static var brokenTemplates: [String] { PageTemplates.all.broken }

    /// The paths of pages without side effects; `{name}` is a parameter.
    package static var shownPaths: [String] { all.filter { $0.verb == .get }.map(\.path) }

    /// The paths that forms are sent to.
    package static var sentPaths: [String] { all.filter { $0.verb == .post }.map(\.path) }
}

/// Pages that belong together, with the templates of `Templates` that they fill in.
protocol PageGroup: SendableMetatype {
    static var pages: [Page] { get }
    static var templates: [PageTemplate] { get }
}

extension PageGroup {
    static var templates: [PageTemplate] { [] }
}
