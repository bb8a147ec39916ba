import Languages
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
            let lists: [(id: String, name: String, titles: [JSON], more: (order: String, name: String)?)] = [
                ("recommended", say("Recommended by the library"), recommended, nil),
                (
                    "trending", say("Popular this month"), trending.compactMap { $0["title"] },
                    ("lent", say("Most borrowed titles"))
                ),
                ("newest", say("New in the catalogue"), newest, ("added", say("More new titles"))),
            ]
            return PageView(
                template: "browse", title: say("Catalogue"),
                fields: [
                    "titles": try SearchPage.count([:], call).words, "search": SearchPage.form(nil),
                    "lists": lists.filter { !$0.titles.isEmpty }.map { list in
                        var fields: [String: Any] = [
                            "id": list.id, "name": list.name, "titles": list.titles.map(TitleFields.short),
                        ]
                        fields["more"] = list.more.map { more in
                            ["name": more.name, "link": SearchAddress(["order": more.order]).path()]
                        }
                        return fields
                    },
                ])
        }
    ]
}
