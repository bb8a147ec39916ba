import Circulation
import Desk
import Storage
import Testing

@Suite("Fines and fees of copies that are found", .everyStore)
struct FoundFineTests {
    /// Twenty cents for each day after two weeks; a lost copy costs 25.00, which a return within a week takes back.
    private func library(_ fields: [String: RuleValue]) throws -> Library {
        var all: [String: RuleValue] = [
            "lost_after": .period(.days(30)), "lost_fee": .money(Money(minorUnits: 2500, currency: .eur)),
            "lost_refund_within": .period(.days(7)),
        ]
        all.merge(fields) { $1 }
        return try Library(policy: PolicySpec(tables: Library.tables(fields: all)))
    }

    private func markLost(_ library: Library, _ loan: Loan) throws -> Outcome<StoppedLoan> {
        try library.desk.write { try $0.loans.markLost(.id(loan.id)) }
    }

    private func markFound(_ library: Library, _ loan: Loan) throws -> Outcome<Checkin> {
        try library.desk.write { try $0.loans.markFound(.id(loan.id)) }
    }

    private func keys(_ library: Library) throws -> [String] {
        try library.desk.read { try $0.fees.ledger(of: .username("ada")) }.map(\.key)
    }

    @Test("only what is unpaid of the fee is taken back where the rule says so", arguments: [0, 1000, 2500] as [Int64])
    func unpaid(paid: Int64) throws {
        let library = try library(["lost_refund": .text("unpaid")])
        let lent = try library.lend("ada", 2).get()[0]
        _ = try markLost(library, lent).get()
        if paid > 0 {
            _ = try library.desk.write { session in
                try session.fees.pay(.username("ada"), amount: Money(minorUnits: paid, currency: .eur)).get()
            }
        }
        let found = try markFound(library, lent).get()
        #expect(found.posted.map(\.amount.minorUnits) == (paid == 2500 ? [] : [paid - 2500]))
        #expect(try library.owed("ada") == 0)
        try library.expectSound()
    }

    @Test(
        "a fine that is forgiven when the copy is lost comes back, or grows, when it is found, as the rule says",
        arguments: [("keep", 0), ("restore", 60), ("charge", 120)] as [(String, Int64)])
    func forgivenFine(found: String, owed: Int64) throws {
        let library = try library(["lost_fine": .text("forgive"), "lost_found_fine": .text(found)])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 17)
        #expect(try markLost(library, lent).get().posted.map(\.amount.minorUnits) == [60, -60, 2500])
        #expect(try library.owed("ada") == 2500)
        try library.pass(days: 3)
        _ = try markFound(library, lent).get()
        #expect(try library.owed("ada") == owed)
        let lines = try keys(library)
        #expect(try library.desk.write { try $0.loans.markFound(.id(lent.id)) }.value?.posted == [])
        #expect(try keys(library) == lines)
        try library.expectSound()
    }

    @Test("what was paid of a fine is neither forgiven nor restored")
    func paidFine() throws {
        let library = try library(["lost_fine": .text("forgive"), "lost_found_fine": .text("restore")])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 17)
        _ = try library.desk.sweep()
        _ = try library.desk.write { session in
            try session.fees.pay(.username("ada"), amount: Money(minorUnits: 40, currency: .eur)).get()
        }
        #expect(try markLost(library, lent).get().posted.map(\.amount.minorUnits) == [-20, 2500])
        #expect(try markFound(library, lent).get().posted.map(\.amount.minorUnits) == [-2500, 20])
        #expect(try library.owed("ada") == 20)
        try library.expectSound()
    }

    @Test("the sweep forgives the fine of what it declares lost, and too late a return restores nothing")
    func sweptForgiven() throws {
        let library = try library(["lost_fine": .text("forgive"), "lost_found_fine": .text("restore")])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 44)
        #expect(try library.desk.sweep().lost == 1)
        #expect(try library.owed("ada") == 2500)
        try library.pass(days: 8)
        #expect(try markFound(library, lent).get().posted.isEmpty)
        #expect(try library.owed("ada") == 2500)
        try library.expectSound()
    }

    @Test("a copy that was never lost owes its fine for what it was late, though that was forgiven")
    func neverLostForgiven() throws {
        let library = try library(["lost_fine": .text("forgive"), "lost_refund_within": .none])
        let lent = try library.lend("ada", 2).get()[0]
        try library.pass(days: 50)
        #expect(try library.desk.sweep().lost == 1)
        _ = try library.desk.write { session in
            try session.loans.checkin(.id(lent.id), at: lent.lentAt.adding(hours: 24 * 16)).get()
        }
        #expect(try library.owed("ada") == 40)
        try library.expectSound()
    }
}
