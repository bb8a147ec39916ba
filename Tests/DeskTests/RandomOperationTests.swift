import Circulation
import Desk
import TestSupport
import Testing

@Suite("Random operations", .everyStore)
struct RandomOperationTests {
    @Test("whatever is done in whatever order, the store stays sound", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let notices = [Library.notice("soon", before: .days(2)), Library.notice("late", after: .days(3), charge: 100)]
        let tables = Library.tables(limit: 3, fields: ["suspension": .period(.days(1))], notices: notices)
        let library = try Library(policy: PolicySpec(tables: tables))
        var done = 0
        for step in 0..<50 {
            if try perform(step, library, &random) { done += 1 }
            let report = try library.desk.examine()
            #expect(report.broken.isEmpty, "seed \(seed), step \(step)")
            guard report.isSound else { return }
        }
        // A test in which everything is refused would prove nothing.
        #expect(done > 10)
    }

    /// - Returns: whether it was done rather than refused.
    private func perform(_ step: Int, _ library: Library, _ random: inout SplitMix) throws -> Bool {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...6, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...12, using: &random))
        let choice = Int.random(in: 0..<16, using: &random)
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
            case 14: return try session.patrons.unblock(patron).value?.isEmpty == false
            default:
                try library.pass(days: days)
                return try session.notices.sweep().loans > 0
            }
        }
    }
}
