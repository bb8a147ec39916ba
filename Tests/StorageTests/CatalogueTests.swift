import Circulation
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Titles and copies")
struct CatalogueTests {
    static let titles: [Title] = [
        Title(title: ""),
        Title(
            isbn: try? ISBN("978-0-439-02348-1"), title: "The Hunger Games",
            authors: ["Suzanne Collins", "Ünal \"Q\""],
            publisher: "Scholastic", year: 2008, language: "eng", genres: ["Fiction", "Young Adult"],
            subjects: ["Survival"], courses: [Course(code: "ENG-101", name: "Reading"), Course(code: "X")],
            college: "Arts", edition: "1st", description: "Line\nbreak\u{0}NUL", coverURL: "https://example.org/c",
            previewURL: "https://example.org/p", stars: 5, recommended: true,
            extra: ["shelf": "A 12", "tags": ["x", 1, nil, 2.5], "nested": ["a": ["b": true]]]),
        Title(title: String(repeating: "長", count: 20_000), year: .min, stars: 0),
        Title(title: "Emoji 👩‍👩‍👧‍👦 e\u{301}", year: .max, extra: ["": ""]),
    ]

    @Test("texts longer than an index entry are kept, ordered and found", arguments: TestDriver.allCases)
    func longTexts(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            // Drawn by lot, so that no database makes it shorter.
            var random = SplitMix(seed: 7)
            let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
            let long = String((0..<6_000).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
            let title = Title(title: "Emma " + long, authors: [long], genres: [long])
            let id = try transaction.titles.insert(title)
            #expect(try transaction.titles.get(id)?.title == title.title)
            #expect(try transaction.titles.first(like: title)?.id == id)
            var longer = title
            longer.title += "x"
            #expect(try transaction.titles.first(like: longer) == nil)
            #expect(try transaction.search.titles(CatalogueQuery(words: "emma")).map(\.id).last == id)
            let patron = Patron(username: "long", name: long, surname: long, category: "patron", homeBranch: "main")
            let reader = try transaction.patrons.insert(patron)
            #expect(try transaction.patrons.search(long).map(\.id) == [reader])
            #expect(try transaction.integrity.findings() == [])
        }
    }

