import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("What a search is narrowed by")
struct FacetTests {
    /// Titles of a few authors, genres, languages and years, drawn at random.
    private func fill(_ transaction: Transaction, _ random: inout SplitMix, count: Int) throws {
        try Fixture(transaction)
        func some(_ words: [String], _ most: Int) -> [String] {
            (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }
        }
        for number in 0..<count {
            let title = Title(
                title: some(["night", "nightfall", "day", "o'brien"], 3).joined(separator: " ")
                    + " \(number)",
                authors: some(["Ann Lee", "Mary Ann Lee", "J. R. R. Tolkien", "夏目漱石", "O'Brien"], 2),
                year: [nil, 1954, 1955, 1997, 2003, 199, -50].randomElement(using: &random) ?? nil,
                language: [nil, "en", "EN", "pt-BR", "?"].randomElement(using: &random) ?? nil,
                genres: some(["Fiction", "Science fiction", "Poetry"], 2),
                subjects: some(["Fiction", "Whales -- Fiction"], 1))
            let id = try transaction.titles.insert(title)
            for copy in 0..<Int.random(in: 0...2, using: &random) {
                var copy = Copy(
                    barcode: "\(number)-\(copy)", title: id,
                    branch: Bool.random(using: &random) ? "main" : "annex",
                    itemType: "book")
                copy.status = [.available, .onLoan, .lost].randomElement(using: &random) ?? .available
                try transaction.copies.insert(copy)
            }
            for _ in 0..<([0, 0, 1, 5].randomElement(using: &random) ?? 0) {
                try transaction.loans.insert(Loan(title: id, lentAt: Instant(seconds: 5)))
            }
        }
        while try transaction.search.placeLent(limit: 50) {}
    }

    /// The query narrowed by a value.
    private func narrowed(_ query: CatalogueQuery, by count: FacetCount) -> CatalogueQuery {
        var query = query
        switch count.kind {
        case .author: query.facets.author = count.value
        case .genre: query.facets.genre = count.value
        case .language: query.facets.language = count.value
        case .decade: query.facets.decade = Int64(count.value)
        case .year: query.facets.year = Int64(count.value)
        case .branch: query.branch = count.value
        case .available: query.available = true
        }
        return query
    }

    private static let queries = [
        CatalogueQuery(), CatalogueQuery(words: "night"), CatalogueQuery(words: "n", prefix: true),
        CatalogueQuery(words: "lee", field: .author), CatalogueQuery(words: "night", available: true),
        CatalogueQuery(branch: "annex"),
        CatalogueQuery(words: "night", facets: .init(genre: "Fiction", language: "en")),
        CatalogueQuery(facets: .init(decade: 1950)),
    ]

