import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let catalogue = APIModule(
        "catalogue", "Titles and their copies.",
        [
            .catalogueGet, .catalogueMARC, .catalogueSearch, .catalogueFacets, .catalogueSpelling, .catalogueEach,
            .catalogueCount, .catalogueCopies, .catalogueCopy,
            .catalogueTrending, .catalogueSeries, .catalogueRecommended, .catalogueColleges,
            .catalogueShare, .catalogueAdd, .catalogueUpdate,
            .catalogueEnrich, .catalogueSetCover, .catalogueRemoveCover, .catalogueRemove, .catalogueRemoveAll,
            .catalogueAddCopies, .catalogueUpdateCopy,
            .catalogueWithdrawCopy,
        ], callers: .everyone)
}

extension APIFunction {
    fileprivate static let queryFields: [APIParameter] = [
        .optional("query", .text(maximum: 1000), "the words, all of which must be found; none: every title"),
        .optional(
            "by", .choice(CatalogueQuery.Field.allCases.map(\.rawValue)), "where they are looked for",
            standard: "\"all\""),
        .optional("prefix", .boolean, "the last word may be the beginning of one", standard: "false"),
        .optional(
            "available", .boolean, "only titles of which a copy can be lent now", standard: "false"),
        .optional(
            "branch", .text(maximum: 100),
            "only titles of which this branch has a copy, with `available` one to lend"),
        .optional(
            "author", .text(maximum: 1000),
            "only titles with these words side by side in the name of an author"),
        .optional(
            "genre", .text(maximum: 1000),
            "only titles with these words side by side in a genre or subject"),
        .optional(
            "language", .text(maximum: 20), "only titles with this language, as the records give it"),
        .optional("year", .integer(-9999...9999), "only titles of this year"),
        .optional(
            "decade", .integer(1000...9990), "only titles of ten years from this one, which ends in 0"),
    ]

