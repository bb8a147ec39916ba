extension PageTemplates {
    /// The files of `Templates`, by the names under which pages and other templates know them.
    static let files: [(name: String, text: [UInt8])] = [
        ("account", PackageResources.account_mustache),
        ("browse", PackageResources.browse_mustache),
        ("cart", PackageResources.cart_mustache),
        ("checkout", PackageResources.checkout_mustache),
        ("details", PackageResources.details_mustache),
        ("forgotten", PackageResources.forgotten_mustache),
        ("frame", PackageResources.frame_mustache),
        ("history", PackageResources.history_mustache),
        ("log-in", PackageResources.log_in_mustache),
        ("notifications", PackageResources.notifications_mustache),
        ("own-pages", PackageResources.own_pages_mustache),
        ("problem", PackageResources.problem_mustache),
        ("profile", PackageResources.profile_mustache),
        ("refused", PackageResources.refused_mustache),
        ("reset", PackageResources.reset_mustache),
        ("seal", PackageResources.seal_mustache),
        ("search", PackageResources.search_mustache),
        ("search-form", PackageResources.search_form_mustache),
        ("sign-up", PackageResources.sign_up_mustache),
        ("time", PackageResources.time_mustache),
        ("title", PackageResources.title_mustache),
        ("title-card", PackageResources.title_card_mustache),
        ("total", PackageResources.total_mustache),
    ]
}