    @Test(
        "a value's count is how many titles the search finds that is narrowed by it",
        arguments: TestDriver.allCases)
    func counts(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                var random = SplitMix(seed: 7)
                try fill(transaction, &random, count: 60)
                let bounds = SearchBounds(few: 10, firstFew: 4, rare: 10, walk: 20, sample: 20)
                for search in [
                    transaction.search, SearchRepository(transaction: transaction, bounds: bounds),
                ] {
                    for query in Self.queries {
                        let counts = try search.facets(query, most: 10_000, values: 50)
                        #expect(!counts.isEmpty && counts.allSatisfy { !$0.isMore && $0.titles > 0 })
                        for (number, count) in counts.enumerated() {
                            let narrowed = narrowed(query, by: count)
                            let found = try search.count(narrowed, most: 1_000)
                            #expect(found == count.titles, "\(query) \(count)")
                            #expect(try search.count(narrowed) == found)
                            if number.isMultiple(of: 4) { try expectSame(search, narrowed, count: Int(found)) }
                        }
                    }
                }
            }
        }
    }

    /// Every order finds the same titles, page by page and whole.
    private func expectSame(_ search: SearchRepository, _ query: CatalogueQuery, count: Int) throws {
        var query = query
        query.limit = 1_000
        query.order = .id
        let all = try search.titles(query).map(\.id)
        #expect(all.count == count)
        for order in CatalogueQuery.Sorting.offered {
            query.order = order
            let found = try search.titles(query).map(\.id)
            #expect(found.sorted() == all, "\(order)")
            var pages: [Int64] = []
            for offset in stride(from: 0, to: count, by: 7) {
                var page = query
                (page.limit, page.offset) = (7, offset)
                pages += try search.titles(page).map(\.id)
            }
            #expect(pages == found, "\(order)")
        }
    }

    @Test("values combine, and what nothing has finds nothing", arguments: TestDriver.allCases)
    func combined(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                try Fixture(transaction)
                let search = transaction.search
                let hobbit = try transaction.titles.insert(
                    Title(
                        title: "The Hobbit", authors: ["J. R. R. Tolkien"], year: 1937, language: "en",
                        genres: ["Fantasy"]))
                let rings = try transaction.titles.insert(
                    Title(
                        title: "The Lord of the Rings", authors: ["J.R.R. Tolkien"], year: 1954, language: "en",
                        genres: ["High fantasy"]))
                func found(_ words: String = "", _ facets: CatalogueQuery.Facets) throws -> [Int64] {
                    try search.titles(
                        CatalogueQuery(words: words, prefix: true, facets: facets, order: .relevance, limit: 10)
                    ).map(\.id)
                }
                #expect(try found("the", .init(author: "j.r.r. tolkien")) == [hobbit, rings])
                #expect(try found("the", .init(author: "j.r.r. tolkien", decade: 1930)) == [hobbit])
                #expect(try found("rings", .init(decade: 1930)) == [])
                #expect(try found("", .init(genre: "FANTASY", language: "En")) == [hobbit, rings])
                #expect(try found("", .init(year: 1937)) == [hobbit])
                #expect(try found("", .init(year: 193)) == [])
                for facets in [
                    CatalogueQuery.Facets(author: "!!!"), .init(genre: ""), .init(language: "?"),
                    .init(decade: 1_931),
                    .init(decade: 7), .init(author: "tolkien j"), .init(genre: "\\"), .init(language: "e"),
                ] {
                    #expect(try found("", facets) == [], "\(facets)")
                    #expect(try search.count(CatalogueQuery(words: "the", facets: facets), most: 9) == 0)
                }
                // Words of which none can be found are no reason to show all of an author.
                #expect(try found("!!!", .init(author: "j.r.r. tolkien")) == [])
                // Nobody finds years and languages by typing.
                for words in ["1937", "en", "\u{E001}1937", "\u{E003}en", "193"] {
                    #expect(try search.count(CatalogueQuery(words: words, prefix: true)) == 0, "\(words)")
                }
                try transaction.titles.update(Title(id: hobbit, title: "The Hobbit", year: 1938))
                #expect(try found("", .init(year: 1937)) == [])
                #expect(try found("", .init(year: 1938)) == [hobbit])
                #expect(try transaction.integrity.findings() == [])
            }
        }
    }

    @Test(
        "of more titles than are counted, those lent most are, and it is said",
        arguments: TestDriver.allCases)
    func bounded(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                try Fixture(transaction)
                for number in 0..<30 {
                    let id = try transaction.titles.insert(
                        Title(
                            title: "Night \(number)", year: 1990 + Int64(number % 3), genres: ["G\(number % 2)"]))
                    for _ in 0..<(number < 20 ? 0 : 4) {
                        try transaction.loans.insert(Loan(title: id, lentAt: Instant(seconds: 5)))
                    }
                }
                while try transaction.search.placeLent(limit: 50) {}
                let search = transaction.search
                let query = CatalogueQuery(words: "night")
                let counts = try search.facets(query, most: 10, values: 1)
                #expect(counts.allSatisfy { $0.isMore })
                let told = counts.map { "\($0.kind.rawValue) \($0.value) \($0.titles)" }
                #expect(told == ["genre G0 5", "decade 1990 10", "year 1992 4"])
                let whole = try search.facets(query, most: 30, values: 1)
                #expect(whole.allSatisfy { !$0.isMore })
                // Other orders look at no more than they are told.
                let lent = try search.titles(CatalogueQuery(words: "night", order: .lent, limit: 10)).map(
                    \.title)
                #expect(lent == (20..<30).map { "Night \($0)" })
                let first = try search.titles(
                    CatalogueQuery(words: "night", order: .title, among: 10, limit: 50)
                ).map(\.title)
                #expect(first == (20..<30).map { "Night \($0)" })
                let added = try search.titles(
                    CatalogueQuery(words: "night", order: .added, among: 100, limit: 1)
                ).map(\.title)
                #expect(added == ["Night 29"])
                #expect(
                    try search.titles(CatalogueQuery(order: .lent, limit: 1)).map(\.title) == ["Night 20"])
            }
        }
    }
}
