import Circulation
import Desk
import Testing

@Suite("Overrides", .everyStore)
struct OverrideTests {
    /// A policy that refuses checkouts by its own code, to be overridden or not.
    private func library(overridable: Bool, actor: Actor = .desk) throws -> Library {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .checkout else { return decision }
            var refusal = Refusal(code: "fees_owed", message: "Settle your fees first.")
            refusal.mayBeOverridden = overridable
            return Decision(point: .checkout, answer: .deny, refusal: refusal)
        }
        return try Library(policy: spec, actor: actor)
    }

    private let request = CheckoutRequest(
        patron: .username("ada"), wanted: .titles([.id(1)]), override: true, reason: "Ada Adasson pays tomorrow")

    @Test("staff go on in spite of a refusal that may be overridden, and the reason is an event that names nobody")
    func overridden() throws {
        let library = try library(overridable: true)
        let loan = try library.desk.write { try $0.loans.checkout(request) }.get()[0]
        #expect(loan.due?.date.description == "2026-03-16")
        let event = try #require(try library.events(.policyOverridden).first)
        guard case .policyOverridden(let override) = try event.body() else { throw DeskError.input(nil, event.kind) }
        #expect(override.codes == ["fees_owed"])
        #expect(override.loan == loan.id)
        #expect(override.reason.hasSuffix("pays tomorrow"))
        #expect(!event.payload.contains("Ada"))
        try library.expectSound()
    }

    @Test("a refusal that may not be overridden stands")
    func stands() throws {
        let library = try library(overridable: false)
        #expect(try library.desk.write { try $0.loans.checkout(request) }.refusal?.code == "fees_owed")
    }

    @Test("a policy's request may refuse a checkout of no titles, and an override of that makes no loans")
    func noTitles() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .request, question.request?.size == 0 else { return decision }
            var refusal = Refusal(code: "nothing", message: "Nothing was asked for.")
            refusal.mayBeOverridden = true
            return Decision(point: .request, answer: .deny, refusal: refusal)
        }
        let library = try Library(policy: spec)
        var request = CheckoutRequest(patron: .username("ada"), wanted: .titles([]))
        #expect(try library.desk.write { try $0.loans.checkout(request) }.refusal?.code == "nothing")
        request.override = true
        request.reason = "to see what happens"
        #expect(try library.desk.write { try $0.loans.checkout(request) }.value?.isEmpty == true)
        #expect(try library.events(.policyOverridden).isEmpty)
        try library.expectSound()
    }

    @Test(
        "self-service and jobs are refused",
        arguments: [
            Actor(name: "patron:1", role: .patron, channel: .self), Actor(name: "job:x", role: .job, channel: .job),
        ])
    func selfService(actor: Actor) throws {
        let library = try library(overridable: true, actor: actor)
        let refusal = try #require(try library.desk.write { try $0.loans.checkout(request) }.refusal)
        #expect(refusal.code == "fees_owed")
        #expect(refusal.mayBeOverridden)
    }

    @Test("without the override the refusal says that it may be overridden")
    func offered() throws {
        let library = try library(overridable: true)
        #expect(try library.lend("ada", 1).refusal?.mayBeOverridden == true)
    }

    @Test("a confirmation that the policy asks for is given by an override")
    func confirmed() throws {
        let tables = Library.tables(fields: ["same_title": .text("confirm")])
        let library = try Library(policy: PolicySpec(tables: tables))
        _ = try library.lend("ada", 1).get()
        #expect(try library.lend("ada", 1).refusal?.code == "same_title")
        #expect(try library.desk.write { try $0.loans.checkout(request) }.value?.count == 1)
    }
}