    @Test("a title comes back as it was, whatever is in it", arguments: TestDriver.allCases, titles)
    func titleRoundTrip(driver: TestDriver, title: Title) throws {
        try driver.withStore { (store) throws in
            let id = try store.write { try $0.titles.insert(title) }
            var expected = title
            expected.id = id
            try store.read { (transaction) throws in
                #expect(try transaction.titles.get(id) == expected)
                if let isbn = title.isbn { #expect(try transaction.titles.find(isbn) == expected) }
                #expect(try transaction.integrity.findings().isEmpty)
            }
        }
    }

    @Test("a title changed to another comes back as the other", arguments: TestDriver.allCases, titles)
    func titleUpdate(driver: TestDriver, title: Title) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let id = try transaction.titles.insert(Self.titles[1])
                var changed = title
                changed.id = id
                #expect(try transaction.titles.update(changed))
                #expect(try transaction.titles.get(id) == changed)
                #expect(try transaction.integrity.findings().isEmpty)
                changed.id = 4711
                #expect(try !transaction.titles.update(changed))
            }
        }
    }

    @Test("an ISBN belongs to one title; titles without one are as many as you like", arguments: TestDriver.allCases)
    func uniqueISBN(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let isbn = try ISBN("9780439023481")
            try store.write { (transaction) throws in
                try transaction.titles.insert(Title(isbn: isbn, title: "One"))
                try transaction.titles.insert(Title(title: "Two"))
                try transaction.titles.insert(Title(title: "Two"))
                let code = storeErrorCode {
                    try transaction.savepoint { _ = try transaction.titles.insert(Title(isbn: isbn, title: "Three")) }
                }
                #expect(code == .constraint)
                #expect(try transaction.titles.count() == 3)
                #expect(try transaction.search.count(CatalogueQuery(words: "three")) == 0)
            }
        }
    }

    @Test("ids given are kept, ids asked for are new, and no id of a title comes twice", arguments: TestDriver.allCases)
    func ids(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                let titles = transaction.titles
                #expect(try titles.insert(Title(id: 40, title: "Forty")) == 40)
                #expect(try titles.insert(Title(title: "Next")) == 41)
                #expect(try titles.remove(41))
                #expect(try !titles.remove(41))
                #expect(try titles.insert(Title(title: "After")) == 42)
                #expect(try titles.page(after: 40, limit: 10).map(\.title) == ["After"])
            }
        }
    }

    @Test("a copy comes back as it was", arguments: TestDriver.allCases, CopyStatus.allCases)
    func copyRoundTrip(driver: TestDriver, status: CopyStatus) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let price = Money(minorUnits: .max, currency: try Currency(named: "KWD"))
            for replacement in [price, nil] {
                var copy = Copy(
                    barcode: "ß\(replacement == nil)", title: fixture.title, branch: "annex", itemType: "reference",
                    status: status, replacementPrice: replacement)
                copy.id = try transaction.copies.insert(copy)
                #expect(try transaction.copies.get(copy.id) == copy)
                #expect(try transaction.copies.find(barcode: copy.barcode) == copy)
                copy.replacementPrice = Money(minorUnits: 1, currency: .eur)
                copy.branch = "main"
                #expect(try transaction.copies.update(copy))
                #expect(try transaction.copies.get(copy.id) == copy)
            }
        }
    }

    @Test(
        "a copy needs a barcode of its own and a title, branch and item type that exist", arguments: TestDriver.allCases
    )
    func copyConstraints(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let good = Copy(barcode: "new", title: fixture.title, branch: "main", itemType: "book")
            let changes: [(inout Copy) -> Void] = [
                { $0.barcode = "b1" }, { $0.title = 4711 }, { $0.branch = "nowhere" }, { $0.itemType = "none" },
            ]
            for change in changes {
                var bad = good
                change(&bad)
                let code = storeErrorCode { try transaction.savepoint { _ = try transaction.copies.insert(bad) } }
                #expect(code == .constraint)
            }
            try transaction.copies.insert(good)
            let code = storeErrorCode { try transaction.savepoint { _ = try transaction.titles.remove(fixture.title) } }
            #expect(code == .constraint)
        }
    }

    @Test("copies are counted by what they are now", arguments: TestDriver.allCases)
    func counts(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for (number, status) in CopyStatus.allCases.enumerated() {
                try transaction.copies.insert(
                    Copy(
                        barcode: "c\(number)", title: fixture.title, branch: "main", itemType: "book", status: status))
            }
            let counts = try transaction.copies.counts(title: fixture.title)
            #expect(counts == CopyCounts(copies: 6, available: 3, onLoan: 1, lost: 1))
            #expect(try transaction.copies.counts(title: 4711) == CopyCounts(copies: 0, available: 0, onLoan: 0))
        }
    }

    @Test(
        "the candidate is the first available copy here, else elsewhere, else the first at all",
        arguments: TestDriver.allCases)
    func candidates(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let copies = transaction.copies
            func candidate(_ branch: String) throws -> String? {
                try copies.candidate(title: fixture.title, branch: branch)?.barcode
            }
            try copies.insert(Copy(barcode: "a9", title: fixture.title, branch: "annex", itemType: "book"))
            try copies.insert(
                Copy(barcode: "a0", title: fixture.title, branch: "main", itemType: "book", status: .withdrawn))
            #expect(try candidate("main") == "b1")
            #expect(try candidate("annex") == "a9")
            #expect(try candidate("north") == "a9")
            for copy in try copies.of(title: fixture.title) where copy.status == .available {
                try copies.setStatus(.onLoan, of: copy.id)
            }
            #expect(try candidate("main") == "a9")
            for copy in try copies.of(title: fixture.title) { try copies.setStatus(.lost, of: copy.id) }
            #expect(try candidate("main") == "a0")
            #expect(try copies.candidate(title: 4711, branch: "main") == nil)
        }
    }

    @Test("titles are ordered by folded titles and authors", arguments: TestDriver.allCases)
    func order(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for (title, author) in [
                    ("Zebra", "émile"), ("äpfel", "Zola"), ("Apple", "austen"), ("ÉCLAIR", "Éluard"),
                ] {
                    try transaction.titles.insert(Title(title: title, authors: [author]))
                }
                let byTitle = try transaction.search.titles(CatalogueQuery(words: "", order: .title))
                #expect(byTitle.map(\.title) == ["äpfel", "Apple", "ÉCLAIR", "Zebra"])
                let byAuthor = try transaction.search.titles(CatalogueQuery(words: "", order: .author))
                #expect(byAuthor.map(\.title) == ["Apple", "ÉCLAIR", "Zebra", "äpfel"])
            }
        }
    }
}
