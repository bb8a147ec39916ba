import Circulation

extension DeskModel {
    func request() throws -> DecisionModel {
        var verdict = VerdictModel(try patronChecks())
        let known = verdict
        if let answer = try ask(.request, isRuled: false, standard: { [path] in try known.standard(on: path) }) {
            try add(permission(answer, at: .request), to: &verdict)
        }
        return decision(verdict)
    }

    /// What speaks against the patron, whatever is asked for.
    func patronChecks() throws -> [DecisionModel.Reason] {
        guard let action = model.point.blockableAction else { return [] }
        let today = try model.today()
        var reasons: [DecisionModel.Reason] = []
        let isLending = BlockFacts.Action.lending.contains(action)
        if isLending {
            let (isThere, end) = try model.optional("patron", "expires_on")
            reasons.append(.init("expired", when: isThere && end < today))
        }
        reasons.append(.init(DecisionModel.Reason.ofBlocks, when: try model.isStopped(action, isSuspension: false)))
        var suspended = try model.isStopped(action, isSuspension: true)
        if isLending {
            let (isThere, end) = try model.optional("patron", "suspended_until")
            suspended = suspended || isThere && today <= end
        }
        reasons.append(.init("suspended", when: suspended))
        return reasons
    }

    func checkout() throws -> DecisionModel {
        var verdict = VerdictModel(try standardCheckout())
        let known = verdict
        if let answer = try ask(.checkout, standard: { [path] in try known.standard(on: path) }) {
            try add(permission(answer, at: .checkout), to: &verdict)
        }
        var decision = decision(verdict)
        guard reckonsLoans, try path.holds(verdict.mayBecomeLoan) else { return decision }
        let fails = try path.holds(path.condition("the due time cannot be reckoned"))
        if fails {
            decision = failed(Failure(code: "bad_answer", message: "no due time", site: site(of: .checkout)))
        }
        decision.pending = PendingDue(fails: fails) { [self] in try loan(verdict) }
        return decision
    }

    /// The due time and the price of a loan that is allowed, or that staff may allow.
    private func loan(_ verdict: VerdictModel) throws -> (due: DecisionModel.Due?, rental: [DecisionModel.Line]) {
        let due = try dueTime()
        if due == nil, try path.holds(verdict.isAllowed) {
            throw Failure(
                code: "bad_answer", message: "allowed a loan for which there is no due time", site: site(of: .checkout))
        }
        return (due, try rental(until: due))
    }

    func add(_ permission: Permission, to verdict: inout VerdictModel) throws {
        switch permission {
        case .standard: break
        case .allow(let despite, _, _): verdict.setAside(despite)
        case .reason(let reason): verdict.add(reason)
        }
    }

    func standardCheckout() throws -> [DecisionModel.Reason] {
        var reasons: [DecisionModel.Reason] = []
        let lending = try rule.terms(.lending).lending
        if !lending.lends { reasons.append(.init("not_lent", lending.reason.map { .text($0) }, when: .constant(true))) }
        if try hasNoPeriod { reasons.append(.init("no_rule", when: .constant(true))) }
        if try model.part("copy") != nil {
            reasons.append(.init("held_for_other", when: try model.flag("copy", "held_for_other")))
        }
        reasons += try limitReasons()
        return try reasons + sameTitleReason()
    }

    /// Whether no row says how long a loan lasts.
    var hasNoPeriod: Bool {
        get throws {
            let period = try rule.terms(.period).period
            return period.loan == nil && period.dueAt == nil
        }
    }

    func sameTitleReason() throws -> [DecisionModel.Reason] {
        let sameTitle = try rule.terms(.sameTitle).sameTitle
        if sameTitle == .allow { return [] }
        return [.init("same_title", nil, sameTitle == .confirm ? .asks : .refuses, when: try hasSameTitle())]
    }

    /// Whether the patron has another copy of the title, or was granted one in this request.
    func hasSameTitle() throws -> Condition {
        guard try model.part("title") != nil else { return .constant(false) }
        let condition = try path.condition("patron.loans have the title")
        if case .list(let loans) = try model.value("patron", "loans") {
            try path.assume(condition.implies(.constant(1) <= loans.length()))
        }
        return condition
    }

    /// What rows of `limits` that may leave no room for one more loan say, each when it does.
    func limitReasons() throws -> [DecisionModel.Reason] {
        let limits = policy.tables.source.limits
        return try limitRows().filter { limits[$0.row].maximum != nil }.map { row, isReached in
            let isAboutDebts = limits[row].asksDebts && limits[row].maximum == 0
            return .init(isAboutDebts ? "fees_owed" : "limit", when: isReached)
        }
    }

    /// Whether something is owed for so long; a row that does not ask holds for all.
    private func owes(for period: Period?) throws -> Condition {
        guard let period else { return .constant(true) }
        let (isThere, since) = try model.optional("patron", "owed_since")
        let owed = try model.number("patron", "fees_owed") ?? .constant(0)
        let days: Int64? =
            switch period.unit {
            case .days: period.count
            case .weeks: period.count * 7
            default: nil
            }
        let isLongAgo: Condition
        if let days {
            isLongAgo = try since + .constant(days) <= model.today()
        } else {
            path.approximate(
                Site(file: policy.file, line: 1).unsettled("a debt of \(period) is reckoned by the calendar"))
            isLongAgo = try path.condition("patron.owed_since lies \(period) back")
        }
        return isThere && .constant(1) <= owed && isLongAgo
    }

