import TextFormats

/// Finding titles.
enum SearchPage: PageGroup {
    static let templates = [PageTemplate("search", PackageResources.search_mustache)]

    private static let many: Int64 = 20
    /// How many titles are counted where not all are listed: who looks for more looks for something narrower.
    private static let mostCounted: Int64 = 10_000

    /// Where words are looked for, as the catalogue names it and as people read it.
    private static let places = [
        ("all", "Anywhere"), ("title", "Title"), ("author", "Author"), ("isbn", "ISBN"), ("course", "Course"),
        ("college", "College"), ("publisher", "Publisher"), ("genre", "Genre"),
    ]

    static let pages = [
        Page.shown("/search") { call in
            let by = call.query.text("by").flatMap { given in places.first { $0.0 == given }?.0 } ?? "all"
            var members: JSONObject = ["by": .string(by), "prefix": true]
            if let words = call.query.text("query") { members["query"] = .string(words) }
            if call.query.text("available") != nil { members["available"] = true }
            let (found, words) = try count(members, call)
            let last = max(1, (found + many - 1) / many)
            let number = min(max(1, call.query.text("page").flatMap(Int64.init) ?? 1), last)
            members["order"] = "relevance"
            members["limit"] = .integer(many)
            members["offset"] = .integer((number - 1) * many)
            let titles = try call.list("/titles", members)
            var fields: [String: Any] = [
                "search": form(call.query), "found": words,
                "titles": titles.map(TitleFields.short),
            ]
            if last > 1 { fields["numbers"] = ["number": number, "last": last] }
            if number > 1 { fields["previous"] = address(call.query, page: number - 1) }
            if number < last { fields["next"] = address(call.query, page: number + 1) }
            let title = call.query.text("query").map { "Search: \($0)" }
            return PageView(template: "search", title: title ?? "All titles", fields: fields)
        }
    ]

    /// How many titles of those that match are listed, and what the page says of their number: it is exact to 10,000.
    static func count(_ query: JSONObject, _ call: PageCall) throws -> (listed: Int64, words: String) {
        var query = query
        query["most"] = .integer(mostCounted + 1)
        let found = try call.record("/statistics/titles", query).integerValue ?? 0
        let listed = min(found, mostCounted)
        return (listed, (found > listed ? "more than " : "") + PageWords.count(listed, "title", "titles"))
    }

    /// The form for searching, as it was filled in.
    static func form(_ query: PageForm?) -> [String: Any] {
        let by = query?.text("by") ?? "all"
        return [
            "words": PageWords.safe(query?.text("query") ?? ""), "available": query?.text("available") != nil,
            "places": places.map { ["value": $0.0, "name": $0.1, "isChosen": $0.0 == by] as [String: Any] },
        ]
    }

    private static func address(_ query: PageForm, page: Int64) -> String {
        let kept = ["query", "by", "available"].compactMap { name in
            query.text(name).map { "\(name)=\(PercentEncoding.encoded($0))" }
        }
        return "/search?" + (kept + ["page=\(page)"]).joined(separator: "&")
    }
}
