package import Circulation
package import Desk
import Market
package import Storage

/// Makes the past of the sample library: patrons borrow and bring back, day by day, under the policy in force at the
/// time, with a clock that travels. Nothing is written into the tables by hand; every loan was decided.
package struct SampleHistory {
    /// What was made.
    package struct Summary: Hashable, Sendable {
        package var days = 0
        package var loans = 0
        package var refused = 0
        package var returns = 0
        package var notices: Int64 = 0
    }

    private let store: any Store
    private let policies: any PolicyLoader
    private let first: CivilDate
    private let last: CivilDate
    private let seed: UInt64

    /// - Parameters:
    ///   - first: the first day on which something is lent.
    ///   - last: the last one; loans that are not back by then stay open.
    ///   - seed: the same seed makes the same past.
    package init(
        store: any Store, policies: any PolicyLoader, from first: CivilDate, through last: CivilDate, seed: UInt64 = 1
    ) {
        self.store = store
        self.policies = policies
        self.first = first
        self.last = last
        self.seed = seed
    }

    /// Lends and takes back, two transactions a day, and sweeps once a week.
    package func make() throws -> Summary {
        let clock = ManualClock(Instant(seconds: 0))
        let desk = Desk(store: store, policies: policies, clock: clock, actor: .desk, extensions: [MarketExtension()])
        let library = try desk.read { session in
            SampleReaders(
                zone: try session.settings.library().zone,
                calendar: try session.settings.branches().first?.calendar ?? .alwaysOpen,
                patrons: try patrons(session), titles: try titles(session), seed: seed)
        }
        var life = library
        var summary = Summary()
        var day = first
        while day <= last {
            if life.calendar.isOpen(day) {
                for hour in [11, 15] {
                    clock.set(life.zone.instant(of: day, try CivilTime(hour: hour, minute: 0)))
                    try desk.write { try life.live(through: day, session: $0, into: &summary) }
                }
                if day.weekday == .monday { summary.notices += try desk.sweep().notices }
                summary.days += 1
            }
            day = try day.adding(days: 1)
        }
        return summary
    }

    private func patrons(_ session: DeskSession) throws -> [Int64] {
        var ids: [Int64] = []
        try session.patrons.each { patron in
            ids.append(patron.id)
            return true
        }
        return ids
    }

    private func titles(_ session: DeskSession) throws -> [Int64] {
        var ids: [Int64] = []
        try session.catalogue.each(CatalogueQuery()) { title in
            ids.append(title.id)
            return true
        }
        return ids
    }
}

/// The people of the sample and what they have at home.
private struct SampleReaders {
    let zone: Zone
    let calendar: OpeningCalendar
    private let patrons: [Int64]
    private let titles: [Int64]
    private var random: SeededGenerator
    /// Loans by the day on which they come back.
    private var returns: [CivilDate: [Int64]] = [:]

    init(zone: Zone, calendar: OpeningCalendar, patrons: [Int64], titles: [Int64], seed: UInt64) {
        self.zone = zone
        self.calendar = calendar
        self.patrons = patrons
        var random = SeededGenerator(seed: seed)
        self.titles = titles.shuffled(using: &random)
        self.random = random
    }

    /// Half a day at the desk.
    mutating func live(through day: CivilDate, session: DeskSession, into summary: inout SampleHistory.Summary) throws {
        for loan in takeReturns(of: day) {
            if case .done(let checkin) = try session.loans.checkin(.id(loan)) {
                summary.returns += 1
                if let patron = checkin.loan?.patron { try settle(patron, session) }
            }
        }
        guard !patrons.isEmpty, !titles.isEmpty else { return }
        for _ in 0..<Int.random(in: 0...visitors(on: day), using: &random) {
            try visit(on: day, session: session, into: &summary)
        }
    }

    /// Most pay what they owe when they bring a book back.
    private mutating func settle(_ patron: Int64, _ session: DeskSession) throws {
        let owed = try session.fees.owed(by: .id(patron))
        guard owed.minorUnits > 0, Int.random(in: 0..<10, using: &random) < 8 else { return }
        _ = try session.fees.pay(.id(patron), amount: owed)
    }

    private mutating func takeReturns(of day: CivilDate) -> [Int64] {
        let due = returns.keys.filter { $0 <= day }.sorted()
        let loans = due.flatMap { returns[$0] ?? [] }
        for date in due { returns[date] = nil }
        return loans
    }

    /// Terms are busier than the summer.
    private func visitors(on day: CivilDate) -> Int {
        switch day.month {
        case 7, 8: 2
        case 10, 11, 2, 3: 6
        default: 4
        }
    }

    private mutating func visit(
        on day: CivilDate, session: DeskSession, into summary: inout SampleHistory.Summary
    ) throws {
        let patron = patrons[Int.random(in: 0..<patrons.count, using: &random)]
        let wanted = Set((0..<Int.random(in: 1...2, using: &random)).map { _ in popularTitle() })
        let request = CheckoutRequest(patron: .id(patron), wanted: .titles(wanted.sorted().map { .id($0) }))
        switch try session.loans.checkout(request) {
        case .refused: summary.refused += 1
        case .done(let loans):
            summary.loans += loans.count
            for loan in loans {
                let due = loan.due?.date ?? day
                returns[try returnDay(lent: day, due: due), default: []].append(loan.id)
            }
        }
    }

    /// Few titles are lent often, many seldom: the square of an even distribution.
    private mutating func popularTitle() -> Int64 {
        let place = Double.random(in: 0..<1, using: &random)
        return titles[min(titles.count - 1, Int(place * place * Double(titles.count)))]
    }

    /// Most come back in time, some late, a few much later.
    private mutating func returnDay(lent: CivilDate, due: CivilDate) throws -> CivilDate {
        let length = max(1, Int(due.dayNumber) - Int(lent.dayNumber))
        let chance = Int.random(in: 0..<100, using: &random)
        let days =
            switch chance {
            case ..<80: Int.random(in: 1...length, using: &random)
            case ..<95: length + Int.random(in: 1...10, using: &random)
            default: length + Int.random(in: 11...60, using: &random)
            }
        return try lent.adding(days: Int64(days))
    }
}
