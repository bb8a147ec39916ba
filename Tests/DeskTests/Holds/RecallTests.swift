import Circulation
import Desk
import Testing

@Suite("Recalls")
struct RecallTests {
    /// Asks for loans back in three days, unless `spare` says otherwise of the borrower.
    private func library(
        failing: Set<DecisionPoint> = [], spare: @escaping @Sendable (Case) -> Bool = { _ in false }
    ) throws -> Library {
        var spec = PolicySpec(tables: Library.tables(), failing: failing)
        spec.answer = { question, decision in
            guard question.point == .recall, !spare(question), let date = try? question.today.adding(days: 3) else {
                return decision
            }
            var recalled = decision
            recalled.due = DueTime(instant: question.zone.startOfDay(date), date: date, isExact: false)
            return recalled
        }
        return try Library(policy: spec)
    }

    private func loan(_ library: Library, _ patron: String) throws -> Loan {
        try #require(try library.desk.read { try $0.loans.active(of: .username(patron)) }.first)
    }

    @Test("a hold on a title that is all lent makes a loan due earlier, and its patron gets a message")
    func recalled() throws {
        let library = try library()
        let before = try #require(try library.lend("ada", Library.emma).get().first)
        _ = try library.place("bob").get()
        let after = try loan(library, "ada")
        #expect(after.recalledAt == library.clock.now())
        #expect(after.due?.date.description == "2026-03-05")
        #expect(after.originalDueAt == before.originalDueAt)
        let notice = try #require(try library.notices("ada", "recalled").first)
        #expect(notice.loan == after.id && notice.body.hasSuffix("it is now due on 2026-03-05."))
        #expect(try library.events(.loanRecalled).count == 1)
        let points = try library.desk.read { try $0.loans.explain(.id(after.id)) }.map(\.point)
        #expect(points == [.checkout, .recall])
        try library.expectSound()
    }

    @Test("the loan due next is asked for first, and each loan once")
    func inOrder() throws {
        let library = try library()
        _ = try library.lend("ada", Library.dune).get()
        try library.pass(days: 1)
        _ = try library.lend("bob", Library.dune).get()
        _ = try library.place("cyd", Library.dune).get()
        #expect(try loan(library, "ada").recalledAt != nil)
        #expect(try loan(library, "bob").recalledAt == nil)
        _ = try library.desk.write { try $0.patrons.add(Library.patron("dan")).get() }
        _ = try library.place("dan", Library.dune).get()
        #expect(try loan(library, "bob").recalledAt != nil)
    }

    @Test("a loan that the policy spares leaves the next one to be asked for")
    func spared() throws {
        let library = try library { $0.patron.id == 1 }
        _ = try library.lend("ada", Library.dune).get()
        _ = try library.lend("bob", Library.dune).get()
        _ = try library.place("cyd", Library.dune).get()
        #expect(try loan(library, "ada").recalledAt == nil)
        #expect(try loan(library, "bob").recalledAt != nil)
    }

    @Test("nothing is recalled while a copy is available, and no loan that is late already")
    func notRecalled() throws {
        let library = try library()
        _ = try library.lend("ada", Library.dune).get()
        _ = try library.place("cyd", Library.dune).get()
        #expect(try loan(library, "ada").recalledAt == nil)
        _ = try library.lend("bob", Library.emma).get()
        try library.pass(days: 20)
        _ = try library.place("cyd", Library.emma).get()
        #expect(try loan(library, "bob").recalledAt == nil)
    }

    @Test("a policy that fails about a recall leaves the hold placed and the failure on record")
    func failing() throws {
        let library = try library(failing: [.recall])
        _ = try library.lend("ada", Library.emma).get()
        #expect(try library.place("bob").value != nil)
        #expect(try loan(library, "ada").recalledAt == nil)
        #expect(try library.desk.examine().failures.map(\.point) == ["recall"])
    }

    @Test("a policy that fails about a notice leaves the desk's own words")
    func failingNotice() throws {
        let library = try library(failing: [.notify])
        _ = try library.lend("ada", Library.emma).get()
        _ = try library.place("bob").get()
        #expect(try library.notices("ada", "recalled").count == 1)
        #expect(try library.desk.examine().failures.map(\.point) == ["notify"])
    }

    @Test("a policy that fails about a hold refuses it")
    func failingHold() throws {
        let library = try library(failing: [.hold])
        #expect(try library.place("bob").refusal?.code == "policy_failed")
    }
}
