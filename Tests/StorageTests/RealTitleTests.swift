import Circulation
import TestSupport
import Testing
import TextFormats

@testable import Storage

/// The 15,000 titles of two published lists.
private struct RealTitles {
    let titles: [Title]

    init() throws {
        var titles: [Title] = []
        for (path, name, author) in [
            ("goodbooks-10k/books.csv", "title", "authors"), ("gutenberg/gutenberg_sample_a.csv", "title", "author"),
        ] {
            var reader = CSVReader(source: MemoryByteSource(try SharedData.bytes("data/catalogue/" + path)))
            let header = CSVHeader(try #require(try reader.next()))
            while let row = try reader.next() {
                guard let title = header.field(name, of: row), title.contains(where: { !$0.isWhitespace }) else {
                    continue
                }
                titles.append(Title(title: title, authors: header.field(author, of: row).map { [$0] } ?? []))
            }
        }
        self.titles = titles
    }

    /// The names that are one word, folded, each once.
    var singleWords: [String] {
        Set(titles.map(\.title).filter { TextFolding.tokens($0).count == 1 }.map(TextFolding.folded)).sorted()
    }

    func withStore(_ driver: TestDriver, _ body: (any Store) throws -> Void) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for title in titles { try transaction.titles.insert(title) }
            }
            try body(store)
        }
    }
}

@Suite(
    "A search among published titles", .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
struct RealTitleTests {
    @Test(
        "each title of a single word comes first for its own name, and is counted",
        arguments: TestDriver.allCases.filter { $0 != .file })
    func exact(driver: TestDriver) throws {
        let real = try RealTitles()
        let words = real.singleWords
        #expect(real.titles.count > 14_000 && words.count > 500)
        try real.withStore(driver) { (store) throws in
            var missed: [String] = []
            for word in words {
                // As the page asks.
                let query = CatalogueQuery(words: word, prefix: true, order: .relevance, limit: 20)
                let found = try store.read { (transaction) throws in try transaction.search.titles(query) }
                if found.first.map({ TextFolding.folded($0.title) }) != word { missed.append(word) }
            }
            #expect(missed.isEmpty)
        }
    }

    @Test(
        "misspelt words find what was meant",
        arguments: TestDriver.allCases.filter { $0 != .file })
    func misspelt(driver: TestDriver) throws {
        try RealTitles().withStore(driver) { (store) throws in
            for (typed, meant) in [
                ("harri poter", "harry potter"), ("Shakspere hamlet", "shakespeare hamlet"),
                ("pride and prejudise", nil),
                ("the hobit", "the hobbit"), ("dostoyevski", nil), ("tolkein", "tolkien"), ("rolwing", "rowling"),
                ("hungre games", "hunger games"), ("agatha cristie", "agatha christie"),
            ] {
                let mended = try store.read { (transaction) throws in
                    try transaction.search.spelling(CatalogueQuery(words: typed, prefix: true))
                }
                #expect(mended != nil, "\(typed)")
                if let meant { #expect(mended == meant) }
                let titles = try store.read { (transaction) throws in
                    try transaction.search.titles(CatalogueQuery(words: mended ?? "", order: .relevance, limit: 20))
                }
                #expect(!titles.isEmpty, "\(typed)")
            }
        }
    }
}
