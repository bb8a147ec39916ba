import TextFormats

/// The first page: what the library recommends, what is lent most, what came last.
enum BrowsePage: PageGroup {
    static let templates = [PageTemplate("browse", PackageResources.browse_mustache)]

    /// How many titles stand in each list.
    private static let many: Int64 = 6

    static let pages = [
        Page.shown("/") { call in
            let recommended = try call.list("/recommended", ["limit": .integer(many)])
            let trending = try call.list("/trending", ["limit": .integer(many)])
            let newest = try call.list("/titles", ["order": "added", "limit": .integer(many)])
            let lists: [(String, String, [JSON])] = [
                ("recommended", "Recommended by the library", recommended),
                ("trending", "Popular this month", trending.compactMap { $0["title"] }),
                ("newest", "New in the catalogue", newest),
            ]
            return PageView(
                template: "browse", title: "Catalogue",
                fields: [
                    "titles": try SearchPage.count([:], call).words, "search": SearchPage.form(nil),
                    "lists": lists.filter { !$0.2.isEmpty }.map { id, name, titles in
                        ["id": id, "name": name, "titles": titles.map(TitleFields.short)] as [String: Any]
                    },
                ])
        }
    ]
}
