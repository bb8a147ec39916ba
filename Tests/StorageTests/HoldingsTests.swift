import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("What the library holds, put together")
struct HoldingsTests {
    /// Titles, copies, loans, holds and debts at random, and what is to be said of them, worked out one by one.
    private struct Shelves {
        let transaction: Transaction
        var titles: [Title] = []
        var copies: [Int64: [Copy]] = [:]
        var loans: [Int64: [Instant]] = [:]
        var waitedFor: Set<Int64> = []
        let years: [Instant]

        init(_ transaction: Transaction, _ fixture: Fixture) throws {
            self.transaction = transaction
            var random = SplitMix(seed: 3)
            years = try (2022...2026).map { try Instant(parsing: "\($0)-03-01T10:00:00Z") }
            for number in 0..<40 {
                var title = Title(title: "T\(number)")
                title.year =
                    Int.random(in: 0..<5, using: &random) == 0 ? nil : Int64.random(in: 1990...1999, using: &random)
                title.recommended = Int.random(in: 0..<6, using: &random) == 0
                title.subjects = [["History"], ["History", "Ä \"law\""], []].randomElement(using: &random) ?? []
                title.genres = [["Novel"], ["Novel", "Modern"], []].randomElement(using: &random) ?? []
                title.college = ["North", nil].randomElement(using: &random) ?? nil
                title.id = try transaction.titles.insert(title)
                titles.append(title)
                for copy in 0..<Int.random(in: 0..<4, using: &random) {
                    try add(
                        Copy(
                            barcode: "\(number)-\(copy)", title: title.id, branch: "main", itemType: "book",
                            status: [.available, .available, .onLoan, .lost, .withdrawn].randomElement(using: &random)
                                ?? .available))
                }
                for _ in 0..<(Bool.random(using: &random) ? 0 : Int.random(in: 0..<4, using: &random)) {
                    let at = years.randomElement(using: &random) ?? .earliest
                    try transaction.loans.insert(Loan(title: title.id, lentAt: at))
                    loans[title.id, default: []].append(at)
                }
                guard Int.random(in: 0..<5, using: &random) == 0 else { continue }
                try transaction.holds.insert(
                    Hold(title: title.id, patron: fixture.patron, pickupBranch: "main", placedAt: .earliest))
                waitedFor.insert(title.id)
            }
        }

        private mutating func add(_ copy: Copy) throws {
            var copy = copy
            copy.id = try transaction.copies.insert(copy)
            copies[copy.title, default: []].append(copy)
        }

        /// Copies of a title that are neither lost nor withdrawn.
        func held(_ title: Title) -> [Copy] {
            (copies[title.id] ?? []).filter { $0.status != .lost && $0.status != .withdrawn }
        }

        func rarelyLent(_ query: RarelyLentQuery) -> [(title: Title, recent: Int64, ever: Int64)] {
            let rows = titles.map { title in
                let all = loans[title.id] ?? []
                let recent = all.count { query.since == nil || $0 >= query.since ?? .earliest }
                return (title: title, recent: Int64(recent), ever: Int64(all.count))
            }
            return rows.filter { row in
                let held = held(row.title)
                if held.isEmpty || row.recent > query.most { return false }
                if let year = query.publishedBefore, row.title.year.map({ $0 >= year }) ?? true { return false }
                if !query.isIdle { return true }
                return !held.contains { $0.status == .onLoan } && !row.title.recommended
                    && !waitedFor.contains(row.title.id)
            }.sorted { one, other in
                let (first, second) = (one.title.year ?? .max, other.title.year ?? .max)
                return (one.recent, one.ever, first, one.title.id) < (other.recent, other.ever, second, other.title.id)
            }
        }
    }

