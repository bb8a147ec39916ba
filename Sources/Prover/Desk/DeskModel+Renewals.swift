import Circulation

extension DeskModel {
    func renew() throws -> DecisionModel {
        let (standardDue, reasons) = try renewal()
        var verdict = VerdictModel(try patronChecks())
        var due = standardDue
        var whole = verdict
        whole.add(reasons)
        let known = whole
        let answer = try ask(.renew, standard: { [path] in try known.standard(on: path) { standardDue } })
            .map { try permission($0, at: .renew) }
        switch answer {
        case .allow(let despite, let answered, _)?:
            due = try renewedDue(answered)
            var notLater: [DecisionModel.Reason] = []
            if answered != nil, let found = due, try path.holds(found.instant <= model.dueAt()) {
                notLater = [.init("too_soon", when: .constant(true))]
                due = nil
            }
            if !despite.isEmpty || due == nil && notLater.isEmpty { verdict = whole }
            verdict.setAside(despite)
            verdict.add(notLater)
            if verdict.reasons.isEmpty && due == nil { verdict.add(reasons) }
        case let other?:
            verdict = whole
            try add(other, to: &verdict)
        case nil: verdict = whole
        }
        var decision = decision(verdict)
        if due != nil, try path.reckoning({ try path.holds(verdict.mayBecomeLoan) }) {
            decision.due = due
            decision.rental = try rental(until: due)
        }
        return decision
    }

    /// The rule's answer: the new due time where nothing speaks against it, and what does.
    private func renewal() throws -> (due: DecisionModel.Due?, reasons: [DecisionModel.Reason]) {
        var reasons = try automaticRenewal() + tooSoon() + renewalCounts()
        if let waiting = try model.number("title", "holds_waiting") {
            reasons.append(.init("holds_waiting", when: .constant(1) <= waiting))
        }
        guard let found = try ruledDue() else {
            return (nil, [.init("no_rule", when: .constant(true))] + reasons)
        }
        let isNotLater = try found.due.instant <= model.dueAt()
        reasons.append(.init("renewals", when: isNotLater && found.isCapped))
        reasons.append(.init("too_soon", when: isNotLater && found.isCapped.negated))
        let isAllowed = try path.reckoning { try path.holds(VerdictModel(reasons).isAllowed) }
        return (isAllowed ? found.due : nil, reasons)
    }

    private func isChannel(_ names: [String]) throws -> Condition {
        guard case .text(let channel) = try model.value("actor", "channel") else { return .constant(false) }
        let number = model.texts.number(of: channel)
        return .some(names.map { number.equals(.constant(model.texts.number(of: $0))) })
    }

    private func automaticRenewal() throws -> [DecisionModel.Reason] {
        let isByItself = try isChannel(["job"])
        let terms = try rule.terms(.renewal).renewal
        guard terms.isAutomatic else { return [.init("renewals", when: isByItself)] }
        let end: Number
        switch terms.automaticUntil {
        case .date(let date): end = .constant((Int64(date.dayNumber) + 1) * ProofDomain.microsecondsPerDay)
        case .period(let period):
            guard let lent = try model.number("loan", "lent_at"),
                case .instant(let moment, _) = try interpreter.moved(
                    .instant(lent, .plain), .constant(period.count), period.unit, rule.site(.renewal))
            else { return [] }
            end = moment
        case nil: return []
        }
        return [.init("renewals", when: try isByItself && end <= model.now())]
    }

    private func tooSoon() throws -> [DecisionModel.Reason] {
        guard let notBefore = try rule.terms(.renewal).renewal.notBefore else { return [] }
        let moved = try interpreter.moved(
            .instant(model.dueAt(), .plain), .constant(-notBefore.count), notBefore.unit, rule.site(.renewal))
        guard case .instant(let moment, _) = moved else { return [] }
        let day = ProofDomain.microsecondsPerDay
        let soonest = notBefore.isElapsed ? moment : moment.divided(by: day) * .constant(day)
        return [.init("too_soon", when: try model.now() < soonest)]
    }

