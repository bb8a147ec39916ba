package import Circulation
import Desk
package import LuaRuntime

/// A policy written in Lua, loaded and ready to answer.
///
/// Its tables are asked in Swift; Lua is entered only where the policy has a function for the point, or a row with
/// `when` that every other condition lets pass. After loading, nothing that Lua can reach changes any more.
///
/// ```swift
/// let policy = try LuaPolicy(ParsedPolicy(file: "policies/university.lua"))
/// let decision = policy.decide(question)
/// ```
/// One thread at a time.
package final class LuaPolicy: LendingPolicy {
    package let bundle: PolicyBundle
    /// The fields of the library's own that it may read.
    let fields: CustomFields
    /// What it was made of; nil where a store keeps it, since such a policy stays for long and is seldom read again.
    private let kept: ParsedPolicy?
    /// What one decision may use up.
    package var limits: LuaLimits {
        didSet { loaded.lua?.machine.state.limits = limits }
    }
    private(set) var loaded: LoadedPolicy
    let probes: PolicyProbes?
    /// Whether it was read as a version that a store keeps.
    let isStored: Bool
    private var frameIsOpen = false
    private var caseRecord: LuaRecordRef?

    /// - Parameters:
    ///   - currency: what `money` means. A case in another currency makes the policy load itself anew for it.
    ///   - limits: what loading, and each decision, may use up.
    ///   - probes: counts what runs, for the workbench; made of the same bundle.
    /// - Throws: ``PolicyProblems`` with all that is wrong.
    package convenience init(
        _ policy: ParsedPolicy, currency: Currency = .eur, limits: LuaLimits = .policy, probes: PolicyProbes? = nil
    ) throws(PolicyProblems) {
        try self.init(policy, kept: policy, currency: currency, limits: limits, probes: probes, isStored: false)
    }

    /// - Parameter isStored: whether it is a version that a store keeps. What it says once came into force; names of
    ///   fields that are refused today still mean in it what they meant then.
    /// - Parameter fields: those of the library's own.
    /// - Throws: ``PolicyProblems`` with all that is wrong.
    package convenience init(
        _ bundle: PolicyBundle, fields: CustomFields = .none, currency: Currency = .eur, limits: LuaLimits = .policy,
        isStored: Bool
    ) throws(PolicyProblems) {
        try self.init(
            ParsedPolicy(bundle, fields: fields), kept: nil, currency: currency, limits: limits, probes: nil,
            isStored: isStored)
    }

    private init(
        _ policy: ParsedPolicy, kept: ParsedPolicy?, currency: Currency, limits: LuaLimits, probes: PolicyProbes?,
        isStored: Bool
    ) throws(PolicyProblems) {
        bundle = policy.bundle
        fields = policy.fields
        self.kept = kept
        self.limits = limits
        self.probes = probes
        self.isStored = isStored
        loaded = try LoadedPolicy(
            policy, currency: currency, limits: limits, probes: probes, takesAnyField: isStored)
    }

    /// Its files as they were parsed.
    package var parsed: ParsedPolicy { kept ?? ParsedPolicy(bundle, fields: fields) }

    package var version: String { bundle.sha256 }
    package var name: String { loaded.name }
    package var tables: CompiledTables { loaded.tables }
    /// Whether any decision of it enters Lua.
    package var hasFunctions: Bool { loaded.lua != nil }

    package func message(for code: String, language: String?) -> String? {
        tables.source.message(for: code, language: language)
    }

    package var noticesFrom: Period { tables.firstNoticeLead }
    package var automaticRenewalLead: Period? { tables.automaticRenewalLead }
    package var losesLoans: Bool { tables.losesLoans }
    package func needs(at point: DecisionPoint) -> CaseNeeds { loaded.needs[point] ?? .none }
    package func readsOpenLoans(at point: DecisionPoint) -> Bool { loaded.openLoanPoints.contains(point) }

    package func nextChange(of decision: Decision, for question: Case) -> Instant? {
        guard decision.answer != .failed, !loaded.timedPoints.contains(decision.point) else { return question.now }
        return tables.nextChange(of: decision, for: question)
    }

    package func names(_ event: NotifyEvent) -> Bool { loaded.namedEvents.contains(event) }

    package var stages: [String] { tables.stages }

    package func notice(ofStage stage: String, for question: Case) throws -> PlannedNotice? {
        defer { endQuestion() }
        return try tables.notice(ofStage: stage, for: question) { try condition($0, question) }
    }

    package func decide(_ question: Case) -> Decision {
        defer { endQuestion() }
        do {
            if question.currency != loaded.currency {
                loaded = try LoadedPolicy(
                    parsed, currency: question.currency, limits: limits, probes: probes, takesAnyField: isStored)
            }
            return try answer(question)
        } catch {
            return failed(question.point, PolicyFailure(error, file: bundle.files.first?.name))
        }
    }

    private func answer(_ question: Case) throws -> Decision {
        switch question.point {
        case .request: try request(question)
        case .checkout: try checkout(question)
        case .due: try due(question)
        case .renew: try renew(question)
        case .overdue: try overdue(question)
        case .fine: try fine(question)
        case .checkin: try checkin(question)
        case .hold: try hold(question)
        case .recall: try recall(question)
        case .notify: try notify(question)
        case .lost: try lost(question)
        case .price: try price(question)
        case .publish: try publish(question)
        case .expiry: try expiry(question)
        }
    }

    private func failed(_ point: DecisionPoint, _ failure: PolicyFailure) -> Decision {
        let origin = failure.file.map { RuleOrigin(field: point.rawValue, file: $0, line: failure.line ?? 1) }
        let reason = Refusal.Reason(
            code: Refusal.Code.policyFailed,
            message: "The lending policy could not decide. Please tell the library's administrator.", origin: origin)
        return Decision(
            point: point, answer: .failed, refusal: Refusal(reasons: [reason], policy: version), failure: failure)
    }

    /// For each group of fields the row that set it and why earlier rows did not.
    ///
    /// - Throws: what a `when` function throws.
    package func explanation(of question: Case) throws -> [GroupExplanation] {
        defer { endQuestion() }
        return try tables.explanation(for: question) { try condition($0, question) }
    }

    /// For each row of `limits` whether it applies, and how many loans it counts.
    ///
    /// - Throws: what a `when` function throws.
    package func limitExplanations(of question: Case) throws -> [LimitExplanation] {
        defer { endQuestion() }
        return try tables.limitExplanations(for: question) { try condition($0, question) }
    }

    /// For each row of `notices` whether it speaks, and why not.
    ///
    /// - Throws: what a `when` function throws; ``PolicyFailure`` for a time that cannot be reckoned.
    package func noticeExplanations(of question: Case) throws -> [NoticeExplanation] {
        defer { endQuestion() }
        return try tables.noticeExplanations(for: question) { try condition($0, question) }
    }

    /// For each row of `membership` what it says, and why it is passed over.
    ///
    /// - Throws: what a `when` function throws.
    package func membershipExplanations(of question: Case) throws -> [MembershipExplanation] {
        defer { endQuestion() }
        return try tables.membershipExplanations(for: question) { try condition($0, question) }
    }

    // MARK: - Entering Lua

    /// The rule for a case, with the `when` functions of its rows.
    func rule(for question: Case) throws -> MatchedRule {
        try tables.matchedRule(for: question) { try condition($0, question) }
    }

    /// Evaluates a row's `when`.
    func condition(_ index: Int, _ question: Case) throws -> Bool {
        guard let lua = loaded.lua, index < lua.conditions.count else { return false }
        let function = lua.conditions[index]
        let record = try openFrame(for: question, lua)
        defer { noteEffort(of: lua.machine.state, file: function.definedAt?.chunk, line: function.definedAt?.line) }
        return try lua.machine.state.call(function, frame: lua.filler.frame, records: record) { answer in
            switch answer.kind() {
            case .boolean: return answer.boolean() ?? false
            case .nil: return false
            default:
                let place = function.definedAt
                throw PolicyFailure(
                    code: "bad_answer", message: "when must answer true or false", file: place?.chunk, line: place?.line
                )
            }
        }
    }

    /// Calls the function of a point; nil if the policy has none.
    func ask<Answer>(
        _ point: DecisionPoint, _ question: Case, _ rule: MatchedRule?, standard: () throws -> [LuaValue],
        read: (borrowing LuaResults, AnswerReader) throws -> Answer
    ) throws -> Answer? {
        guard let lua = loaded.lua, let decision = lua[point] else { return nil }
        let caseRecord = try openFrame(for: question, lua)
        let ruleRecord = try rule.map { try lua.filler.record(of: $0) }
        probes?.begin()
        defer {
            probes?.note(point, decision.origin)
            noteEffort(of: lua.machine.state, file: decision.origin.file, line: decision.origin.line)
        }
        let reader = AnswerReader(point: point, origin: decision.origin, keys: lua.machine.keys)
        return try withoutActuallyEscaping(standard) { standard in
            lua.machine.standard = standard
            defer { lua.machine.standard = { [] } }
            return try lua.machine.state.call(
                decision.function, frame: lua.filler.frame, records: caseRecord, ruleRecord
            ) { answer in try read(answer, reader) }
        }
    }

    private func noteEffort(of state: LuaState, file: String?, line: Int?) {
        guard let probes, limits.instructions != nil else { return }
        probes.spent(state.spentInstructions, file: file, line: line)
    }

    private func openFrame(for question: Case, _ lua: PolicyFunctions) throws -> LuaRecordRef {
        if let caseRecord { return caseRecord }
        lua.machine.context.zone = question.zone
        lua.machine.context.calendar = question.calendar
        lua.filler.frame.begin()
        frameIsOpen = true
        let record = try lua.filler.record(of: question)
        caseRecord = record
        return record
    }

    func endQuestion() {
        guard frameIsOpen else { return }
        loaded.lua?.filler.frame.end()
        frameIsOpen = false
        caseRecord = nil
    }
}
