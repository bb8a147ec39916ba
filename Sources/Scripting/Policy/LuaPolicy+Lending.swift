import Circulation
import LuaRuntime

extension LuaPolicy {
    func request(_ question: Case) throws -> Decision {
        var verdict = Verdict(tables.patronChecks(for: question))
        let answer = try ask(.request, question, nil, standard: { LuaPolicy.answer(of: verdict) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        if let (answer, origin) = answer { verdict.add(answer, origin: origin, title: nil) }
        return decision(question.point, verdict, rule: nil)
    }

    func checkout(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let reasons = try tables.standardCheckout(for: question, rule: rule) { try condition($0, question) }
        var verdict = Verdict(reasons)
        verdict.standardAsks = tables.standardAnswer(to: reasons, rule: rule) == .confirm
        let answer = try ask(.checkout, question, rule, standard: { LuaPolicy.answer(of: verdict) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        if let (answer, origin) = answer {
            verdict.add(answer, origin: origin, title: question.title?.id)
            if case .allow(let despite, _, _) = answer, !despite.isEmpty {
                verdict.standardAsks = tables.standardAnswer(to: verdict.reasons, rule: rule) == .confirm
            }
        }
        var decision = decision(question.point, verdict, rule: rule)
        let needsDue = decision.answer == .allow || decision.refusal?.mayBeOverridden == true
        if needsDue { decision.due = try dueTime(question, rule) }
        try addRental(to: &decision, question, rule)
        if decision.answer == .allow && decision.due == nil {
            let failure = PolicyFailure(code: "bad_answer", message: "allowed a loan for which there is no due time")
            throw failure
        }
        return decision
    }

    func due(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        var decision = Decision(point: .due, answer: .allow, rule: rule)
        decision.due = try question.loan == nil ? dueTime(question, rule) : renewedDue(question, rule, answered: nil)
        try addRental(to: &decision, question, rule)
        if decision.due == nil {
            let reasons = try tables.standardCheckout(for: question, rule: rule) { try condition($0, question) }
            decision.answer = .deny
            decision.refusal = Refusal(
                reasons: reasons.filter { $0.code == Refusal.Code.noRule }, policy: version)
        }
        return decision
    }

    func renew(_ question: Case) throws -> Decision {
        let rule = try rule(for: question)
        let standard = try tables.renewal(for: question, rule: rule)
        var verdict = Verdict(tables.patronChecks(for: question))
        var due: DueTime?
        if case .renewed(let renewed) = standard { due = renewed }
        let whole = Verdict(verdict.reasons + standard.reasons)
        let answer = try ask(.renew, question, rule, standard: { LuaPolicy.answer(of: whole, due: due) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        switch answer {
        case (.allow(_, let answered, _), _)?:
            due = try renewedDue(question, rule, answered: answered)
            if due == nil { verdict.reasons += standard.reasons }
        case (let other, let origin)?:
            verdict.reasons += standard.reasons
            verdict.add(other, origin: origin, title: question.title?.id)
        case nil: verdict.reasons += standard.reasons
        }
        var decision = decision(question.point, verdict, rule: rule)
        if decision.answer == .allow || decision.refusal?.mayBeOverridden == true { decision.due = due }
        try addRental(to: &decision, question, rule)
        return decision
    }

    // MARK: - Due times

    private func dueTime(_ question: Case, _ rule: MatchedRule) throws -> DueTime? {
        let standard = try tables.dueTime(for: question, rule: rule)
        let answer = try ask(.due, question, rule, standard: { [standard.luaValue] }) {
            try $1.due($0, zone: question.zone)
        }
        guard let answered = answer ?? nil else { return standard }
        return try dueTime(answered, question, rule)
    }

    private func dueTime(_ answered: AnsweredDue, _ question: Case, _ rule: MatchedRule) throws -> DueTime {
        switch answered {
        case .date(let date): try tables.dueTime(answered: date, for: question, rule: rule)
        case .exactly(let instant): try tables.dueTime(answeredExactly: instant, for: question)
        }
    }

    /// The due time of a renewal that is allowed whatever the rule's counts say: the one answered, or the rule's.
    private func renewedDue(_ question: Case, _ rule: MatchedRule, answered: AnsweredDue?) throws -> DueTime? {
        if let answered { return try dueTime(answered, question, rule) }
        var fresh = question
        fresh.loan?.renewals = 0
        fresh.loan?.unseenRenewals = 0
        fresh.title?.holdsWaiting = 0
        if case .renewed(let due) = try tables.renewal(for: fresh, rule: rule) { return due }
        return nil
    }

    // MARK: - Verdicts

    func decision(_ point: DecisionPoint, _ verdict: Verdict, rule: MatchedRule?) -> Decision {
        let answer = verdict.answer
        guard answer != .allow else { return Decision(point: point, answer: .allow, rule: rule) }
        let refusal = Refusal(
            reasons: verdict.reasons, mayBeOverridden: answer == .confirm || verdict.mayBeOverridden, policy: version)
        return Decision(point: point, answer: answer, refusal: refusal, rule: rule)
    }

    /// What `standard` gives inside a function: nothing, a refusal, or an allowance with its due time.
    static func answer(of verdict: Verdict, due: DueTime? = nil) -> [LuaValue] {
        guard let reason = verdict.reasons.first else {
            guard let due else { return [.nil] }
            return [.table(LuaTable(fields: ["answer": "allow", "due": .init(due)]))]
        }
        let answer = verdict.answer.rawValue
        return [
            .table(
                LuaTable(fields: [
                    "answer": .string(answer), "code": .string(reason.code), "message": .string(reason.message),
                ]))
        ]
    }
}

/// What speaks against a request, and what it comes to.
struct Verdict {
    var reasons: [Refusal.Reason]
    /// All that the standard checks have is a question.
    var standardAsks = false
    private var asks = false
    private var denies = false
    private var overridableReasons = 0

    init(_ reasons: [Refusal.Reason]) {
        self.reasons = reasons
    }

    mutating func add(_ answer: PermissionAnswer, origin: RuleOrigin, title: Int64?) {
        switch answer {
        case .standard: break
        case .allow(let despite, _, _): reasons.removeAll { despite.contains($0.code) }
        case .confirm(let code, let message):
            asks = true
            append(Refusal.Reason(code: code, message: message, title: title, origin: origin))
        case .deny(let code, let message, let mayBeOverridden):
            // A function may hand on what `standard` gave it; that is no second reason.
            if reasons.contains(where: { $0.code == code && $0.message == message }) { return }
            denies = true
            if mayBeOverridden { overridableReasons += 1 }
            reasons.append(Refusal.Reason(code: code, message: message, title: title, origin: origin))
        }
    }

    private mutating func append(_ reason: Refusal.Reason) {
        if !reasons.contains(where: { $0.code == reason.code && $0.message == reason.message }) {
            reasons.append(reason)
        }
    }

    var answer: Decision.Answer {
        if reasons.isEmpty { return .allow }
        if denies { return .deny }
        if asks { return standardAsks || reasons.count == 1 ? .confirm : .deny }
        return standardAsks ? .confirm : .deny
    }

    /// Every reason is one that staff may override.
    var mayBeOverridden: Bool { !reasons.isEmpty && overridableReasons == reasons.count }
}

extension LuaValue {
    /// A due time as policies see it: a date, or an exact instant.
    init(_ due: DueTime) {
        self = due.isExact ? LuaValue(due.instant, .exact) : LuaValue(due.date)
    }
}

extension Optional<DueTime> {
    fileprivate var luaValue: LuaValue { map { LuaValue($0) } ?? .nil }
}