    @Test("titles that are hardly lent are found, counted and put into their order", arguments: TestDriver.allCases)
    func rarelyLent(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            // The fixture's own title is lent, and so in no list.
            for _ in 0..<9 { try transaction.loans.insert(Loan(title: fixture.title, lentAt: .latest)) }
            let shelves = try Shelves(transaction, fixture)
            for query in [
                RarelyLentQuery(), RarelyLentQuery(most: 2), RarelyLentQuery(since: shelves.years[3]),
                RarelyLentQuery(most: 1, since: shelves.years[2], publishedBefore: 1996),
                RarelyLentQuery(most: 1, since: shelves.years[2], isIdle: true),
                RarelyLentQuery(most: 1, publishedBefore: 1998, isIdle: true),
            ] {
                let expected = shelves.rarelyLent(query)
                let found = try transaction.statistics.rarelyLent(query, .all)
                #expect(found.map(\.title.id) == expected.map(\.title.id) && !found.isEmpty, "\(query)")
                #expect(found.map(\.recent) == expected.map(\.recent) && found.map(\.ever) == expected.map(\.ever))
                let totals = try transaction.statistics.rarelyLentTotals(query)
                let copies = expected.reduce(0) { $0 + shelves.held($1.title).count }
                #expect(totals == TitleTotals(titles: Int64(expected.count), copies: Int64(copies)))
                let part = try transaction.statistics.rarelyLent(query, ListPart(limit: 2, offset: 1))
                #expect(part == Array(found.dropFirst().prefix(2)))
            }
            let never = try transaction.statistics.neverLent(.all).map(\.id)
            #expect(Set(never) == Set(shelves.rarelyLent(RarelyLentQuery()).map(\.title.id)))
        }
    }

    @Test("what is held is counted by year, and by year of a genre", arguments: TestDriver.allCases)
    func collection(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.titles.update(Title(id: fixture.title, title: "Emma", year: 1815))
            let shelves = try Shelves(transaction, fixture)
            for genre in [nil, "Modern", "Nothing"] {
                var expected: [Int64: YearOfCollection] = [:]
                if genre == nil {
                    expected[1815] = YearOfCollection(year: 1815, titles: 1, copies: 2, onLoan: 0)
                }
                for title in shelves.titles where genre.map(title.genres.contains) ?? true {
                    let held = shelves.held(title)
                    if held.isEmpty { continue }
                    let place = title.year ?? .max
                    var year = expected[place] ?? YearOfCollection(year: title.year, titles: 0, copies: 0, onLoan: 0)
                    year.titles += 1
                    year.copies += Int64(held.count)
                    year.onLoan += Int64(held.count { $0.status == .onLoan })
                    expected[place] = year
                }
                let found = try transaction.statistics.collection(genre: genre)
                #expect(found == expected.sorted { $0.key < $1.key }.map(\.value))
                #expect(found.isEmpty == (genre == "Nothing"))
            }
        }
    }

    @Test(
        "subjects, genres and colleges have their titles, copies and loans, the busiest first",
        arguments: TestDriver.allCases, HoldingGroup.allCases)
    func holdings(driver: TestDriver, group: HoldingGroup) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let shelves = try Shelves(transaction, fixture)
            let (from, to) = (try CivilDate(parsing: "2023-01-01"), try CivilDate(parsing: "2025-06-01"))
            var expected: [String: Holding] = ["": Holding(key: "", titles: 1, copies: 2)]
            for title in shelves.titles {
                let words =
                    switch group {
                    case .subject: title.subjects
                    case .genre: title.genres
                    case .college: title.college.map { [$0] } ?? []
                    }
                let lent = (shelves.loans[title.id] ?? []).filter { from...to ~= Zone.utc.date(of: $0) }
                for word in words.isEmpty ? [""] : words {
                    var holding = expected[word] ?? Holding(key: word)
                    holding.titles += 1
                    holding.copies += Int64(shelves.held(title).count)
                    holding.loans += Int64(lent.count)
                    expected[word] = holding
                }
            }
            let statistics = transaction.statistics
            let found = try statistics.holdings(by: group, from: from, to: to, zone: .utc, .all)
            #expect(Set(found) == Set(expected.values) && found.count == expected.count && found.count > 1)
            let turnovers = found.map { $0.turnover ?? 0 }
            #expect(turnovers == turnovers.sorted(by: >))
            let most = found.map(\.copies).max() ?? 0
            let large = try statistics.holdings(by: group, from: from, to: to, zone: .utc, leastCopies: most, .all)
            #expect(large == found.filter { $0.copies >= most })
        }
    }

    @Test("debts are summed up by patron, the largest first", arguments: TestDriver.allCases)
    func debts(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.settings.insert(Circulation.Category(code: "staff", name: "Staff"))
            var patrons = ["ada": fixture.patron]
            for (name, category) in [("eve", "staff"), ("bob", "patron"), ("cyd", "patron"), ("dan", "patron")] {
                patrons[name] = try transaction.patrons.insert(
                    Patron(username: name, name: "", surname: "", category: category, homeBranch: "main"))
            }
            for (number, line) in [("ada", 300), ("ada", -100), ("bob", 200), ("cyd", -50), ("eve", 900), ("dan", 0)]
                .enumerated()
            {
                _ = try transaction.ledger.insert(
                    LedgerEntry(
                        key: "k\(number)", patron: patrons[line.0] ?? 0, kind: .adjustment,
                        amount: Money(minorUnits: Int64(line.1), currency: .eur), label: "", at: .earliest))
            }
            func names(_ least: Int64 = 1, _ category: String? = nil, _ part: ListPart = .all) throws -> [String] {
                try transaction.ledger.debts(least: least, category: category, part).map { debt in
                    "\(patrons.first { $0.value == debt.patron }?.key ?? "?") \(debt.owed)"
                }
            }
            #expect(try names() == ["eve 900", "ada 200", "bob 200"])
            #expect(try names(201) == ["eve 900"] && names(-5) == names())
            #expect(try names(1, "patron") == ["ada 200", "bob 200"])
            #expect(try names(1, nil, ListPart(limit: 1, offset: 1)) == ["ada 200"])
            let (all, some) = (try transaction.ledger.debtTotal(), try transaction.ledger.debtTotal(category: "patron"))
            #expect(all == (3, 1_300) && some == (2, 400))
            #expect(try transaction.ledger.debtTotal(category: "nobody") == (0, 0))
        }
    }
}
