import Circulation
import Languages
import TextFormats

/// Finding titles.
enum SearchPage: PageGroup {
    static let templates = [PageTemplate("search", PackageResources.search_mustache)]

    private static let many: Int64 = 20
    /// Where no more are found, words may be misspelt.
    private static let few: Int64 = 3
    /// How many titles are counted, and put in order, where not all are listed: who looks for more looks for something narrower.
    private static let mostCounted: Int64 = 10_000

    /// Where words are looked for, as the catalogue names it and as people read it.
    private static let places: [(String, Phrase)] = [
        ("all", "Anywhere"), ("title", "Title"), ("author", "Author"), ("isbn", "ISBN"), ("course", "Course"),
        ("college", "College"), ("publisher", "Publisher"), ("genre", "Genre"),
    ]

    /// Orders as the catalogue names them and as people read them; the first one needs not be asked for.
    private static let orders: [(String, Phrase)] = [
        ("relevance", "Relevance"), ("title", "Title"), ("author", "Author"), ("year", "Year"),
        ("added", "Recently added"),
        ("lent", "Most borrowed"), ("rated", "Best rated"),
    ]

    static let pages = [
        Page.shown("/search") { call in
            var address = asked(call.query)
            let typed = address
            var (found, isMore, words) = try count(address.members, call)
            let meant = found <= few ? try spelling(address.members, call) : nil
            if let meant, found == 0 {
                // What was meant is shown at once, and said.
                address = address.with("query", meant)
                (found, isMore, words) = try count(address.members, call)
            }
            let last = max(1, (found + many - 1) / many)
            let number = min(max(1, call.query.text("page").flatMap(Int64.init) ?? 1), last)
            var fields: [String: Any] = [
                "search": form(typed), "found": words,
                "titles": try titles(address, number, call).map(TitleFields.short),
                "chosen": try FacetFields.chosen(address, call),
                "facets": try FacetFields.offered(address, found: found, call),
            ]
            if found > 1 { fields["orders"] = links(toOrders: address, hasRatings: call.library.hasRatings) }
            if found > FacetFields.mostCounted { fields["mostCounted"] = "\(FacetFields.mostCounted)" }
            if isMore, address.sortsSome { fields["mostSorted"] = "10,000" }
            if last > 1 {
                fields["numbers"] =
                    ["number": number, "last": last, "pages": numbers(address, number, of: last)] as [String: Any]
            }
            if number > 1 { fields["previous"] = address.path(page: number - 1) }
            if number < last { fields["next"] = address.path(page: number + 1) }
            let lists = try ListsPage.adding(to: address.path(page: number), call)
            if found > 0, let lists { fields["listing"] = lists }
            if let meant {
                fields["meant"] =
                    [
                        "typed": PageWords.safe(typed.texts["query"] ?? ""), "words": PageWords.safe(meant),
                        "link": address.with("query", meant).path(), "isShown": address.texts["query"] == meant,
                    ] as [String: Any]
            }
            let title = typed.texts["query"].map { say("Search: \($0)") }
            return PageView(template: "search", title: title ?? say("All titles"), fields: fields)
        }
    ]

    /// What the query asks for, without what the page does not offer.
    private static func asked(_ query: PageForm) -> SearchAddress {
        let address = SearchAddress(query)
        func known(_ name: String, _ all: [(String, Phrase)]) -> String? {
            all.dropFirst().first { $0.0 == address.texts[name] }?.0
        }
        return address.with("by", known("by", places)).with("order", known("order", orders))
    }

    private static func titles(_ address: SearchAddress, _ page: Int64, _ call: PageCall) throws
        -> [JSON]
    {
        var members = address.members
        members["order"] = .string(address.texts["order"] ?? "relevance")
        members["among"] = .integer(mostCounted)
        members["limit"] = .integer(many)
        members["offset"] = .integer((page - 1) * many)
        return try call.list("/titles", members)
    }

    /// What the words were perhaps meant to be; nil if there are none, or they find what they ask for.
    private static func spelling(_ query: JSONObject, _ call: PageCall) throws -> String? {
        guard query["query"] != nil else { return nil }
        var words: JSONObject = [:]
        for name in ["query", "by", "prefix"] { words[name] = query[name] }
        return try call.recordIfAny("/spelling", words)?["query"]?.stringValue
    }

    /// How many titles of those that match are listed, and what the page says of their number: it is exact to 10,000.
    static func count(_ query: JSONObject, _ call: PageCall) throws -> (listed: Int64, isMore: Bool, words: String) {
        var query = query
        query["most"] = .integer(mostCounted + 1)
        let found = try call.record("/statistics/titles", query).integerValue ?? 0
        let listed = min(found, mostCounted)
        let words = found > listed ? say("More than 10,000\u{A0}titles") : PageWords.count(listed, "title", "titles")
        return (listed, found > listed, words)
    }

    /// The form for searching, as it was filled in.
    static func form(_ address: SearchAddress?) -> [String: Any] {
        let texts = address?.texts ?? [:]
        let by = texts["by"] ?? "all"
        var fields: [String: Any] = [
            "words": PageWords.safe(texts["query"] ?? ""), "available": texts["available"] != nil,
            "places": places.map {
                ["value": $0.0, "name": say($0.1), "isChosen": $0.0 == by] as [String: Any]
            },
        ]
        fields["order"] = texts["order"]
        return fields
    }

    private static func links(toOrders address: SearchAddress, hasRatings: Bool) -> [[String: Any]] {
        let chosen = address.texts["order"] ?? orders[0].0
        return orders.filter { $0.0 != "rated" || hasRatings }.map { order, name in
            [
                "name": say(name), "isChosen": order == chosen,
                "link": address.with("order", order == orders[0].0 ? nil : order).path(),
            ] as [String: Any]
        }
    }

    /// Links to the first and the last page, and to those around this one.
    private static func numbers(
        _ address: SearchAddress, _ number: Int64, of last: Int64
    ) -> [[String: Any]] {
        let near = Set([1, last] + (number - 2...number + 2).filter { (1...last).contains($0) })
            .sorted()
        return zip(near, [0] + near).map { page, before in
            [
                "page": page, "link": address.path(page: page), "isShown": page == number,
                "isAfterGap": page > before + 1,
            ] as [String: Any]
        }
    }
}
