import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("Random operations", .everyStore)
struct RandomOperationTests {
    @Test("whatever is done in whatever order, the store stays sound", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let notices = [Library.notice("soon", before: .days(2)), Library.notice("late", after: .days(3), charge: 100)]
        let fields: [String: RuleValue] = [
            "suspension": .period(.days(1)), "lost_after": .period(.days(12)), "lost_refund_within": .period(.days(8)),
            "lost_fee": .money(Money(minorUnits: 700, currency: .eur)),
            "rental": .money(Money(minorUnits: 50, currency: .eur)), "rental_per": .period(.weeks(1)),
        ]
        let tables = Library.tables(limit: 3, fields: fields, notices: notices)
        let library = try Library(policy: PolicySpec(tables: tables))
        var done = 0
        for step in 0..<90 {
            if try perform(step, library, &random) { done += 1 }
            let report = try library.desk.examine()
            #expect(report.broken.isEmpty, "seed \(seed), step \(step)")
            guard report.isSound else { return }
        }
        // A test in which everything is refused would prove nothing.
        #expect(done > 10)
        try expectRunningSensibly(library)
    }

    /// What no check of the store can say: a loan that has ended, or is lost, is fined for its lateness until then and
    /// for no more, and what a loss costs is taken back once at most.
    private func expectRunningSensibly(_ library: Library) throws {
        var loans: [Loan] = []
        try library.desk.read { session in
            try session.loans.each(LoanQuery()) { loan in
                loans.append(loan)
                return true
            }
        }
        for loan in loans {
            let lines = try library.store.read { try $0.ledger.of(loan: loan.id) }
            let loss = lines.filter { $0.key.hasPrefix("lost:\(loan.id)") }.map(\.amount.minorUnits)
            #expect([0, 700].contains(loss.reduce(0, +)) || loss.contains { $0 < 0 }, "loan \(loan.id): \(loss)")
            #expect(loss.reduce(0, +) >= 0 && (loss.isEmpty || loan.lostAt != nil), "loan \(loan.id): \(loss)")
            guard let due = loan.due, let stop = stop(of: loan) else { continue }
            let fined = lines.filter { $0.key.hasPrefix("fine:\(loan.id):\(due.instant):") }
            let days = max(0, Int64(Zone.utc.date(of: stop).days(since: due.date)))
            #expect(fined.reduce(0) { $0 + $1.amount.minorUnits } == min(1000, 20 * days), "loan \(loan.id)")
        }
    }

    /// When time stopped for a loan; nil for one that runs, or is claimed to be returned.
    private func stop(of loan: Loan) -> Instant? {
        let lost = loan.lostAt.map { min($0, loan.claimedAt ?? $0) }
        guard let returned = loan.returnedAt else { return lost }
        return lost.map { min($0, returned) } ?? returned
    }

    /// - Returns: whether it was done rather than refused.
    private func perform(_ step: Int, _ library: Library, _ random: inout SplitMix) throws -> Bool {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...6, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...12, using: &random))
        let choice = Int.random(in: 0..<20, using: &random)
        let days = Int64.random(in: 0...9, using: &random)
        let cents = Money(minorUnits: Int64.random(in: 1...300, using: &random), currency: .eur)
        return try library.desk.write { session in
            switch choice {
            case 0...3:
                return try session.loans.checkout(
                    CheckoutRequest(patron: patron, wanted: .titles([title]))
                ).value != nil
            case 4, 5: return try session.loans.checkin(loan).value != nil
            case 6: return try session.loans.checkin(loan, at: session.now.adding(hours: -24 * days)).value != nil
            case 7: return try session.loans.renew(loan).value != nil
            case 8: return try session.catalogue.add(Title(title: "Step \(step)", genres: ["g\(days)"])).value != nil
            case 9: return try session.catalogue.addCopies(of: title, count: 2).value != nil
            case 10: return try session.catalogue.remove(title).value != nil
            case 11: return try session.patrons.add(Library.patron("step\(step)")).value != nil
            case 12: return try session.patrons.remove(patron).value != nil
            case 13:
                return switch days % 3 {
                case 0: try session.fees.waive(patron, amount: cents).value != nil
                case 1: try session.fees.refund(patron, amount: cents).value != nil
                default: try session.fees.pay(patron, amount: cents).value != nil
                }
            case 15: return try session.loans.markLost(loan).value != nil
            case 16: return try session.loans.markFound(loan).value != nil
            case 17:
                return try session.loans.claimReturned(loan, at: session.now.adding(hours: -24 * days)).value != nil
            case 18:
                let today = Zone.utc.date(of: session.now)
                let closure = try OpeningCalendar.Closure(today, through: today.adding(days: days))
                return try session.settings.close("main", closure, movingDue: true).value ?? 0 > 0
            case 14: return try session.patrons.unblock(patron).value?.isEmpty == false
            default:
                try library.pass(days: days)
                return try session.notices.sweep().loans > 0
            }
        }
    }
}
