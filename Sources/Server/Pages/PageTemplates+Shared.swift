extension PageTemplates {
    /// The parts that several pages share, by the names under which templates know them.
    static let shared: [PageTemplate] = [
        PageTemplate("account", PackageResources.account_mustache),
        PageTemplate("desk-refused", PackageResources.desk_refused_mustache),
        PageTemplate("desk-tabs", PackageResources.desk_tabs_mustache),
        PageTemplate("explained", PackageResources.explained_mustache),
        PageTemplate("favourite", PackageResources.favourite_mustache),
        PageTemplate("field", PackageResources.field_mustache),
        PageTemplate("frame", PackageResources.frame_mustache),
        PageTemplate("hold-forms", PackageResources.hold_forms_mustache),
        PageTemplate("listing-row", PackageResources.listing_row_mustache),
        PageTemplate("own-pages", PackageResources.own_pages_mustache),
        PageTemplate("patron-card", PackageResources.patron_card_mustache),
        PageTemplate("patron-holds", PackageResources.patron_holds_mustache),
        PageTemplate("patron-loans", PackageResources.patron_loans_mustache),
        PageTemplate("patrons-found", PackageResources.patrons_found_mustache),
        PageTemplate("picture-field", PackageResources.picture_field_mustache),
        PageTemplate("problem", PackageResources.problem_mustache),
        PageTemplate("problems", PackageResources.problems_mustache),
        PageTemplate("refused", PackageResources.refused_mustache),
        PageTemplate("report-inputs", PackageResources.report_inputs_mustache),
        PageTemplate("seal", PackageResources.seal_mustache),
        PageTemplate("search-form", PackageResources.search_form_mustache),
        PageTemplate("time", PackageResources.time_mustache),
        PageTemplate("title-card", PackageResources.title_card_mustache),
        PageTemplate("total", PackageResources.total_mustache),
    ]
}
