import Circulation
import TestSupport
import Testing

@testable import Storage

/// A small catalogue of few words, and what a search of it must find, put in order by comparing everything with everything.
private struct SmallCatalogue {
    struct Entry {
        var title: Title
        var lendings = 0
        var copies: [Copy] = []
    }

    private static let words = ["night", "nightfall", "no", "art", "arts", "of", "o'brien", "猫で", "é9"]
    private(set) var entries: [Entry] = []

    init(_ transaction: Transaction, _ random: inout SplitMix, bounds: SearchBounds) throws {
        try Fixture(transaction)
        let fixture = try #require(try transaction.titles.get(1))
        entries = [Entry(title: fixture, copies: try transaction.copies.of(title: 1))]
        for number in 0..<40 { try add(number, transaction, &random) }
        while try transaction.search.placeLent(limit: 7) {}
        // What was written after it was placed.
        for number in entries.indices where number.isMultiple(of: 9) {
            entries[number].title.title += " night"
            try transaction.titles.update(entries[number].title)
        }
        for number in entries.indices.reversed() where number > 0 && number.isMultiple(of: 13) {
            for copy in entries[number].copies { try transaction.copies.remove(copy.id) }
            try transaction.titles.remove(entries[number].title.id)
            entries.remove(at: number)
        }
    }

    private mutating func add(_ number: Int, _ transaction: Transaction, _ random: inout SplitMix) throws {
        func some(_ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &random))
                .compactMap { _ in Self.words.randomElement(using: &random) }
                .joined(separator: [" ", ": ", "-"].randomElement(using: &random) ?? " ")
        }
        var entry = Entry(title: Title(title: some(3), authors: [some(2)], genres: [some(1)]))
        entry.title.id = try transaction.titles.insert(entry.title)
        for copy in 0..<Int.random(in: 0...2, using: &random) {
            var copy = Copy(
                barcode: "\(number)-\(copy)", title: entry.title.id,
                branch: Bool.random(using: &random) ? "main" : "annex",
                itemType: "book")
            copy.status = [.available, .available, .onLoan, .lost].randomElement(using: &random) ?? .available
            copy.id = try transaction.copies.insert(copy)
            entry.copies.append(copy)
        }
        entry.lendings = [0, 0, 0, 1, 2, 3, 4, 9].randomElement(using: &random) ?? 0
        for _ in 0..<entry.lendings {
            try transaction.loans.insert(Loan(title: entry.title.id, lentAt: Instant(seconds: 5)))
        }
        entries.append(entry)
    }

    /// The ids of all titles that a query finds, in order.
    func titles(_ query: CatalogueQuery, few: Int) -> [Int64] {
        let terms = SearchTerm.terms(of: query)
        let matches = entries.filter { isFound(terms, $0, query.field) }
        let found = matches.filter { hasCopy($0, query) }
        let key = TextFolding.folded(query.words)
        let beginnings =
            ![.all, .title].contains(query.field)
            ? []
            : entries
                .compactMap { entry -> (place: Int, key: String, entry: Entry)? in
                    let title = TextFolding.folded(entry.title.title)
                    return rank(title, key, query.prefix).map { ($0, title, entry) }
                }
                .sorted { ($0.place, $0.key, $0.entry.title.id) < ($1.place, $1.key, $1.entry.title.id) }
                .prefix(few).map(\.entry)
        let first = beginnings.map(\.title.id).filter { id in found.contains { $0.title.id == id } }
        let copies = entries.flatMap(\.copies).count { isWanted($0, query) }
        let isSmall = matches.count <= few || (query.available || query.branch != nil) && copies <= few
        func order(_ entry: Entry) -> (Int, Int, Int64) {
            let isNamed = isFound(terms, entry, .title) || query.field != .all
            return (
                isSmall && !isNamed ? 1 : 0, -String(entry.lendings, radix: 2).count * min(1, entry.lendings),
                entry.title.id
            )
        }
        return first + found.filter { !first.contains($0.title.id) }.sorted { order($0) < order($1) }.map(\.title.id)
    }

    private func isFound(_ terms: [SearchTerm], _ entry: Entry, _ field: CatalogueQuery.Field) -> Bool {
        let texts = [
            (CatalogueQuery.Field.title, [entry.title.title]), (.author, entry.title.authors),
            (.genre, entry.title.genres),
        ]
        return terms.allSatisfy { term in
            texts.contains { name, texts in
                let text = " " + texts.flatMap(TextFolding.tokens).joined(separator: " ") + (term.isPrefix ? "" : " ")
                return (field == .all || field == name)
                    && text.contains(" \(term.words.joined(separator: " "))\(term.isPrefix ? "" : " ")")
            }
        }
    }

    private func isWanted(_ copy: Copy, _ query: CatalogueQuery) -> Bool {
        (query.branch == nil || copy.branch == query.branch)
            && (query.available ? copy.status == .available : copy.status != .lost)
    }

    private func hasCopy(_ entry: Entry, _ query: CatalogueQuery) -> Bool {
        !query.available && query.branch == nil || entry.copies.contains { isWanted($0, query) }
    }

    /// 0 for a title that is the words, 1 for one that goes on with another word, 2 for one that goes on.
    private func rank(_ title: String, _ key: String, _ isPrefix: Bool) -> Int? {
        guard title.unicodeScalars.starts(with: key.unicodeScalars) else { return nil }
        guard let next = title.unicodeScalars.dropFirst(key.unicodeScalars.count).first else { return 0 }
        if next.isASCII && !next.properties.isAlphabetic && next.properties.numericType == nil { return 1 }
        return isPrefix ? 2 : nil
    }
}

