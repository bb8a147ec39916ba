import Circulation
import Desk
import LuaRuntime

extension APIModule {
    static let catalogue = APIModule(
        "catalogue", "Titles and their copies.",
        [
            .catalogueGet, .catalogueSearch, .catalogueEach, .catalogueCount, .catalogueCopies, .catalogueCopy,
            .catalogueTrending, .catalogueRecommended, .catalogueShare, .catalogueAdd, .catalogueUpdate,
            .catalogueEnrich, .catalogueRemove, .catalogueRemoveAll, .catalogueAddCopies, .catalogueUpdateCopy,
            .catalogueWithdrawCopy,
        ])
}

// MARK: - Reading

extension APIFunction {
    fileprivate static let queryFields: [APIParameter] = [
        .optional("query", .text, "the words, all of which must be found; none: every title"),
        .optional(
            "by", .choice(CatalogueQuery.Field.allCases.map(\.rawValue)), "where they are looked for",
            standard: "\"all\""),
        .optional("prefix", .boolean, "the last word may be the beginning of one", standard: "false"),
        .optional("available", .boolean, "only titles of which a copy can be lent now", standard: "false"),
    ]

    fileprivate static let catalogueGet = APIFunction(
        "get", "Finds one title by its ISBN or id.",
        [.required("isbn_or_id", .reference(.title), "an ISBN of 10 or 13 digits, or an id")],
        returns: .found(.record("title")),
        examples: [
            APIExample(#"catalogue.get("9780261103573").title"#, #""The Fellowship of the Ring""#),
            APIExample(#"catalogue.get(999999)"#, "nil"),
        ]
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
                            "order", .choice(CatalogueQuery.Order.allCases.map(\.rawValue)), "what comes first",
                            standard: "\"title\""),
                        .optional("limit", .integer(1...1000), "how many at most", standard: "50"),
                        .optional("offset", .count, "how many to leave out at the beginning", standard: "0"),
                    ]), "what to look for")
        ],
        returns: .value(.list(.record("title"))),
        examples: [
            APIExample(#"#catalogue.search{ query = "tolkien", by = "author" }"#, "2"),
            APIExample(#"catalogue.search{ query = "fellow", prefix = true }[1].year"#, "1954"),
        ]
    ) { call in
        var query = try call.catalogueQuery()
        query.order = call.word("order") ?? .title
        query.limit = call.number("limit", standard: 50)
        query.offset = call.number("offset", standard: 0)
        return try call.read { session in
            [APIRecord.title.list(try session.catalogue.search(query).map { try session.counted($0) })]
        }
    }

    fileprivate static let catalogueEach = APIFunction(
        "each", "Goes through titles by id, without keeping them all in memory; the loop may write.",
        [.required("query", .fields(queryFields), "what to look for")],
        returns: .each(.record("title")),
        examples: [APIExample("local n = 0 for title in catalogue.each{} do n = n + 1 end return n", "4")]
    ) { call in
        let query = try call.catalogueQuery()
        let row: (DeskSession, Title) throws -> LuaValue = { APIRecord.title.table(try $0.counted($1)) }
        if query.words.isEmpty && !query.available {
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
        [.required("query", .fields(queryFields), "what to look for")],
        returns: .value(.count),
        examples: [APIExample(#"catalogue.count{ query = "tolkien" }"#, "2")]
    ) { call in
        let query = try call.catalogueQuery()
        return try call.read { [.integer(try $0.catalogue.count(query))] }
    }

    fileprivate static let catalogueCopies = APIFunction(
        "copies", "Lists the copies of a title.",
        [.required("title", .reference(.title), "")],
        returns: .value(.list(.record("copy"))),
        examples: [APIExample(#"catalogue.copies("9780261103573")[1].barcode"#, #""1001""#)]
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { [APIRecord.copy.list(try $0.catalogue.copies(of: key))] }
    }

    fileprivate static let catalogueCopy = APIFunction(
        "copy", "Finds one copy by its barcode.",
        [.required("barcode", .reference(.copy), "")],
        returns: .found(.record("copy")),
        examples: [APIExample(#"catalogue.copy("1001").item_type"#, #""book""#)]
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
        [
            .required(
                "query",
                .fields([
                    .optional("days", .integer(1...36_500), "how many days back", standard: "30"),
                    .optional("limit", .integer(1...1000), "how many titles at most", standard: "10"),
                ]), "")
        ],
        returns: .value(.list(.record("lent_title"))),
        examples: [APIExample("catalogue.trending{ days = 30 }[1].loans", "2")]
    ) { call in
        let days: Int64 = call.arguments["days"] ?? 30
        let limit = call.number("limit", standard: 10)
        return try call.read { session in
            let found = try session.catalogue.trending(days: days, limit: limit)
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
        [.optional("limit", .integer(1...1000), "how many at most", standard: "50")],
        returns: .value(.list(.record("title"))),
        examples: [APIExample("catalogue.recommended()[1].title", #""Dune""#)]
    ) { call in
        let limit = call.number("limit", standard: 50)
        return try call.read { session in
            [APIRecord.title.list(try session.catalogue.recommended(limit: limit).map { try session.counted($0) })]
        }
    }

    fileprivate static let catalogueShare = APIFunction(
        "share", "Gives a text about a title and links that send it on. Sends nothing.",
        [.required("title", .reference(.title), "")],
        returns: .found(.record("share")),
        examples: [
            APIExample(
                #"catalogue.share("9780441013593").text"#, #""Dune by Frank Herbert (1965), ISBN 9780441013593""#)
        ]
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { call.found(try $0.catalogue.get(key).map(SharedTitle.init), .share) }
    }
}

// MARK: - Writing

extension APIFunction {
    /// What a title may be given, beside its ISBN and its title.
    fileprivate static let titleFields: [APIParameter] = [
        .optional("authors", .list(.text), "in the order of the title page"),
        .optional("publisher", .text, ""),
        .optional("year", .integer(-9999...9999), "negative before the common era"),
        .optional("language", .text(maximum: 20), "an ISO 639 code"),
        .optional("genres", .list(.text), ""),
        .optional("subjects", .list(.text), ""),
        .optional(
            "courses",
            .list(.fields([.required("code", .text(maximum: 100), ""), .optional("name", .text, "")])),
            "courses that use it"),
        .optional("college", .text, ""),
        .optional("edition", .text, ""),
        .optional("description", .longText, ""),
        .optional("cover_url", .text, ""),
        .optional("preview_url", .text, ""),
        .optional("stars", .integer(0...5), ""),
        .optional("recommended", .boolean, "chosen by the library"),
        .optional("extra", .json, "fields of the library's own: a table with names"),
    ]

    fileprivate static let catalogueAdd = APIFunction(
        "add", "Adds a title; copies are added by `add_copies`.",
        [
            .required(
                "title",
                .fields(
                    [
                        .required("title", .text, ""),
                        .optional("isbn", .text(maximum: 20), "10 or 13 digits; a title may have none"),
                    ] + titleFields), "")
        ],
        returns: .written(.record("title")), refusals: ["exists"], needs: .catalogueWrite,
        examples: [
            APIExample(
                #"catalogue.add{ title = "Emma", authors = { "Jane Austen" }, isbn = "0141439580" }.isbn"#,
                #""9780141439587""#)
        ]
    ) { call in
        var title = Title(title: try call.arguments.need("title"))
        if let isbn: String = call.arguments["isbn"] { title.isbn = try ISBN(isbn) }
        try call.change(&title, by: call.arguments)
        return try call.write { session in
            try call.answer(try session.catalogue.add(title)) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    fileprivate static let catalogueUpdate = APIFunction(
        "update", "Changes what is given of a title; the rest stays.",
        [
            .required("title", .reference(.title), "which title"),
            .required(
                "changes",
                .fields(
                    [
                        .optional("title", .text, ""), .optional("isbn", .text(maximum: 20), "10 or 13 digits"),
                    ] + titleFields), "the fields that change"),
        ],
        returns: .written(.record("title")), refusals: ["unknown_title", "exists"], needs: .catalogueWrite,
        examples: [APIExample(#"catalogue.update("9780441013593", { stars = 5 }).stars"#, "5")]
    ) { call in
        let key = try call.titleKey("title")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.catalogue.update(key) { title in
                if let text: String = changes["title"] { title.title = text }
                if let isbn: String = changes["isbn"] { title.isbn = try ISBN(isbn) }
                try call.change(&title, by: changes)
            }
            return try call.answer(outcome) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    fileprivate static let catalogueEnrich = APIFunction(
        "enrich", "Completes a title by what services that know books say of its ISBN.",
        details:
            "Description, cover, preview, year and subjects are filled in where the title has none, and the number of pages as "
            + "`extra.pages`. The services are asked outside of any transaction and their answers kept for some time; within "
            + "`store.transaction` and in a dry run nobody is asked, and what was answered before counts. Which services these "
            + "are stands in `[book_data]` of `moonshelf.toml`.",
        [
            .required("isbn", .reference(.title), ""),
            .optional("replace", .boolean, "what the title says already is replaced as well", standard: "false"),
        ],
        returns: .written(.record("title")),
        refusals: ["unknown_title", "no_isbn", "book_data_off", "book_data_unreachable", "no_book_data"],
        needs: .catalogueWrite,
        examples: [
            APIExample(#"catalogue.enrich("9780441013593").description"#, #""Set on the desert planet Arrakis.""#),
            APIExample(#"select(2, catalogue.enrich("9780261103344")).code"#, #""no_book_data""#),
        ]
    ) { call in
        let key = try call.titleKey("isbn")
        let replaces = call.arguments["replace"] ?? false
        let outcome = try call.script.enrich(key, replacing: replaces)
        return try call.read { session in
            try call.answer(outcome) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    fileprivate static let catalogueRemove = APIFunction(
        "remove", "Removes a title with its copies. Past loans stay in the statistics.",
        [.required("title", .reference(.title), "")],
        returns: .written(.record("title")), refusals: ["unknown_title", "on_loan"], needs: .catalogueWrite,
        examples: [
            APIExample(#"catalogue.remove("9780141439518").title"#, #""Pride and Prejudice""#),
            APIExample(#"select(2, catalogue.remove("9780441013593")).code"#, #""on_loan""#),
        ]
    ) { call in
        let key = try call.titleKey("title")
        return try call.write { session in
            // Counted before: afterwards nothing is left to count.
            let counts = try session.catalogue.get(key).map { try session.counted($0).counts }
            return call.answer(try session.catalogue.remove(key)) { title in
                APIRecord.title.table(
                    CountedTitle(title: title, counts: counts ?? CopyCounts(copies: 0, available: 0, onLoan: 0)))
            }
        }
    }

    fileprivate static let catalogueRemoveAll = APIFunction(
        "remove_all", "Removes every title and copy.",
        [.required("options", .fields([.required("confirm", .boolean, "must be true")]), "")],
        returns: .written(.count), refusals: ["on_loan"], needs: .catalogueWrite,
        examples: [APIExample("select(2, catalogue.remove_all{ confirm = true }).code", #""on_loan""#)]
    ) { call in
        guard try call.arguments.need("confirm") else { throw call.fault("'confirm' must be true") }
        return try call.write { call.answer(try $0.catalogue.removeAll()) { .integer(Int64($0)) } }
    }

    fileprivate static let catalogueAddCopies = APIFunction(
        "add_copies", "Adds copies of a title, with barcodes made for them unless given.",
        [
            .required(
                "options",
                .fields([
                    .required("isbn", .reference(.title), "an ISBN, an id or a title"),
                    .optional("count", .integer(1...1000), "how many", standard: "1"),
                    .optional("branch", .reference(.branch), "the first branch if left out"),
                    .optional("item_type", .reference(.itemType), "", standard: "\"book\""),
                    .optional("barcodes", .list(.text(maximum: 100)), "one for each copy"),
                    .optional("replacement_price", .money, ""),
                ]), "")
        ],
        returns: .written(.list(.record("copy"))), refusals: ["unknown_title", "exists"], needs: .catalogueWrite,
        examples: [APIExample(#"#catalogue.add_copies{ isbn = "9780441013593", count = 2 }"#, "2")]
    ) { call in
        let key = try call.titleKey("isbn")
        let barcodes: [String] = call.arguments["barcodes"] ?? []
        let count = call.number("count", standard: max(1, barcodes.count))
        guard barcodes.isEmpty || barcodes.count == count else {
            throw call.fault("'barcodes' has \(barcodes.count) entries for \(count) copies")
        }
        return try call.write { session in
            let outcome = try session.catalogue.addCopies(
                of: key, count: count, branch: call.optionalCode("branch"), itemType: call.optionalCode("item_type"),
                barcodes: barcodes, replacementPrice: call.arguments["replacement_price"])
            return call.answer(outcome, APIRecord.copy.list)
        }
    }

    fileprivate static let catalogueUpdateCopy = APIFunction(
        "update_copy", "Changes what is given of a copy; the rest stays.",
        [
            .required("barcode", .reference(.copy), "which copy"),
            .required(
                "changes",
                .fields([
                    .optional("barcode", .text(maximum: 100), "a new barcode"),
                    .optional("branch", .reference(.branch), ""),
                    .optional("item_type", .reference(.itemType), ""),
                    .optional("status", .choice(["available", "lost", "in_transit"]), ""),
                    .optional("replacement_price", .money, ""),
                ]), "the fields that change"),
        ],
        returns: .written(.record("copy")), refusals: ["unknown_copy", "exists", "on_loan"], needs: .catalogueWrite,
        examples: [APIExample(#"catalogue.update_copy("1001", { status = "in_transit" }).status"#, #""in_transit""#)]
    ) { call in
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let barcode = try call.barcode("barcode", in: session)
            let outcome = try session.catalogue.updateCopy(barcode: barcode) { copy in
                if let barcode: String = changes["barcode"] { copy.barcode = barcode }
                if case .text(let branch)? = changes["branch"] as RecordKey? { copy.branch = branch }
                if case .text(let type)? = changes["item_type"] as RecordKey? { copy.itemType = type }
                if let status = (changes["status"] as String?).flatMap(CopyStatus.init) { copy.status = status }
                if let price: Money = changes["replacement_price"] { copy.replacementPrice = price }
            }
            return call.answer(outcome, APIRecord.copy.table)
        }
    }

    fileprivate static let catalogueWithdrawCopy = APIFunction(
        "withdraw_copy", "Takes a copy out of the collection.",
        [.required("barcode", .reference(.copy), "")],
        returns: .written(.record("copy")), refusals: ["unknown_copy", "on_loan"], needs: .catalogueWrite,
        examples: [APIExample(#"catalogue.withdraw_copy("1001").status"#, #""withdrawn""#)]
    ) { call in
        try call.write { session in
            let barcode = try call.barcode("barcode", in: session)
            return call.answer(try session.catalogue.withdrawCopy(barcode: barcode), APIRecord.copy.table)
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
    func counted(_ title: Title) throws -> CountedTitle {
        CountedTitle(title: title, counts: try catalogue.counts(of: title.id))
    }
}
