import Circulation
import Desk
import LuaRuntime

// The collection as a whole: what the database puts together, so that no script has to go through all titles.
extension APIFunction {
    private static let rarelyLentFields: [APIParameter] = [
        .optional("since", .instant, "lent at or after this moment; left out: ever"),
        .optional("most", .count, "lent so often at most", standard: "0"),
        .optional("published_before", .integer(-9_999...9_999), "only titles that came out before this year"),
        .optional(
            "idle", .boolean, "only titles that are neither on loan, on hold nor recommended", standard: "false"),
    ]

    static let statsRarelyLent = APIFunction(
        "rarely_lent", "Lists titles with copies that were lent seldom or not at all, the least lent first.",
        details:
            "Of titles lent equally often in the time asked about, those lent least in all come first, then the oldest.",
        .named("query", rarelyLentFields + APIParameter.part(100)),
        returns: .value(.list(.record("rarely_lent"))),
        route: .init(.get, "/statistics/rarely-lent", .staff, group: "statistics"),
        examples: APIExample("stats.rarely_lent{}[1].title.year", "1813"),
        APIExample("#stats.rarely_lent{ most = 2, published_before = 1960, idle = true }", "2")
    ) { call in
        let query = call.rarelyLentQuery
        return try call.read { session in
            let found = try session.statistics.rarelyLent(query, call.part(100))
            return [APIRecord.rarelyLent.list(try found.map { try RarelyLentRow($0, in: session) })]
        }
    }

    static let statsRarelyLentTotals = APIFunction(
        "rarely_lent_totals", "Counts the titles that `stats.rarely_lent` lists, and their copies.",
        .named("query", rarelyLentFields),
        returns: .value(.record("title_totals")),
        route: .init(.get, "/statistics/rarely-lent/totals", .staff, group: "statistics"),
        examples: APIExample("stats.rarely_lent_totals{}.copies", "3")
    ) { call in
        let query = call.rarelyLentQuery
        return try call.read { [APIRecord.titleTotals.table(try $0.statistics.rarelyLentTotals(query))] }
    }

    static let statsCollection = APIFunction(
        "collection", "Counts titles, copies and copies that are lent by year of publication, the oldest first.",
        details: "Titles without copies do not count; those without a year stand last.",
        .named(
            "query",
            [.optional("genre", .text(maximum: 500), "only titles of this genre")] + APIParameter.part(10_000)),
        returns: .value(.list(.record("collection_year"))),
        route: .init(.get, "/statistics/collection", .staff, group: "statistics"),
        examples: APIExample("stats.collection{}[2].year, stats.collection{}[2].copies", "1937, 2")
    ) { call in
        let genre: String? = call.arguments["genre"]
        return try call.read {
            [APIRecord.collectionYear.list(try $0.statistics.collection(genre: genre, call.part(10_000)))]
        }
    }

    static let statsHoldings = APIFunction(
        "holdings", "Counts titles, copies and loans by subject, genre or college, the highest turnover first.",
        details: "A title of several subjects or genres counts in each of them.",
        .named(
            "query",
            [
                .required("group", .choice(HoldingGroup.allCases.map(\.rawValue)), "by what"),
                .optional("from", .instant, "loans at or after this moment"),
                .optional("to", .instant, "loans before this moment; a date counts whole"),
                .optional("least_copies", .count, "only those with so many copies", standard: "1"),
            ] + APIParameter.part(10_000)),
        returns: .value(.list(.record("holding"))),
        route: .init(.get, "/statistics/holdings", .staff, group: "statistics"),
        examples: APIExample(#"stats.holdings{ group = "genre" }[1].loans"#, "3")
    ) { call in
        guard let group: HoldingGroup = call.word("group") else { throw call.fault("'group' is missing") }
        let (from, to) = (call.start("from"), try call.end("to"))
        let least: Int64 = call.arguments["least_copies"] ?? 1
        return try call.read { session in
            let holdings = try session.statistics.holdings(
                by: group, from: from, to: to, leastCopies: least, call.part(10_000))
            return [APIRecord.holding.list(holdings)]
        }
    }
}

extension APICall {
    fileprivate var rarelyLentQuery: RarelyLentQuery {
        RarelyLentQuery(
            most: arguments["most"] ?? 0, since: start("since"), publishedBefore: arguments["published_before"],
            isIdle: arguments["idle"] ?? false)
    }
}
