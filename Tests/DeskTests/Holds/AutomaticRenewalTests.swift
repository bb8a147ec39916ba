import Circulation
import Desk
import Testing

@Suite("Loans that renew by themselves")
struct AutomaticRenewalTests {
    private func library(_ fields: [String: RuleValue] = [:]) throws -> Library {
        var all: [String: RuleValue] = ["auto_renew": .boolean(true)]
        all.merge(fields) { $1 }
        return try Library(policy: PolicySpec(tables: Library.tables(fields: all)))
    }

    private func due(_ library: Library) throws -> String? {
        try library.desk.read { try $0.loans.active(of: .username("ada")) }.first?.due?.date.description
    }

    @Test("a loan renews on the day it is due, once, and its patron gets a message")
    func onTheDay() throws {
        let library = try library()
        _ = try library.lend("ada", Library.emma).get()
        try library.pass(days: 13)
        #expect(try library.desk.sweep().renewed == 0)
        try library.pass(days: 1)
        #expect(try library.desk.sweep().renewed == 1)
        #expect(try library.desk.sweep().renewed == 0)
        #expect(try due(library) == "2026-03-30")
        let notice = try #require(try library.notices("ada", "renewed").first)
        #expect(notice.body.hasSuffix("It is now due on 2026-03-30."))
        let loan = try #require(try library.desk.read { try $0.loans.active(of: .username("ada")) }.first)
        #expect(loan.renewals == 1 && loan.unseenRenewals == 1)
        try library.expectSound()
    }

    @Test("with a first day of renewal it renews on that day, and only once a day")
    func notBefore() throws {
        let library = try library(["renew_not_before": .period(.days(20)), "renew_from": .text("due")])
        _ = try library.lend("ada", Library.emma).get()
        #expect(try library.desk.write { try $0.notices.sweep() }.renewed == 1)
        #expect(try library.desk.sweep().renewed == 0)
        #expect(try due(library) == "2026-03-30")
    }

    @Test("it does not while others wait, nor beyond its count or its end")
    func refused() throws {
        let waited = try library()
        _ = try waited.lend("ada", Library.emma).get()
        _ = try waited.place("bob").get()
        let spent = try library(["unseen_renewals": .integer(0)])
        _ = try spent.lend("ada", Library.emma).get()
        let ended = try library(["auto_renew_until": .period(.days(10))])
        _ = try ended.lend("ada", Library.emma).get()
        for library in [waited, spent, ended] {
            try library.pass(days: 14)
            let report = try library.desk.sweep()
            #expect(report.renewed == 0 && report.failed == 0)
            #expect(try library.refusals().isEmpty)
        }
    }

    @Test("without such a row nothing renews, and what was late is charged before it does")
    func charges() throws {
        let plain = try Library()
        _ = try plain.lend("ada", Library.emma).get()
        try plain.pass(days: 14)
        #expect(try plain.desk.sweep().renewed == 0)
        let library = try library()
        _ = try library.lend("ada", Library.emma).get()
        try library.pass(days: 17)
        #expect(try library.desk.sweep().renewed == 1)
        #expect(try library.owed("ada") == 60)
        try library.expectSound()
    }

    @Test("a policy that fails about a renewal is counted, and the loan is skipped")
    func failing() throws {
        var spec = PolicySpec(tables: Library.tables(fields: ["auto_renew": .boolean(true)]))
        spec.failing = [.renew]
        let library = try Library(policy: spec)
        _ = try library.lend("ada", Library.emma).get()
        try library.pass(days: 14)
        let report = try library.desk.sweep()
        #expect(report.failed == 1 && report.renewed == 0)
        #expect(report.failures.map(\.point) == [.renew])
    }
}