    fileprivate static let catalogueGet = APIFunction(
        "get", "Finds one title by its ISBN or id.",
        [.required("isbn_or_id", .reference(.title), "an ISBN of 10 or 13 digits, or an id")],
        returns: .found(.record("title")), route: .init(.get, "/titles/{isbn_or_id}", .everyone),
        examples: APIExample(#"catalogue.get("9780261103573").title"#, #""The Fellowship of the Ring""#),
        APIExample(#"catalogue.get(999999)"#, "nil")
    ) { call in
        try call.read { session in
            let title = try session.catalogue.get(call.titleKey("isbn_or_id"))
            return call.found(try title.map { try session.counted($0) }, .title)
        }
    }

    fileprivate static let catalogueSearch = APIFunction(
        "search", "Finds titles by words.",
        [
            .required(
                "query",
                .fields(
                    queryFields + [
                        .optional(
                            "order", .choice(CatalogueQuery.Sorting.offered.map(\.rawValue)), "what comes first",
                            standard: "\"relevance\""),
                        .optional(
                            "among", .integer(1...100_000),
                            "where more titles match, only so many, those lent most, are put in order; none: all are"
                        ),
                    ] + APIParameter.part(50, of: 1...1_000)), "what to look for")
        ],
        returns: .value(.list(.record("title"))), route: .init(.get, "/titles", .everyone),
        examples: APIExample(#"#catalogue.search{ query = "tolkien", by = "author" }"#, "2"),
        APIExample(#"catalogue.search{ query = "fellow", prefix = true }[1].year"#, "1954")
    ) { call in
        var query = try call.catalogueQuery()
        query.order = call.word("order") ?? .relevance
        query.among = (call.arguments["among"] as Int64?).map { Int($0) }
        query.limit = call.number("limit", standard: 50)
        query.offset = call.number("offset", standard: 0)
        return try call.read { session in
            [APIRecord.title.list(try session.counted(session.catalogue.search(query)))]
        }
    }

    fileprivate static let catalogueFacets = APIFunction(
        "facets",
        "Counts the titles that match by author, genre and subject, language, decade, year and branch, and those available.",
        details:
            "Each value is one by which the same query can be narrowed. Of each kind the most frequent values are given.",
        [
            .required(
                "query",
                .fields(
                    queryFields + [
                        .optional(
                            "most", .integer(1...10_000), "how many titles are counted: of more, those lent most",
                            standard: "1000"),
                        .optional(
                            "values", .integer(1...100), "how many values of each kind are given", standard: "10"),
                    ]), "what to look for")
        ],
        returns: .value(.list(.record("facet"))), route: .init(.get, "/facets", .everyone),
        examples: APIExample(#"catalogue.facets{ query = "tolkien" }[1].titles"#, "2"),
        APIExample(#"catalogue.facets{ query = "frank herbert" }[1].value"#, #""Frank Herbert""#)
    ) { call in
        let query = try call.catalogueQuery()
        let (most, values) = (
            call.number("most", standard: 1_000), call.number("values", standard: 10)
        )
        return try call.read { session in
            [APIRecord.facet.list(try session.catalogue.facets(query, most: most, values: values))]
        }
    }

    fileprivate static let catalogueSpelling = APIFunction(
        "spelling",
        "Says what misspelt words were perhaps meant to be; nil where they find what they ask for, or nothing is near.",
        details:
            "The words that come back stand together in a title, in small letters without accents. Each is one letter away from what "
            + "was typed, or two where six letters or more were. Of more than eight words nothing is said.",
        [.required("query", .fields(Array(queryFields.prefix(3))), "what to look for")],
        returns: .found(.record("spelling")), route: .init(.get, "/spelling", .everyone),
        examples: APIExample(
            #"catalogue.spelling{ query = "frenk herbert" }.query"#, #""frank herbert""#),
        APIExample(#"catalogue.spelling{ query = "herbert" }"#, "nil")
    ) { call in
        let query = try call.catalogueQuery()
        return try call.read {
            call.found(try $0.catalogue.spelling(query).map(Spelling.init), .spelling)
        }
    }

    fileprivate static let catalogueEach = APIFunction(
        "each", "Goes through titles by id, without keeping them all in memory; the loop may write.",
        [.required("query", .fields(queryFields), "what to look for")],
        returns: .each(.record("title")),
        examples: APIExample("local n = 0 for title in catalogue.each{} do n = n + 1 end return n", "4")
    ) { call in
        let query = try call.catalogueQuery()
        let row: (DeskSession, Title) throws -> LuaValue = { APIRecord.title.table(try $0.counted($1)) }
        if query.isUnbounded {
            return try call.each { session, after, page in
                try page.fill(after: after, id: \.id) {
                    try session.catalogue.page(after: $0, limit: $1)
                } row: {
                    try row(session, $0)
                }
            }
        }
        return try call.each(ids: call.found(query)) { session, id in
            try session.catalogue.get(.id(id)).map { try row(session, $0) }
        }
    }

    fileprivate static let catalogueCount = APIFunction(
        "count", "Counts titles.",
        [
            .required(
                "query",
                .fields(
                    queryFields + [
                        .optional("most", .integer(1...Int64.max), "where counting ends: the answer is not greater")
                    ]), "what to look for")
        ],
        returns: .value(.count), route: .init(.get, "/statistics/titles", .everyone, group: "statistics"),
        examples: APIExample(#"catalogue.count{ query = "tolkien" }"#, "2"),
        APIExample(#"catalogue.count{ query = "tolkien", most = 1 }"#, "1")
    ) { call in
        let query = try call.catalogueQuery()
        let most: Int64? = call.arguments["most"]
        return try call.read { [.integer(try $0.catalogue.count(query, most: most))] }
    }

    fileprivate static let catalogueCopies = APIFunction(
        "copies", "Lists the copies of a title, by barcode.",
        [.required("title", .reference(.title))] + APIParameter.part(1_000),
        returns: .value(.list(.record("copy"))), route: .init(.get, "/titles/{title}/copies", .everyone),
        examples: APIExample(#"catalogue.copies("9780261103573")[1].barcode"#, #""1001""#)
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { [APIRecord.copy.list(try $0.catalogue.copies(of: key, call.part(1_000)))] }
    }

    fileprivate static let catalogueCopy = APIFunction(
        "copy", "Finds one copy by its barcode.",
        [.required("barcode", .reference(.copy))],
        returns: .found(.record("copy")), route: .init(.get, "/copies/{barcode}", .everyone),
        examples: APIExample(#"catalogue.copy("1001").item_type"#, #""book""#)
    ) { call in
        let key: RecordKey = try call.arguments.need("barcode")
        return try call.read { session in
            switch key {
            case .id(let id): call.found(try session.catalogue.copy(id: id), .copy)
            case .text(let barcode): call.found(try session.catalogue.copy(barcode: barcode), .copy)
            }
        }
    }

    fileprivate static let catalogueTrending = APIFunction(
        "trending", "Lists the titles lent most often in the last days, the most lent first.",
        .named(
            "query",
            [.optional("days", .integer(1...36_500), "how many days back", standard: "30")]
                + APIParameter.part(10, of: 1...1_000)),
        returns: .value(.list(.record("lent_title"))), route: .init(.get, "/trending", .everyone),
        examples: APIExample("catalogue.trending{ days = 30 }[1].loans", "2")
    ) { call in
        let days: Int64 = call.arguments["days"] ?? 30
        return try call.read { session in
            let found = try session.catalogue.trending(days: days, call.part(10))
            return [
                APIRecord.lentTitle.list(
                    try found.map { title, loans in
                        let counted = try session.counted(title)
                        return LentTitle(title: counted, loans: loans, copies: counted.counts.copies)
                    })
            ]
        }
    }

    fileprivate static let catalogueRecommended = APIFunction(
        "recommended", "Lists the titles that the library recommends.",
        APIParameter.part(50, of: 1...1_000),
        returns: .value(.list(.record("title"))), route: .init(.get, "/recommended", .everyone),
        examples: APIExample("catalogue.recommended()[1].title", #""Dune""#)
    ) { call in
        try call.read { session in
            [APIRecord.title.list(try session.counted(session.catalogue.recommended(call.part(50))))]
        }
    }

    fileprivate static let catalogueColleges = APIFunction(
        "colleges", "Lists the colleges that titles have, each once.",
        .named("query", APIParameter.part(200, of: 1...1_000)),
        returns: .value(.list(.text)), route: .init(.get, "/colleges", .everyone),
        examples: APIExample("#catalogue.colleges{}", "0")
    ) { call in
        return try call.read {
            [.table(LuaTable(array: try $0.catalogue.colleges(call.part(200)).map { .string($0) }))]
        }
    }

    fileprivate static let catalogueShare = APIFunction(
        "share", "Gives a text about a title and links that send it on. Sends nothing.",
        details: "With `address`, where its page is, the text ends with that.",
        [
            .required("title", .reference(.title)),
            .optional("address", .text(maximum: 1_000), "an http or https address"),
        ],
        returns: .found(.record("share")), route: .init(.get, "/titles/{title}/share", .everyone),
        examples: APIExample(
            #"catalogue.share("9780441013593").text"#, #""Dune by Frank Herbert (1965), ISBN 9780441013593""#)
    ) { call in
        let key = try call.titleKey("title")
        let address: String? = call.arguments["address"]
        guard address.map({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }) ?? true else {
            throw call.fault("'address' must be an http or https address")
        }
        return try call.read {
            call.found(try $0.catalogue.get(key).map { SharedTitle($0, at: address) }, .share)
        }
    }
}

extension APICall {
    /// The ids of all titles that a query finds, in their order.
    fileprivate func found(_ query: CatalogueQuery) throws -> [Int64] {
        var query = query
        query.order = .id
        query.limit = .max
        return try read { session in
            var ids: [Int64] = []
            try session.catalogue.each(query) {
                ids.append($0.id)
                return true
            }
            return ids.sorted()
        }
    }
}

extension DeskSession {
    /// A title with its counts.
    func counted(_ title: Title) throws -> CountedTitle { try counted([title])[0] }

    /// Titles with their counts.
    func counted(_ titles: [Title]) throws -> [CountedTitle] {
        let totals = try ratings.totals(of: titles.map(\.id))
        return try titles.map { title in
            CountedTitle(title: title, counts: try catalogue.counts(of: title.id), ratings: totals[title.id])
        }
    }
}
