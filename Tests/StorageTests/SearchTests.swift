import Circulation
import Testing

@testable import Storage

@Suite("The catalogue search")
struct SearchTests {
    private static let shelf: [Title] = [
        Title(
            isbn: try? ISBN("9780439023481"), title: "The Hunger Games", authors: ["Suzanne Collins"],
            publisher: "Scholastic", year: 2008, genres: ["Young Adult"], courses: [Course(code: "ENG-101")]),
        Title(title: "L'Éducation sentimentale", authors: ["Gustave Flaubert"], year: 1869, subjects: ["Paris"]),
        Title(title: "吾輩は猫である", authors: ["夏目漱石"], college: "文学部"),
        Title(title: "C++ and SQL: NEAR the \"AND\" OR (NOT *)", authors: ["O'Brien"]),
        Title(title: "Straße nach Łódź", authors: ["Ødegård"], year: -50),
    ]

    private func found(_ driver: TestDriver, _ query: CatalogueQuery) throws -> [String] {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for title in Self.shelf { try transaction.titles.insert(title) }
            }
            return try store.read { (transaction) throws in
                let titles = try transaction.search.titles(query)
                #expect(try transaction.search.count(query) == Int64(titles.count))
                var streamed: [Title] = []
                try transaction.search.forEach(query) {
                    streamed.append($0)
                    return true
                }
                #expect(streamed == titles)
                return titles.map(\.title)
            }
        }
    }

    @Test(
        "words are found whatever their case, accents and order",
        arguments: TestDriver.allCases,
        [
            ("hunger", 0), ("GAMES hunger", 0), ("education", 1), ("ÉDUCATION", 1), ("l'education", 1), ("paris", 1),
            ("猫", 2), ("吾輩", 2), ("夏目", 2), ("strasse", 4), ("lodz", 4), ("odegard", 4), ("o'brien", 3),
            ("obrien", nil),
            ("輩吾", nil), ("hunge", nil), ("games education", nil), ("9780439023481", 0), ("978-0-439-02348-1", 0),
            ("0439023483", 0), ("eng101", 0), ("eng-101", 0), ("scholastic", 0),
        ] as [(String, Int?)])
    func words(driver: TestDriver, expectation: (text: String, index: Int?)) throws {
        let expected = expectation.index.map { [Self.shelf[$0].title] } ?? []
        #expect(try found(driver, CatalogueQuery(words: expectation.text)) == expected)
    }

    @Test(
        "what means something to a database means nothing to a reader",
        arguments: TestDriver.allCases,
        [
            "AND", "OR", "NOT", "NEAR", "\"AND\"", "c++", "sql:", "(not", "title:", "NEAR(", "-sql", "^sql", "sql*",
            "\"", "'", "{searchKey}", "?", "'; DROP TABLE titles; --", "sql AND and", "\u{0}", "*", "%", "_", "{", "}",
        ])
    func operators(driver: TestDriver, text: String) throws {
        let titles = try found(driver, CatalogueQuery(words: text))
        #expect(titles.isEmpty || titles == [Self.shelf[3].title])
        #expect(try found(driver, CatalogueQuery(words: text, order: .relevance)) == titles)
    }

    @Test(
        "operators' names are words like others", arguments: TestDriver.allCases, ["and sql", "NEAR", "not or", "NOT"])
    func operatorWords(driver: TestDriver, text: String) throws {
        #expect(try found(driver, CatalogueQuery(words: text)) == [Self.shelf[3].title])
    }

    @Test(
        "beginnings of words are found if asked for",
        arguments: TestDriver.allCases,
        [("h", 0), ("hu ga", 0), ("edu", 1), ("97804390", 0), ("猫で", 2), ("unger", nil)] as [(String, Int?)])
    func prefixes(driver: TestDriver, expectation: (text: String, index: Int?)) throws {
        let expected = expectation.index.map { [Self.shelf[$0].title] } ?? []
        #expect(try found(driver, CatalogueQuery(words: expectation.text, prefix: true)) == expected)
    }

    @Test(
        "a field looks at nothing else",
        arguments: TestDriver.allCases,
        [
            (.title, "hunger", 1), (.title, "collins", 0), (.author, "collins", 1), (.author, "hunger", 0),
            (.publisher, "scholastic", 1), (.publisher, "hunger", 0), (.genre, "adult", 1), (.genre, "paris", 1),
            (.course, "eng 101", 1), (.course, "hunger", 0), (.college, "文学", 1), (.isbn, "0-439-02348-3", 1),
            (.isbn, "978-0439", 0), (.isbn, "hunger", 0), (.all, "hunger", 1),
        ] as [(CatalogueQuery.Field, String, Int)])
    func fields(driver: TestDriver, expectation: (field: CatalogueQuery.Field, text: String, count: Int)) throws {
        let query = CatalogueQuery(words: expectation.text, field: expectation.field)
        #expect(try found(driver, query).count == expectation.count)
    }

    @Test("an ISBN is found as it is being typed", arguments: TestDriver.allCases)
    func typedISBN(driver: TestDriver) throws {
        #expect(try found(driver, CatalogueQuery(words: "978-0439", field: .isbn, prefix: true)).count == 1)
    }

    @Test("blank finds all, and what has no word in it finds nothing", arguments: TestDriver.allCases)
    func blank(driver: TestDriver) throws {
        #expect(try found(driver, CatalogueQuery(words: " \t")).count == Self.shelf.count)
        #expect(try found(driver, CatalogueQuery(words: "!?")).isEmpty)
    }

    @Test("pages do not overlap, and orders are total", arguments: TestDriver.allCases, CatalogueQuery.Sorting.allCases)
    func pages(driver: TestDriver, order: CatalogueQuery.Sorting) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for number in 0..<10 {
                    try transaction.titles.insert(
                        Title(title: "Same", year: number.isMultiple(of: 3) ? nil : Int64(number % 2)))
                }
            }
            try store.read { (transaction) throws in
                var ids: [Int64] = []
                for offset in stride(from: 0, to: 12, by: 4) {
                    let query = CatalogueQuery(words: "same", order: order, limit: 4, offset: offset)
                    ids += try transaction.search.titles(query).map(\.id)
                }
                #expect(ids.count == 10)
                #expect(Set(ids).count == 10)
                #expect(try transaction.search.titles(CatalogueQuery(words: "same", limit: -1)).isEmpty)
            }
        }
    }

    @Test(
        "a title that is the words comes first, then those that begin with them, as words and as the beginning of one",
        arguments: TestDriver.allCases,
        [
            ("night", ["Night", "Night & Day", "Night: A Memoir", "Nightfall", "A Night to Remember", "Dark Night"]),
            (" NIGHT  a", ["A Night to Remember", "Night: A Memoir"]),
            ("dark night", ["Dark Night"]),
        ])
    func relevance(driver: TestDriver, expectation: (words: String, titles: [String])) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let titles = [
                    "A Night to Remember", "Dark Night", "Night & Day", "Nightfall", "Night", "Night: A Memoir", "Noon",
                ]
                for title in titles {
                    try transaction.titles.insert(Title(title: title, authors: ["Night Owl's Friend"]))
                }
                try transaction.titles.insert(Title(title: "Other", authors: ["A. Night"]))
            }
            try store.read { (transaction) throws in
                var query = CatalogueQuery(words: expectation.words, field: .title, prefix: true, order: .relevance)
                #expect(try transaction.search.titles(query).map(\.title) == expectation.titles)
                query.limit = 1
                query.offset = expectation.titles.count - 1
                #expect(try transaction.search.titles(query).map(\.title) == [expectation.titles[query.offset]])
                // Who looks for an author is shown their titles in order.
                query = CatalogueQuery(words: "owl", field: .author, order: .relevance)
                #expect(try transaction.search.titles(query).first?.title == "A Night to Remember")
                query = CatalogueQuery(words: "night", prefix: true)
                #expect(try transaction.search.count(query) == 8)
                #expect(try transaction.search.count(query, most: 3) == 3)
                #expect(try transaction.search.count(query, most: 9) == 8)
                #expect(try transaction.search.count(CatalogueQuery(), most: 2) == 2)
            }
        }
    }

    @Test("titles without a year come last by year", arguments: TestDriver.allCases)
    func years(driver: TestDriver) throws {
        let titles = try found(driver, CatalogueQuery(words: "", order: .year))
        #expect(titles.prefix(3) == [Self.shelf[0].title, Self.shelf[1].title, Self.shelf[4].title])
    }

    @Test("only what can be had is shown if asked for", arguments: TestDriver.allCases)
    func availability(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.titles.insert(Title(title: "Emma without copies"))
            let search = transaction.search
            #expect(try search.titles(CatalogueQuery(words: "emma")).count == 2)
            #expect(try search.titles(CatalogueQuery(words: "emma", available: true)).map(\.id) == [fixture.title])
            #expect(try search.count(CatalogueQuery(words: "", available: true, branch: "annex")) == 0)
            for copy in fixture.copies { try transaction.copies.setStatus(.onLoan, of: copy) }
            #expect(try search.count(CatalogueQuery(words: "emma", available: true)) == 0)
            #expect(try search.count(CatalogueQuery(words: "emma", branch: "main")) == 1)
        }
    }

    @Test("the index follows changes and removals", arguments: TestDriver.allCases)
    func maintenance(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let id = try transaction.titles.insert(Title(title: "Before"))
                try transaction.titles.update(Title(id: id, title: "After"))
                #expect(try transaction.search.count(CatalogueQuery(words: "before")) == 0)
                #expect(try transaction.search.count(CatalogueQuery(words: "after")) == 1)
                try transaction.titles.remove(id)
                #expect(try transaction.search.count(CatalogueQuery(words: "after")) == 0)
            }
        }
    }

    @Test("words are found by beginnings of any length, in whatever field", arguments: TestDriver.allCases)
    func beginnings(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for bounds in [SearchBounds.standard, SearchBounds(beginnings: 1)] {
                    let search = SearchRepository(transaction: transaction, bounds: bounds)
                    func found(_ words: String, _ field: CatalogueQuery.Field = .all) throws -> Int64 {
                        try search.count(CatalogueQuery(words: words, field: field, prefix: true), most: 10)
                    }
                    let ids = try [
                        Title(
                            isbn: ISBN("080442957X"), title: "Consciousness 12345abc",
                            courses: [Course(code: "PSYCH-101")]),
                        Title(title: "Conscious", authors: ["Ψυχή O'Consciousnesses"], publisher: "Fabulous"),
                    ].map { title throws in try transaction.titles.insert(title) }
                    for (words, count) in [
                        ("conscio", 2), ("consciousness", 2), ("consciousnessx", 0), ("o'consciousn", 1),
                        ("12345", 1), ("12345a", 1), ("97808044295", 1), ("080442957x", 1), ("psych101", 1),
                        ("psych10", 1), ("fabulo", 1), ("ψυχή", 1), ("consciousne fabul", 1),
                        ("consciousne nothing", 0),
                    ] {
                        #expect(try found(words) == Int64(count), "\(words)")
                    }
                    #expect(try found("consciousn", .title) == 1)
                    #expect(try found("consciousn", .author) == 1)
                    for id in ids { try transaction.titles.remove(id) }
                    #expect(try found("conscio") == 0)
                }
            }
        }
    }

    @Test("what many titles have is meant, even if each word of few others is nearer", arguments: TestDriver.allCases)
    func commonWords(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for number in 1...20 {
                    try transaction.titles.insert(Title(title: "Harry Potter \(number)"))
                }
                try transaction.titles.insert(Title(title: "Peter", authors: ["Ann Harris"]))
                try transaction.titles.insert(Title(title: "Poster", authors: ["Harri"]))
                for number in 1...20 {
                    try transaction.titles.insert(Title(title: "Pieter \(number)", authors: ["Joachim"]))
                }
                for (typed, meant) in [
                    ("harri poter", "harry potter"), ("harri poster", nil), ("haris peter", "harris peter"),
                    ("arry potter", "harry potter"),
                    ("joach pietr", "joach pieter"), ("pieter jaochim", "pieter joachim"),
                ] {
                    let found = try transaction.search.spelling(CatalogueQuery(words: typed, prefix: true))
                    #expect(found == meant, "\(typed)")
                }
            }
        }
    }

    @Test("the words that mistyped ones are mended to follow changes and removals", arguments: TestDriver.allCases)
    func mendedWords(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            func mended(_ words: String, _ field: CatalogueQuery.Field = .all) throws -> String? {
                try store.read { (transaction) throws in
                    try transaction.search.spelling(CatalogueQuery(words: words, field: field, prefix: true))
                }
            }
            let ids = try store.write { (transaction) throws in
                try [
                    Title(title: "Moby-Dick, or the Whale", authors: ["Herman Melville"], year: 1851),
                    Title(title: "The Whale Rider", authors: ["Witi Ihimaera"]),
                    Title(title: "吾輩は猫である", authors: ["夏目漱石"]),
                ].map { title throws in try transaction.titles.insert(title) }
            }
            for (typed, meant) in [
                ("hwale", "whale"), ("whal", nil), ("whale", nil), ("wale melvile", "whale melville"),
                ("moby dikc", "moby dick"),
                ("mobby dick", "moby dick"), ("whale rieder", "whale rider"), ("qqqqqq", nil), ("", nil), ("!!!", nil),
                ("猫猫", nil), ("9780141182803", nil), ("a b c d e f g h wale", nil), ("o'brein", nil),
                // Two words that titles have, though no title has both: the nearest that stand together.
                ("herman ridder", nil),
            ] {
                let found = try mended(typed)
                #expect(found == meant, "\(typed)")
            }
            #expect(try mended("melvile", .title) == nil)
            #expect(try mended("melvile", .author) == "melville")
            #expect(try mended("melvile", .isbn) == nil)
            try store.write { (transaction) throws in
                var title = try #require(try transaction.titles.get(ids[0]))
                title.title = "Typee"
                try transaction.titles.update(title)
            }
            #expect(try mended("mobby") == nil)
            #expect(try mended("tipee") == "typee")
            // Another title still has it.
            #expect(try mended("hwale") == "whale")
            try store.write { (transaction) throws in
                for id in ids { try transaction.titles.remove(id) }
            }
            #expect(try mended("hwale") == nil)
            #expect(try store.read { (transaction) throws in try transaction.integrity.findings() } == [])
            #expect(
                try store.read { (transaction) throws in
                    try transaction.number(Query(once: "SELECT COUNT(*) FROM search_words"))
                } == 0)
        }
    }
}
