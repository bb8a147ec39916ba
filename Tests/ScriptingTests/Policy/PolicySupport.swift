import Circulation
import Desk
import Foundation
import LuaRuntime
import Scripting

/// Makes policies and cases for tests.
enum PolicySupport {
    static func parsed(_ source: String, name: String = "main.lua", modules: [String: String] = [:]) throws
        -> ParsedPolicy
    {
        try ParsedPolicy(name: name, source: source) { file throws(PolicyFailure) in modules[file] }
    }

    static func policy(_ source: String, limits: LuaLimits = .policy) throws -> LuaPolicy {
        try LuaPolicy(parsed(source), limits: limits)
    }

    /// The body stands inside `return policy { ... }`.
    static func policy(body: String, limits: LuaLimits = .policy) throws -> LuaPolicy {
        try policy("return policy {\n\(body)\n}", limits: limits)
    }

    /// The first complaint of a policy that cannot be loaded, as `line: message`.
    static func complaint(_ source: String) throws -> String? {
        do {
            _ = try policy(source)
            return nil
        } catch let problems as PolicyProblems {
            let failure = problems.failure
            return "\(failure.line ?? 0): \(failure.message)"
        } catch let failure as PolicyFailure {
            return "\(failure.line ?? 0): \(failure.message)"
        }
    }

    /// Thursday 15 January 2026, noon.
    static let now = Instant(seconds: 1_768_478_400)

    static func question(
        _ point: DecisionPoint = .checkout, category: String = "staff", itemType: String = "book", loans: Int = 0,
        fees: Int64 = 0
    ) -> Case {
        let open = (0..<loans).map { OpenLoanFacts(title: Int64(100 + $0), itemTypes: ["book"], branch: "main") }
        let patron = PatronFacts(
            id: 1, category: category, homeBranch: "main", feesOwed: Money(minorUnits: fees, currency: .eur),
            loans: open)
        var question = Case(
            point: point, now: now, zone: .utc, calendar: .alwaysOpen, branch: "main", currency: .eur,
            actor: .deskStaff, patron: patron)
        question.title = TitleFacts(id: 1, copies: 1, available: 1)
        question.copy = CopyFacts(branch: "main", itemTypes: [itemType], status: .available)
        question.request = RequestFacts(size: 1, titles: [1], index: point == .request ? 0 : 1)
        return question
    }

    /// A case about a loan that was due so many days ago.
    static func late(_ point: DecisionPoint, days: Int64) -> Case {
        var question = question(point)
        let due = Instant(seconds: now.seconds - days * 86_400)
        question.request = nil
        question.loan = LoanFacts(
            id: 9, lentAt: Instant(seconds: due.seconds - 14 * 86_400), dueAt: due, originalDueAt: due)
        return question
    }
}

extension LuaPolicyLoader {
    /// For a library without fields of its own.
    func withPolicy<Result>(_ bundle: PolicyBundle, _ body: (any LendingPolicy) throws -> Result) throws -> Result {
        try withPolicy(bundle, .none, body)
    }

    func withNewPolicy<Result>(_ bundle: PolicyBundle, _ body: (any LendingPolicy) throws -> Result) throws -> Result {
        try withNewPolicy(bundle, .none, body)
    }
}