@Suite("The order of a search")
struct SearchOrderTests {
    private static let queries: [CatalogueQuery] = {
        var queries: [CatalogueQuery] = []
        for words in ["night", "n", "art", "of night", "no", "o'brien", "猫", "night nightfall", "absent"] {
            for (field, prefix) in [(.all, true), (.title, false), (.author, true)] as [(CatalogueQuery.Field, Bool)] {
                for (available, branch) in [(false, nil), (true, nil), (true, "annex"), (false, "main")]
                    as [(Bool, String?)]
                {
                    queries.append(
                        CatalogueQuery(
                            words: words, field: field, prefix: prefix, available: available, branch: branch,
                            order: .relevance))
                }
            }
        }
        return queries
    }()

    @Test(
        "pages and counts are those of an order made by comparing everything", arguments: TestDriver.allCases,
        [
            SearchBounds(), SearchBounds(few: 3, firstFew: 1, rare: 4, walk: 4, sample: 5, beginnings: 1),
            SearchBounds(few: 8, firstFew: 2, rare: 1, walk: 16, sample: 40),
        ])
    func oracle(driver: TestDriver, bounds: SearchBounds) throws {
        try driver.withStore { (store) throws in
            var random = SplitMix(seed: UInt64(bounds.few))
            let catalogue = try store.write { transaction in
                try SmallCatalogue(transaction, &random, bounds: bounds)
            }
            try store.read { (transaction) throws in
                let findings = try transaction.integrity.findings().map(\.invariant)
                #expect(!findings.contains("search_complete") && !findings.contains("standing"))
                let search = SearchRepository(transaction: transaction, bounds: bounds)
                for query in Self.queries {
                    let expected = catalogue.titles(query, few: bounds.few)
                    var query = query
                    query.limit = .max
                    #expect(try search.titles(query).map(\.id) == expected, "\(query)")
                    let page = Int.random(in: 1...4, using: &random)
                    query.limit = page
                    for offset in [
                        0, Int.random(in: 1...6, using: &random), max(0, expected.count - 1), expected.count,
                    ] {
                        query.offset = offset
                        let part = Array(expected.dropFirst(offset).prefix(page))
                        #expect(try search.titles(query).map(\.id) == part, "\(query)")
                    }
                    for most in [1, Int64(expected.count), 100] where most > 0 {
                        #expect(
                            try search.count(query, most: most) == min(most, Int64(expected.count)), "\(query) \(most)")
                    }
                }
            }
        }
    }

    @Test("titles with copies as they are wanted come by title, be they few or many", arguments: TestDriver.allCases)
    func withoutWords(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            var random = SplitMix(seed: 11)
            let catalogue = try store.write { transaction in
                try SmallCatalogue(transaction, &random, bounds: .standard)
            }
            let available = catalogue.entries.filter { $0.copies.contains { $0.status == .available } }
            let expected = available.map { (TextFolding.folded($0.title.title), $0.title.id) }.sorted { $0 < $1 }.map(
                \.1)
            try store.read { (transaction) throws in
                for rare in [Int64(1), 1_000] {
                    var search = transaction.search
                    search.bounds.rare = rare
                    var query = CatalogueQuery(available: true, order: .relevance, limit: 100)
                    #expect(try search.titles(query).map(\.id) == expected)
                    (query.limit, query.offset) = (3, 2)
                    #expect(try search.titles(query).map(\.id) == Array(expected[2..<5]))
                    #expect(try search.count(query, most: 4) == 4)
                    #expect(try search.count(query, most: 100) == Int64(expected.count))
                    #expect(try search.count(query) == Int64(expected.count))
                }
            }
        }
    }

    @Test("standings double", arguments: [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4), (65_535, 16)])
    func standings(lendings: Int64, standing: Int64) {
        #expect(Standing.of(lendings: lendings) == standing)
        let place = Standing.place(title: 4_711, standing: standing)
        #expect(Standing.title(at: place) == 4_711)
        #expect(standing == 0 || place < Standing.place(title: 1, standing: standing - 1))
    }

    @Test(
        "titles move up by steps, or all at once, and a key too large for a place stays", arguments: TestDriver.allCases
    )
    func placing(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let search = transaction.search
            let far = try transaction.titles.insert(Title(id: Standing.width + 5, title: "Emma far away"))
            for title in [fixture.title, far, far] {
                try transaction.loans.insert(Loan(title: title, lentAt: Instant(seconds: 5)))
            }
            #expect(try search.placeLent(limit: 1))
            #expect(try search.placed().reached == 1)
            #expect(try search.place(of: fixture.title) == Standing.place(title: fixture.title, standing: 1))
            while try search.placeLent(limit: 1) {}
            #expect(try search.placed().reached == search.placed().last)
            #expect(try search.place(of: far) == far)
            #expect(try search.titles(CatalogueQuery(words: "emma", order: .title)).map(\.id) == [fixture.title, far])
            for _ in 0..<3 {
                try transaction.loans.insert(Loan(title: fixture.title, lentAt: Instant(seconds: 5)))
            }
            var last: Int64? = .min
            while let id = last { last = try search.placeAll(after: id, limit: 1) }
            #expect(try search.place(of: fixture.title) == Standing.place(title: fixture.title, standing: 3))
            #expect(try transaction.integrity.findings() == [])
        }
    }
}
