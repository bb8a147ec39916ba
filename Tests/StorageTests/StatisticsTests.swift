import Circulation
import Storage
import Testing

@Suite("Statistics")
struct StatisticsTests {
    private func instant(_ text: String) throws -> Instant { try Instant(parsing: text) }

    private func insert(_ transaction: Transaction, _ fixture: Fixture, _ lentAt: String, returned: String? = nil)
        throws
    {
        var loan = try fixture.loan(lentAt: try instant(lentAt))
        loan.copy = nil
        loan.returnedAt = try returned.map { try instant($0) }
        try transaction.loans.insert(loan)
    }

    @Test(
        "days, weeks, months and years are those of the zone's own clocks",
        arguments: TestDriver.allCases,
        [
            (.day, "Etc/UTC", ["2026-03-28": 1, "2026-03-29": 3, "2026-12-31": 1]),
            (.day, "Europe/Berlin", ["2026-03-29": 3, "2026-03-30": 1, "2027-01-01": 1]),
            (.day, "America/New_York", ["2026-03-28": 2, "2026-03-29": 2, "2026-12-31": 1]),
            (.week, "Europe/Berlin", ["2026-W13": 3, "2026-W14": 1, "2026-W53": 1]),
            (.month, "Europe/Berlin", ["2026-03": 4, "2027-01": 1]),
            (.month, "Etc/UTC", ["2026-03": 4, "2026-12": 1]),
            (.year, "Europe/Berlin", ["2026": 4, "2027": 1]),
        ] as [(LoanGroup, String, [String: Int64])])
    func periods(
        driver: TestDriver, expectation: (group: LoanGroup, zone: String, counts: [String: Int64])
    ) throws {
        try driver.withFixture { (transaction, fixture) throws in
            // Clocks go forward at 01:00 UTC on 29 March in Berlin.
            for text in [
                "2026-03-28T23:00:00Z", "2026-03-29T00:59:59Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z",
                "2026-12-31T23:00:00Z",
            ] {
                try insert(transaction, fixture, text)
            }
            let query = StatisticsQuery(group: expectation.group, zone: try Zone(named: expectation.zone))
            let rows = try transaction.statistics.counts(query)
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.count) }) == expectation.counts)
            #expect(rows.map(\.key) == expectation.counts.keys.sorted())
            #expect(try transaction.statistics.total(query) == 5)
        }
    }

    @Test("a range holds its first and its last day whole, in the zone", arguments: TestDriver.allCases)
    func ranges(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for text in [
                "2026-03-27T22:59:59Z", "2026-03-27T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z",
            ] {
                try insert(transaction, fixture, text)
            }
            let query = StatisticsQuery(
                group: .day, from: try CivilDate(parsing: "2026-03-28"), to: try CivilDate(parsing: "2026-03-29"),
                zone: try Zone(named: "Europe/Berlin"))
            #expect(try transaction.statistics.counts(query).map(\.key) == ["2026-03-28", "2026-03-29"])
        }
    }

    @Test("returns count when they came back, renewals when they were made", arguments: TestDriver.allCases)
    func measures(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try insert(transaction, fixture, "2026-01-10T10:00:00Z", returned: "2026-02-01T10:00:00Z")
            let open = try transaction.loans.insert(try fixture.loan(lentAt: try instant("2026-01-11T10:00:00Z")))
            for (number, month) in ["02", "02", "03"].enumerated() {
                try transaction.events.insert(
                    EventRecord(
                        at: try instant("2026-\(month)-15T10:00:00Z"), actor: "a", kind: EventRepository.renewalKind,
                        payload: "{}", requestID: "r\(number)", loan: open))
            }
            var imported = Loan(lentAt: try instant("2026-04-01T00:00:00Z"), renewals: 4, importKey: "x")
            imported.branch = "annex"
            try transaction.loans.insert(imported)
            func counts(_ measure: LoanMeasure, _ group: LoanGroup) throws -> [String: Int64] {
                let rows = try transaction.statistics.counts(
                    StatisticsQuery(group: group, measure: measure, zone: .utc))
                return Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.count) })
            }
            #expect(try counts(.loans, .month) == ["2026-01": 2, "2026-04": 1])
            #expect(try counts(.returns, .month) == ["2026-02": 1])
            #expect(try counts(.renewals, .month) == ["2026-02": 2, "2026-03": 1, "2026-04": 4])
            #expect(try counts(.renewals, .branch) == ["annex": 4, "main": 3])
            #expect(try counts(.loans, .category) == ["patron": 2, "": 1])
            #expect(try counts(.loans, .itemType) == ["book": 2, "": 1])
            let branch = StatisticsQuery(group: .month, measure: .renewals, zone: .utc, branch: "main")
            #expect(try transaction.statistics.total(branch) == 3)
        }
    }

    @Test(
        "renewals of imported loans count when they were made, and those without a date once all the same",
        arguments: TestDriver.allCases)
    func importedRenewals(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            func renewal(_ kind: String, of loan: Int64, month: String) throws {
                try transaction.events.insert(
                    EventRecord(
                        at: try instant("2026-\(month)-15T10:00:00Z"), actor: "a", kind: kind, payload: "{}",
                        requestID: "\(loan):\(month)", loan: loan))
            }
            let april = try instant("2026-04-01T00:00:00Z")
            let dated = try transaction.loans.insert(Loan(lentAt: april, renewals: 2))
            try renewal(EventRepository.importedRenewalKind, of: dated, month: "05")
            try renewal(EventRepository.importedRenewalKind, of: dated, month: "06")
            // Three came with the file, one of them with its date, and one was made here.
            let partly = try transaction.loans.insert(
                Loan(lentAt: april, renewals: 4, renewedAt: try instant("2026-07-15T10:00:00Z"), importKey: "x"))
            try renewal(EventRepository.importedRenewalKind, of: partly, month: "05")
            try renewal(EventRepository.renewalKind, of: partly, month: "07")
            let query = StatisticsQuery(group: .month, measure: .renewals, zone: .utc)
            let rows = try transaction.statistics.counts(query)
            #expect(
                rows.map { "\($0.key) \($0.count)" } == ["2026-04 2", "2026-05 2", "2026-06 1", "2026-07 1"])
            #expect(try transaction.statistics.total(query) == 6)
            #expect(try transaction.events.renewals(of: dated).count == 2)
            #expect(try transaction.events.renewals(of: partly).count == 2)
        }
    }

    @Test("titles and genres are ranked by their loans, several genres each", arguments: TestDriver.allCases)
    func ranking(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let other = try transaction.titles.insert(Title(title: "Ulysses", genres: ["Novel", "Modern"]))
            try transaction.titles.update(Title(id: fixture.title, title: "Emma", genres: ["Novel"]))
            for title in [other, other, fixture.title] {
                try transaction.loans.insert(Loan(title: title, lentAt: Instant(seconds: 100)))
            }
            let statistics = transaction.statistics
            let titles = try statistics.counts(StatisticsQuery(group: .title, zone: .utc))
            #expect(
                titles == [
                    LoanCount(key: String(other), label: "Ulysses", count: 2),
                    LoanCount(key: String(fixture.title), label: "Emma", count: 1),
                ])
            #expect(try statistics.counts(StatisticsQuery(group: .title, zone: .utc), ListPart(limit: 1)).count == 1)
            let genres = try statistics.counts(StatisticsQuery(group: .genre, zone: .utc))
            #expect(genres == [LoanCount(key: "Novel", count: 3), LoanCount(key: "Modern", count: 2)])
            let trending = try statistics.trending(from: .earliest, to: .latest, limit: 5)
            #expect(trending.map(\.title) == [other, fixture.title])
            #expect(trending.map(\.loans) == [2, 1])
            #expect(try statistics.trending(from: .earliest, to: .latest, limit: 1).map(\.title) == [other])
            try transaction.loans.insert(Loan(title: fixture.title, lentAt: Instant(seconds: 100)))
            // Of two lent equally often the one that the alphabet puts first.
            #expect(try statistics.trending(from: .earliest, to: .latest, limit: 1).map(\.title) == [fixture.title])
            #expect(try statistics.trending(from: Instant(seconds: 101), to: .latest).isEmpty)
        }
    }

    @Test("turnover is loans by copies, and what was never lent is found", arguments: TestDriver.allCases)
    func turnover(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let idle = try transaction.titles.insert(Title(title: "Idle", genres: ["Novel"]))
            try transaction.copies.insert(Copy(barcode: "i", title: idle, branch: "annex", itemType: "reference"))
            try transaction.titles.insert(Title(title: "Without copies"))
            for lentAt: Int64 in [100, 200, 300] {
                let id = try transaction.loans.insert(try fixture.loan(lentAt: Instant(seconds: lentAt)))
                try transaction.loans.setReturned(id, at: Instant(seconds: lentAt + 1))
            }
            let statistics = transaction.statistics
            let titles = try statistics.turnover(by: .title, zone: .utc)
            #expect(
                titles == [
                    Turnover(key: String(fixture.title), label: "Emma", loans: 3, copies: 2),
                    Turnover(key: String(idle), label: "Idle", loans: 0, copies: 1),
                ])
            #expect(titles[0].ratio == 1.5)
            let branches = try statistics.turnover(by: .branch, zone: .utc)
            #expect(branches.map(\.key) == ["main", "annex"])
            #expect(branches.map(\.loans) == [3, 0])
            #expect(try statistics.turnover(by: .itemType, zone: .utc).map(\.key) == ["book", "reference"])
            #expect(try statistics.turnover(by: .genre, zone: .utc) == [Turnover(key: "Novel", loans: 0, copies: 1)])
            #expect(storeErrorCode { _ = try statistics.turnover(by: .day, zone: .utc) } == .fault)
            #expect(try statistics.neverLent().map(\.title) == ["Idle"])
            #expect(try statistics.neverLent(since: Instant(seconds: 301)).map(\.title) == ["Emma", "Idle"])
        }
    }

    @Test(
        "loans at both ends of time are counted, not tripped over", arguments: TestDriver.allCases,
        LoanGroup.allCases)
    func extremes(driver: TestDriver, group: LoanGroup) throws {
        try driver.withFixture { (transaction, _) throws in
            for lentAt in [Instant.earliest, .latest] { try transaction.loans.insert(Loan(lentAt: lentAt)) }
            let query = StatisticsQuery(group: group, from: .earliest, to: .latest, zone: .utc)
            #expect(try transaction.statistics.counts(query).reduce(0) { $0 + $1.count } == 2)
        }
    }
}
