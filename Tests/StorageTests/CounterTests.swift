import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Counters of circulation")
struct CounterTests {
    // MARK: - Against a count of everything

    @Test(
        "whatever is written in whatever order, the counters say what a count of all loans says",
        arguments: TestDriver.allCases, [1, 2] as [UInt64])
    func anyOrder(driver: TestDriver, seed: UInt64) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var past = try RandomPast(transaction, fixture, seed: seed)
            for step in 0..<(driver == .postgres ? 40 : 120) {
                try past.step()
                let found = try past.differences(step)
                #expect(found == [], "seed \(seed), step \(step): \(past.last)")
                guard found.isEmpty else { return }
            }
            try past.expectRich()
        }
    }

    @Test("what a savepoint takes back is not counted", arguments: TestDriver.allCases)
    func savepoints(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.loans.insert(try fixture.loan())
            #expect(throws: StoreError.self) {
                try transaction.savepoint { _ = try transaction.loans.insert(try fixture.loan()) }
            }
            let query = StatisticsQuery(group: .title, zone: .utc)
            #expect(try transaction.statistics.counts(query).map(\.count) == [1])
            #expect(try transaction.counters.findings(limit: 9) == [])
        }
    }

    @Test(
        "records from all centuries are counted by the days and years of any zone", arguments: TestDriver.allCases,
        ["Etc/UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"])
    func centuries(driver: TestDriver, zone: String) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.settings.setLibrary(
                LibrarySettings(name: "L", zone: try Zone(named: zone), currency: .eur))
            let instants = try [
                "0001-01-02T00:00:00Z", "1583-03-01T12:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
                "2011-12-30T09:00:00Z", "2026-03-29T00:59:59Z", "2026-12-31T23:00:00Z", "9999-12-30T23:59:59Z",
            ].map { try Instant(parsing: $0) }
            for at in instants {
                try transaction.loans.insert(
                    Loan(
                        title: fixture.title, branch: "main", lentAt: at, returnedAt: at, renewals: 2,
                        importKey: "\(at)"))
            }
            #expect(try transaction.counters.findings(limit: 99) == [])
            let kept = try Self.rows(transaction)
            try transaction.counters.recount()
            #expect(try Self.rows(transaction) == kept)
            // Days beyond those of any loan are found as well.
            try transaction.execute(
                Query(
                    once: """
                        INSERT INTO circulation_days
                        VALUES (-300000, 'x', '', '', 1, 0, 0, 0), (9999999, 'x', '', '', 0, 0, 2, 0)
                        """))
            let findings = try transaction.counters.findings(limit: 99)
            #expect(findings.map(\.message) == ["counts 1 loans too many", "counts 2 returns too many"])
            #expect(findings.last?.id == "9999999 x - -")
        }
    }

    @Test(
        "whole years of a span are counted by the year, what is left of it by its days",
        arguments: [
            (nil, nil, "... []"), ("2025-01-01", "2026-12-31", "2025...2026 []"),
            ("2024-12-31", "2026-01-01", "2025...2025 [2024-12-31 to 2024-12-31, 2026-01-01 to 2026-01-01]"),
            ("2024-02-01", nil, "2025... [2024-02-01 to 2024-12-31]"),
            (nil, "2024-02-01", "...2023 [2024-01-01 to 2024-02-01]"),
            ("2025-01-02", "2025-12-31", nil), ("2025-06-01", "2026-06-01", nil), ("2026-01-01", "2025-01-01", nil),
        ] as [(String?, String?, String?)])
    func wholeYears(from: String?, to: String?, expected: String?) throws {
        let years = WholeYears(
            from: try from.map { try CivilDate(parsing: $0) }, to: try to.map { try CivilDate(parsing: $0) })
        let shown = years.map { years in
            let edges = years.edges.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
            return "\(years.first.map { "\($0)" } ?? "")...\(years.last.map { "\($0)" } ?? "") [\(edges)]"
        }
        #expect(shown == expected)
    }

    // MARK: - Beside the counting

    @Test("the library's clock becomes another, and the past is counted by its days", arguments: TestDriver.allCases)
    func otherZone(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let at = try Instant(parsing: "2026-12-31T23:30:00Z")
            try transaction.loans.insert(try fixture.loan(lentAt: at))
            try transaction.events.insert(
                EventRecord(
                    at: at, actor: "a", kind: EventRepository.renewalKind, payload: "{}", requestID: "r", loan: 1))
            let berlin = try Zone(named: "Europe/Berlin")
            try transaction.settings.setLibrary(LibrarySettings(name: "L", zone: berlin, currency: .eur))
            for measure in [LoanMeasure.loans, .renewals] {
                let years = try transaction.statistics.counts(
                    StatisticsQuery(group: .year, measure: measure, zone: berlin))
                #expect(years == [LoanCount(key: "2027", count: 1)])
            }
            #expect(try transaction.counters.findings(limit: 9) == [])
        }
    }

    @Test("loans of a title that is removed count under none", arguments: TestDriver.allCases)
    func removedTitle(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let others = try (1...2).map { try transaction.titles.insert(Title(title: "\($0)")) }
            for title in others + [fixture.title] {
                try transaction.loans.insert(Loan(title: title, branch: "main", lentAt: Instant(seconds: 100)))
            }
            for title in others { #expect(try transaction.titles.remove(title)) }
            #expect(try !transaction.titles.remove(0))
            let counts = try transaction.statistics.counts(StatisticsQuery(group: .title, zone: .utc))
            #expect(counts.map(\.key) == ["", "\(fixture.title)"] && counts.map(\.count) == [2, 1])
            #expect(try transaction.counters.findings(limit: 9) == [])
        }
    }

    @Test("a page of a count goes on where the one before ended", arguments: TestDriver.allCases, LoanGroup.allCases)
    func pages(driver: TestDriver, group: LoanGroup) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var past = try RandomPast(transaction, fixture, seed: 7)
            for _ in 0..<30 { try past.step() }
            let statistics = transaction.statistics
            let query = StatisticsQuery(group: group, zone: past.zone)
            let all = try statistics.counts(query)
            var pages: [LoanCount] = []
            while true {
                let page = try statistics.counts(query, ListPart(limit: 2, offset: pages.count))
                #expect(page.count <= 2)
                if page.isEmpty { break }
                pages += page
            }
            #expect(pages == all && !all.isEmpty)
        }
    }

    @Test("a store of before the counters comes to the counts that one with them has", arguments: TestDriver.allCases)
    func migration(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var past = try RandomPast(transaction, fixture, seed: 11)
            for _ in 0..<40 { try past.step() }
            let kept = try Self.rows(transaction)
            #expect(kept.count > 20)
            for table in ["circulation_days", "title_lendings"] {
                try transaction.execute(Query(once: "DROP TABLE \(table)"))
            }
            try transaction.execute(Query(once: "DROP INDEX events_of_new_patrons"))
            let step = try #require(Schema.migrations.first { $0.script == Schema.counters })
            try step.run(on: try transaction.connection())
            #expect(try Self.rows(transaction) == kept)
            #expect(try past.differences(0) == [])
        }
    }

    /// All rows of the counters that count anything.
    static func rows(_ transaction: Transaction) throws -> [String] {
        let measures = CounterRepository.measures
        return try [("circulation_days", CounterRepository.dayKey), ("title_lendings", CounterRepository.titleKey)]
            .flatMap { table, key in
                let text = """
                    SELECT \((key + measures).map { "CAST(\($0) AS TEXT)" }.joined(separator: ", ")) FROM \(table)
                    WHERE \(measures.map { "\($0) <> 0" }.joined(separator: " OR ")) ORDER BY \(key.joined(separator: ", "))
                    """
                return try transaction.all(Query(once: text)) { row in
                    (key + measures).map { _ in row.text() }.joined(separator: " ")
                }
            }
    }
}