    /// Whether so much is owed as a row asks for; one that does not ask holds for all.
    private func owes(_ row: LimitRow) throws -> Condition {
        guard let owed = row.owed else { return .constant(true) }
        guard owed.currency == model.domain.currency else { return .constant(false) }
        let found = try row.of.map { try model.number(of: $0, "owed") } ?? model.number("patron", "fees_owed")
        return .constant(owed.minorUnits) <= (found ?? .constant(0))
    }

    /// When rows of `limits` decide something: where they leave no room for one more loan, or end the reading.
    func limitRows() throws -> [(row: Int, isReached: Condition)] {
        let limits = policy.tables.source.limits
        if limits.isEmpty { return [] }
        var rows: [(row: Int, isReached: Condition)] = []
        var isRead = Condition.constant(true)
        for (index, row) in limits.enumerated() {
            var isReached = try isRead && rule.meets(row.conditions) && leavesNoRoom(index)
            // A function is asked only of what meets the row's other conditions, and leaves no room.
            if let when = row.conditions.when {
                guard try path.holds(isReached), try rule.holds(when) else { continue }
                isReached = .constant(true)
            }
            rows.append((index, isReached))
            if row.maximum == nil { isRead = isRead && isReached.negated }
        }
        return rows
    }

    /// Whether what a row of `limits` counts leaves no room for one more loan, where its conditions are met and as much is owed as it
    /// asks for; of one that is unlimited whether as much is owed.
    private func leavesNoRoom(_ index: Int) throws -> Condition {
        let limits = policy.tables.source.limits
        let (all, first) = allLimits ?? (limits, 0)
        let counts =
            try model.loanCounts ?? LoanCounts(all, model, site: Site(file: policy.file, line: limits[0].place.line))
        model.loanCounts = counts
        let owes = try owes(for: limits[index].owedFor) && owes(limits[index])
        guard let maximum = limits[index].maximum else { return owes }
        return owes && .constant(maximum) <= counts.count(first + index)
    }

    /// Whether the function of a row is asked of a case that the rest of the policy's combination admits: where the rest of its row
    /// holds, in `limits` also where it leaves no room and none before has ended the reading.
    func asks(_ when: Int) throws -> Condition {
        let limits = policy.tables.source.limits
        let isOfLimits = limits.contains { $0.conditions.when == when }
        guard isOfLimits else {
            let rows = policy.tables.source.allConditions.filter { $0.when == when }
            return try .some(rows.map { try rule.meets($0.beyond) })
        }
        for (index, row) in limits.enumerated() {
            let isReached = try rule.meets(row.conditions) && leavesNoRoom(index)
            if row.conditions.when == when, try path.holds(isReached) { return .constant(true) }
            guard row.maximum == nil, row.conditions.when != when, try path.holds(isReached) else { continue }
            if try row.conditions.when.map({ try rule.holds($0) }) ?? true { return .constant(false) }
        }
        return .constant(false)
    }

    func dueDecision() throws -> DecisionModel {
        var decision = DecisionModel()
        decision.due = try dueTime()
        decision.rental = try rental(until: decision.due)
        if decision.due == nil { decision.verdict = VerdictModel([.init("no_rule", when: .constant(true))]) }
        return decision
    }

    /// The due time of a loan that begins now.
    func dueTime() throws -> DecisionModel.Due? {
        let site = try rule.site(.period)
        let terms = try rule.terms(.period).period
        let finder = DueModel(terms, self, site)
        let standard =
            try reckonsStandard
            ? path.reckoning { try finder.due(of: terms.loan, from: model.now())?.due } : finder.unreckoned(terms.loan)
        guard let answer = try ask(.due, standard: { standard?.value ?? .null }) else { return standard }
        let value = answer.first ?? .null
        return value.isNull ? standard : try path.reckoning { try finder.answered(value, at: .due) }
    }

    /// What the loan costs where the rule makes it a rental.
    func rental(until due: DecisionModel.Due?) throws -> [DecisionModel.Line] {
        guard let due else { return [] }
        let terms = try rule.terms(.rental).rental
        guard let rental = terms.rental, rental.isPositive else { return [] }
        return try path.reckoning {
            var start = try model.now()
            if try model.part("loan") != nil {
                guard terms.per != nil else { return [] }
                start = try model.dueAt().greatest(model.now())
                guard try path.holds(start < due.instant) else { return [] }
            }
            let question = try CaseModel(pricing: model, from: start, until: due.instant)
            let lines = try DeskModel(policy, question, interpreter).price().lines ?? []
            return try lines.filter { try !path.holds($0.amount.equals(.constant(0))) }
        }
    }

    func rentalPeriods(
        _ terms: RentalTerms, from start: Number, to end: Number, _ site: Site
    ) throws -> Number {
        guard let per = terms.per else { return .constant(1) }
        let span = LatenessModel(
            from: start, to: end, countsClosedDays: terms.countsClosedDays, self, site)
        return try span.count(of: per, started: true).greatest(.constant(1))
    }

    /// An amount so many times.
    func amount(_ money: Money, times count: Number) throws -> Number {
        try interpreter.checked(.constant(money.minorUnits) * count, try rule.site(.fine))
    }
}
