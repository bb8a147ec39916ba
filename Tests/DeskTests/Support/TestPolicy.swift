import Circulation
import Desk
import Synchronization
import TextFormats

/// What a policy of the tests says: tables, points at which it fails, and a last word on each answer.
struct PolicySpec: Sendable {
    var name = "test"
    var tables = PolicyTables()
    var failing: Set<DecisionPoint> = []
    var answer: (@Sendable (Case, Decision) -> Decision)?
    /// Where it says that it reads the patron's open loans.
    var openLoanPoints = Set(DecisionPoint.allCases)
    /// What ``answer`` reads beside what the tables do.
    var needs: [DecisionPoint: CaseNeeds] = [:]
    /// The events that it tells from others.
    var namedEvents: Set<NotifyEvent> = []
    /// Whether ``answer`` looks at nothing but what the tables look at, as to the time of the day.
    var isReckonedByTables = false
}

/// A policy in Swift: the tables' standard answers, and what the spec makes of them.
final class TestPolicy: LendingPolicy {
    let version: String
    let spec: PolicySpec
    private let tables: CompiledTables

    init(version: String, spec: PolicySpec) throws {
        self.version = version
        self.spec = spec
        tables = try CompiledTables(spec.tables)
    }

    var name: String { spec.name }
    var noticesFrom: Period { tables.firstNoticeLead }
    var automaticRenewalLead: Period? { tables.automaticRenewalLead }
    var losesLoans: Bool { tables.losesLoans }
    var endsMemberships: Bool { !spec.tables.membership.isEmpty }
    func readsOpenLoans(at point: DecisionPoint) -> Bool { spec.openLoanPoints.contains(point) }
    func needs(at point: DecisionPoint) -> CaseNeeds {
        spec.tables.needs(at: point).merged(with: spec.needs[point] ?? .none)
    }
    func nextChange(of decision: Decision, for question: Case) -> Instant? {
        spec.isReckonedByTables && decision.answer != .failed
            ? tables.nextChange(of: decision, for: question) : question.now
    }

    func message(for code: String, language: String?) -> String? {
        spec.tables.message(for: code, language: language)
    }

    func names(_ event: NotifyEvent) -> Bool { spec.namedEvents.contains(event) }

    var stages: [String] { tables.stages }

    func notice(ofStage stage: String, for question: Case) throws -> PlannedNotice? {
        try tables.notice(ofStage: stage, for: question) { _ in true }
    }

    func decide(_ question: Case) -> Decision {
        guard !spec.failing.contains(question.point) else {
            return failed(question, PolicyFailure(code: "lua_error", message: "It broke.", file: "p.lua", line: 7))
        }
        do {
            let standard = try standard(question)
            return spec.answer?(question, standard) ?? standard
        } catch let failure as PolicyFailure {
            return failed(question, failure)
        } catch {
            return failed(question, PolicyFailure(code: "bad_answer", message: "\(error)"))
        }
    }

    private func failed(_ question: Case, _ failure: PolicyFailure) -> Decision {
        Decision(
            point: question.point, answer: .failed,
            refusal: Refusal(code: Refusal.Code.policyFailed, message: "The policy failed."), failure: failure)
    }

    private func standard(_ question: Case) throws -> Decision {
        let rule = try tables.matchedRule(for: question) { _ in true }
        var decision = Decision(point: question.point, answer: .allow, rule: rule)
        switch question.point {
        case .request:
            refuse(&decision, tables.patronChecks(for: question))
        case .checkout:
            let reasons = try tables.standardCheckout(for: question, rule: rule) { _ in true }
            refuse(&decision, reasons)
            decision.answer = tables.standardAnswer(to: reasons, rule: rule)
            decision.due = decision.answer == .allow ? try tables.dueTime(for: question, rule: rule) : nil
            try addRental(question, rule, &decision)
        case .due:
            decision.due = try tables.dueTime(for: question, rule: rule)
            try addRental(question, rule, &decision)
        case .renew:
            try renew(question, rule, &decision)
        case .overdue:
            decision.effects = try tables.noticesDue(for: question) { _ in true }.map { .notice($0) }
        case .fine:
            if let fine = try tables.fine(for: question, rule: rule) { decision.effects = [.fine(fine, origin: nil)] }
        case .checkin:
            if let end = try tables.suspensionEnd(for: question, rule: rule) {
                decision.effects = [.suspend(until: end, origin: nil)]
            }
        case .hold:
            let reasons = tables.standardHold(for: question, rule: rule)
            refuse(&decision, reasons)
            decision.answer = tables.standardAnswer(to: reasons, rule: rule)
        case .lost:
            if try question.loan?.lostAt != nil || rule.countsAsLost(question) {
                decision.effects = [.lose(fee: try rule.lostFee(for: question), origin: nil)]
            }
        case .price:
            decision.lines = try tables.standardPrice(for: question, rule: rule)
        case .publish:
            decision = .standardPublication(of: question)
        case .notify:
            decision.effects = question.event.map { [.notice($0.standardNotice)] } ?? []
        case .expiry:
            decision.membership = try tables.membershipEnd(for: question) { _ in true }
        default: break
        }
        return decision
    }

    private func renew(_ question: Case, _ rule: MatchedRule, _ decision: inout Decision) throws {
        let answer = try tables.renewal(for: question, rule: rule)
        refuse(&decision, tables.patronChecks(for: question) + answer.reasons)
        if case .renewed(let due) = answer, decision.answer == .allow { decision.due = due }
        try addRental(question, rule, &decision)
    }

    private func addRental(_ question: Case, _ rule: MatchedRule, _ decision: inout Decision) throws {
        guard let due = decision.due, let priced = rule.rentalQuestion(of: question, until: due) else { return }
        decision.effects += Decision.rental(try tables.standardPrice(for: priced, rule: rule))
    }

    private func refuse(_ decision: inout Decision, _ reasons: [Refusal.Reason]) {
        guard !reasons.isEmpty else { return }
        decision.answer = .deny
        decision.refusal = Refusal(reasons: reasons)
    }
}

/// Loads the policies of the tests: a bundle's source is the name under which its spec was registered.
final class TestLoader: PolicyLoader {
    private let specs = Mutex<[String: PolicySpec]>([:])

    func bundle(_ spec: PolicySpec, _ name: String) -> PolicyBundle {
        let files = [PolicyBundle.File(name: "policy.lua", source: name)]
        let bundle = PolicyBundle(sha256: digest(of: files), files: files)
        specs.withLock { $0[bundle.sha256] = spec }
        return bundle
    }

    func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        guard let spec = specs.withLock({ $0[bundle.sha256] }) else {
            throw PolicyFailure(code: "syntax", message: "That is not a policy.")
        }
        return try body(TestPolicy(version: bundle.sha256, spec: spec))
    }

    /// FNV-1a, written four times over: told apart is all that it must be.
    func digest(of files: [PolicyBundle.File]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for file in files {
            for byte in Array(file.name.utf8) + [0] + Array(file.source.utf8) + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        let hex = String(hash, radix: 16)
        return String(repeating: String(repeating: "0", count: 16 - hex.count) + hex, count: 4)
    }
}
