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
        var verdict = verdict(of: reasons, rule)
        let answer = try ask(.checkout, question, rule, standard: { LuaPolicy.answer(of: verdict) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        if let (answer, origin) = answer {
            verdict.add(answer, origin: origin, title: question.title?.id)
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
        var whole = verdict
        whole.add(standard.reasons)
        let answer = try ask(.renew, question, rule, standard: { LuaPolicy.answer(of: whole, due: due) }) {
            (try $1.permission($0, zone: question.zone), $1.origin)
        }
        switch answer {
        case (.allow(let despite, let answered, _), let origin)?:
            due = try renewedDue(question, rule, answered: answered)
            var notLater: [Refusal.Reason] = []
            if answered != nil, let found = due, let loan = question.loan, found.instant <= loan.dueAt {
                notLater = [.notLater(found, isCapped: false, origin: origin)]
                due = nil
            }
            // Without `despite` an allowance sets aside what the rule counts, but not what speaks against the patron.
            if !despite.isEmpty || due == nil && notLater.isEmpty { verdict = whole }
            verdict.add(.allow(despite: despite, due: nil, priority: nil), origin: origin, title: nil)
            verdict.add(notLater)
            if verdict.reasons.isEmpty && due == nil { verdict.add(standard.reasons) }
        case (let other, let origin)?:
            verdict = whole
            verdict.add(other, origin: origin, title: question.title?.id)
        case nil: verdict = whole
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
        return try tables.renewalDue(for: question, rule: rule)
    }

    // MARK: - Verdicts

    /// What the standard checks found; another copy of the title may be a mere question.
    func verdict(of reasons: [Refusal.Reason], _ rule: MatchedRule) -> Verdict {
        Verdict(reasons) { tables.standardAnswer(to: [$0], rule: rule) == .confirm }
    }

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

extension LuaValue {
    /// A due time as policies see it: a date, or an exact instant.
    init(_ due: DueTime) {
        self = due.isExact ? LuaValue(due.instant, .exact) : LuaValue(due.date)
    }
}

extension Optional<DueTime> {
    fileprivate var luaValue: LuaValue { map { LuaValue($0) } ?? .nil }
}
