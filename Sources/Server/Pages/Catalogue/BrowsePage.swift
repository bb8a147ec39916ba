import Circulation
import Desk
import Languages
import TextFormats

/// The first page: what the library recommends, what is lent most, what came last.
///
/// What is lent most is counted over all loans of some days: a server does it ahead of its readers, who wait for none of it.
enum BrowsePage: PageGroup {
    static let templates = [PageTemplate("browse", PackageResources.browse_mustache)]

    /// How many titles stand in each list.
    private static let many: Int64 = 6
    /// The days whose loans make a title popular.
    private static let days: Int64 = 30

    static let pages = [
        Page.shown("/") { call in
            let recommended = try call.list("/recommended", ["limit": .integer(many)])
            let trending = try call.list("/trending", ["days": .integer(days), "limit": .integer(many)])
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

    /// Counts what is popular anew.
    fileprivate static func count(_ session: DeskSession) throws {
        _ = try session.catalogue.trending(days: days, ListPart(limit: many), isAnew: true)
    }
}

extension Services {
    /// How long the first page shows a ranking; the desk keeps it twice as long (``Desk/keepingRankings(seconds:)``).
    private static let pauseOfRankings = Duration.seconds(300)

    /// Counts what the first page shows as popular, at once and time and again, until its task is cancelled.
    package func keepRanking() async throws {
        while true {
            do {
                try await lanes.long.run { [desk] in try desk.read(BrowsePage.count) }
            } catch {
                // A reader who comes before the next attempt counts it, and is told what is wrong.
                teller.fault("what is popular: \(error)")
            }
            try await Task.sleep(for: Self.pauseOfRankings)
        }
    }
}
