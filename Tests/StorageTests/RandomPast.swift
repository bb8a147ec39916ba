import Circulation
import TestSupport
import Testing

@testable import Storage

/// A past of a few titles that grows at random, and what is counted of it in two ways.
struct RandomPast {
    private let transaction: Transaction
    private let copies: [Int64]
    private var random: SplitMix
    private var titles: [Int64]
    private var loans: [Int64] = []
    private var number = 0
    private(set) var zone = Zone.utc
    /// What was done last.
    private(set) var last = ""

    private static let branches = ["main", "annex", nil]
    private static let zones = ["Europe/Berlin", "America/New_York", "Etc/UTC"]

    init(_ transaction: Transaction, _ fixture: Fixture, seed: UInt64) throws {
        self.transaction = transaction
        copies = fixture.copies
        random = SplitMix(seed: seed)
        titles = [fixture.title]
        try addTitle()
    }

    // MARK: - What happens

    mutating func step() throws {
        number += 1
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: try lend()
        case 4..<7: try importLoan()
        case 7..<9: try giveBack()
        case 9..<11: try renew()
        case 11: try importRenewal()
        case 12: try use()
        case 13: try (titles.count > 3 ? removeTitle() : addTitle())
        case 14: try correct()
        default: if number % 3 == 0 { try changeZone() } else { try lend() }
        }
    }

    /// Hours around the turns of years, in which zones differ, and of three years in all.
    private mutating func moment() throws -> Instant {
        let year = Int.random(in: 2024...2026, using: &random)
        let isAtTurn = Bool.random(using: &random)
        let hours =
            isAtTurn
            ? Int64.random(in: -30...30, using: &random) : 24 * Int64.random(in: 0...365, using: &random)
        return try Instant(parsing: "\(year)-01-01T00:30:00Z").adding(seconds: hours * 3_600)
    }

    private mutating func loan() throws -> Loan {
        var loan = Loan(lentAt: try moment())
        loan.title = Int.random(in: 0..<6, using: &random) == 0 ? nil : titles.randomElement(using: &random)
        loan.branch = Self.branches.randomElement(using: &random) ?? nil
        loan.category = ["patron", "staff", nil].randomElement(using: &random) ?? nil
        loan.itemType = ["book", "reference", nil].randomElement(using: &random) ?? nil
        return loan
    }

    private mutating func lend() throws {
        loans.append(try transaction.loans.insert(try loan()))
        last = "lent"
    }

    private mutating func importLoan() throws {
        var loan = try loan()
        loan.importKey = "k\(Int.random(in: 0...60, using: &random))"
        loan.renewals = Int64.random(in: 0...3, using: &random)
        if loan.renewals > 0, Bool.random(using: &random) { loan.renewedAt = try moment() }
        if Bool.random(using: &random) { loan.returnedAt = try moment() }
        if let id = try transaction.loans.insertIfNew(loan) { loans.append(id) }
        last = "imported \(loan)"
    }

    private mutating func giveBack() throws {
        guard let id = loans.randomElement(using: &random) else { return }
        try transaction.loans.setReturned(id, at: try moment())
        last = "given back \(id)"
    }

    private mutating func renew() throws {
        guard let id = loans.randomElement(using: &random), var loan = try transaction.loans.get(id) else { return }
        let at = try moment()
        loan.renewals += 1
        loan.renewedAt = at
        try transaction.loans.updateDue(loan)
        try event(EventRepository.renewalKind, of: id, at)
    }

    private mutating func importRenewal() throws {
        guard let id = loans.randomElement(using: &random), let loan = try transaction.loans.get(id),
            try transaction.events.renewals(of: id).count < loan.renewals
        else { return }
        try event(EventRepository.importedRenewalKind, of: id, try moment())
    }

    private mutating func event(_ kind: String, of loan: Int64, _ at: Instant) throws {
        try transaction.events.insert(
            EventRecord(at: at, actor: "a", kind: kind, payload: "{}", requestID: "r\(number)", loan: loan))
        last = "\(kind) \(loan)"
    }

    private mutating func use() throws {
        try transaction.inHouseUses.insert(
            InHouseUse(
                copy: copies[0], title: titles.randomElement(using: &random), itemType: "book",
                branch: Self.branches.randomElement(using: &random) ?? nil, usedAt: try moment()))
        last = "used in the house"
    }

    private mutating func addTitle() throws {
        let genres = [["Novel"], ["Novel", "Modern"], []].randomElement(using: &random) ?? []
        titles.append(try transaction.titles.insert(Title(title: "T\(number)", genres: genres)))
        last = "title added"
    }

    private mutating func removeTitle() throws {
        try transaction.titles.remove(titles.removeLast())
        last = "title removed"
    }

    /// A whole loan is replaced.
    private mutating func correct() throws {
        guard let id = loans.randomElement(using: &random) else { return }
        var loan = try loan()
        loan.id = id
        loan.renewals = Int64(try transaction.events.renewals(of: id).count)
        try transaction.loans.update(loan)
        last = "corrected \(id)"
    }

    private mutating func changeZone() throws {
        zone = try Zone(named: Self.zones.randomElement(using: &random) ?? "Etc/UTC")
        try transaction.settings.setLibrary(LibrarySettings(name: "L", zone: zone, currency: .eur))
        last = "zone \(zone)"
    }

    // MARK: - What is counted

    /// Where counters and a count of the loans differ, for a few questions of each step: over time for each one there is.
    mutating func differences(_ step: Int) throws -> [String] {
        var found = try transaction.counters.findings(limit: 9).map { "\($0)" }
        for _ in 0..<3 {
            let query = try question()
            let kept = try transaction.statistics.counts(query)
            let counted = try transaction.statistics.recounted(query)
            if kept != counted { found.append("\(query): \(kept) instead of \(counted)") }
            let total = try transaction.statistics.total(query)
            let sum = counted.reduce(0) { $0 + $1.count }
            if query.group != .genre, total != sum { found.append("\(query): \(total) in all instead of \(sum)") }
        }
        return found
    }

    private mutating func question() throws -> StatisticsQuery {
        var query = StatisticsQuery(
            group: LoanGroup.allCases.randomElement(using: &random) ?? .day,
            measure: LoanMeasure.allCases.randomElement(using: &random) ?? .loans, zone: zone)
        if Bool.random(using: &random) { query.from = try day() }
        if Bool.random(using: &random) { query.to = try day() }
        if Int.random(in: 0..<3, using: &random) == 0 { query.branch = "main" }
        return query
    }

    private mutating func day() throws -> CivilDate {
        let year = Int.random(in: 2023...2027, using: &random)
        let ends = [(1, 1), (12, 31), (6, 15), (1, 2)].randomElement(using: &random) ?? (1, 1)
        return try CivilDate(year: year, month: ends.0, day: ends.1)
    }

    /// A past in which nothing happens would prove nothing.
    func expectRich() throws {
        for measure in LoanMeasure.allCases {
            #expect(try transaction.statistics.total(StatisticsQuery(group: .day, measure: measure, zone: zone)) > 0)
        }
        #expect(loans.count > 10)
    }
}