    private func renewalCounts() throws -> [DecisionModel.Reason] {
        let terms = try rule.terms(.renewal).renewal
        var isUsedUp = Condition.constant(false)
        if let maximum = terms.maximum, let count = try model.number("loan", "renewals") {
            isUsedUp = .constant(maximum) <= count
        }
        if let maximum = terms.maximumUnseen, let count = try model.number("loan", "unseen_renewals") {
            isUsedUp = try isUsedUp || isChannel(["web", "job"]) && .constant(maximum) <= count
        }
        return [.init("renewals", when: isUsedUp)]
    }

    /// The due time of a renewal by the rule, whatever it counts; nil where no rule gives one.
    private func ruledDue() throws -> (due: DecisionModel.Due, isCapped: Condition)? {
        let terms = try rule.terms(.renewal).renewal
        let periodTerms = try rule.terms(.period).period
        let site = try rule.site(.period)
        let finder = DueModel(periodTerms, self, site)
        let period = terms.period ?? periodTerms.loan
        return try path.reckoning {
            if terms.start == .due, let period {
                let due = try model.dueAt()
                let moved = try interpreter.moved(.instant(due, .plain), .constant(period.count), period.unit, site)
                if case .instant(let reached, _) = moved, try path.holds(model.now() < reached) {
                    return try finder.due(of: period, from: due)
                }
            }
            return try finder.due(of: period, from: model.now())
        }
    }

    private func renewedDue(_ answered: Value?) throws -> DecisionModel.Due? {
        if let answered {
            return try DueModel(rule.terms(.period).period, self, rule.site(.period)).answered(answered, at: .renew)
        }
        guard let found = try ruledDue(),
            try path.reckoning({ try path.holds(model.dueAt() < found.due.instant) })
        else { return nil }
        return found.due
    }

    // MARK: - Holds

    func hold() throws -> DecisionModel {
        var verdict = VerdictModel(try standardHold())
        let known = verdict
        var priority: Value?
        if let answer = try ask(.hold, standard: { [path] in try known.standard(on: path) }) {
            let permission = try permission(answer, at: .hold)
            try add(permission, to: &verdict)
            if case .allow(_, _, let answered) = permission { priority = answered }
        }
        var decision = decision(verdict)
        if priority != nil, try path.reckoning({ try path.holds(verdict.mayBecomeLoan) }) {
            decision.priority = priority
        }
        return decision
    }

    private func standardHold() throws -> [DecisionModel.Reason] {
        var reasons = try patronChecks()
        let lending = try rule.terms(.lending).lending
        if !lending.lends { reasons.append(.init("not_lent", lending.reason.map { .text($0) }, when: .constant(true))) }
        if try model.part("copy") != nil, try hasNoPeriod { reasons.append(.init("no_rule", when: .constant(true))) }
        let terms = try rule.terms(.hold).hold
        if let maximum = terms.maximum, let holds = try model.number("patron", "holds") {
            reasons.append(.init("limit", when: .constant(maximum) <= holds))
        }
        if let maximum = terms.maximumOfItemType, let held = try heldOfItemType() {
            reasons.append(.init("limit", when: .constant(maximum) <= held))
        }
        if let maximum = terms.maximumPerDay {
            let placed = try model.number("hold", "placed_today") ?? .constant(0)
            reasons.append(.init("limit", when: .constant(maximum) <= placed))
        }
        return try reasons + sameTitleReason()
    }

    func recall() throws -> DecisionModel {
        var decision = DecisionModel()
        guard let answer = try ask(.recall, standard: { .null }), let value = answer.first, !value.isNull else {
            return decision
        }
        let due = try DueModel(rule.terms(.period).period, self, rule.site(.period)).answered(value, at: .recall)
        guard try path.holds(due.instant < model.dueAt()) else {
            throw Failure(
                code: "bad_answer", message: "A recall makes a loan due earlier.", site: site(of: .recall))
        }
        decision.due = due
        return decision
    }
}
