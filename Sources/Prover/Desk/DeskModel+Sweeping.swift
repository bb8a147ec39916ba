import Circulation

extension DeskModel {
    func fine() throws -> DecisionModel {
        let standard = try standardFine()
        var decision = DecisionModel()
        let answer = try ask(.fine, standard: { standard.map { .money($0) } ?? .null })?.first ?? .null
        switch answer {
        case .null:
            if let standard, try path.reckoning({ try path.holds(standard.equals(.constant(0)).negated) }) {
                decision.fine = standard
            }
        case .money(let amount):
            guard try path.holds(.constant(0) <= amount) else {
                throw bad(.fine, "must answer an amount that is not negative")
            }
            decision.fine = amount
        default: throw bad(.fine, "must answer an amount of money")
        }
        return decision
    }

    private func standardFine() throws -> Number? {
        let terms = try rule.terms(.fine).fine
        guard terms.fine != nil || !terms.steps.isEmpty else { return nil }
        let site = try rule.site(.fine)
        return try path.reckoning {
            let lateness = try LatenessModel(ofLoanIn: self, countsClosedDays: terms.countsClosedDays, site)
            guard let chargeable = try chargeable(lateness, terms) else { return .constant(0) }
            return try capped(fine(of: chargeable, terms), terms.cap)
        }
    }

    /// The lateness that counts, after grace; nil if none does.
    private func chargeable(_ lateness: LatenessModel, _ terms: FineTerms) throws -> LatenessModel? {
        guard let grace = terms.grace else { return lateness }
        if try lateness.isWithin(grace) { return nil }
        return terms.graceMode == .deduct ? try lateness.deducting(grace) : lateness
    }

    private func fine(of lateness: LatenessModel, _ terms: FineTerms) throws -> Number {
        let isStarted = terms.rounding == .started
        guard !terms.steps.isEmpty else {
            let count = try lateness.count(of: terms.per, started: isStarted)
            return try terms.fine.map { try amount($0, times: count) } ?? .constant(0)
        }
        var sum = Number.constant(0)
        for step in terms.steps {
            let late = try lateness.count(of: Period(1, step.from.unit), started: isStarted)
            let first = max(step.from.count, 1)
            let last = step.to.map { Number.constant($0.count).least(late) } ?? late
            let days = (last - .constant(first - 1)).greatest(.constant(0))
            sum = try interpreter.checked(sum + amount(step.fine, times: days), rule.site(.fine))
        }
        return sum
    }

    private func capped(_ fine: Number, _ cap: RuleAmount?) throws -> Number {
        switch cap {
        case .money(let most): return fine.least(.constant(most.minorUnits))
        case .replacementPrice:
            guard let price = try model.number("copy", "replacement_price") else { return fine }
            return fine.least(price)
        case nil: return fine
        }
    }

    // MARK: - Check-in

    func checkin() throws -> DecisionModel {
        let standard = try standardSuspension()
        let today = try model.today()
        var decision = DecisionModel()
        let answer = try ask(
            .checkin,
            standard: {
                guard let standard else { return .null }
                return .table(Table([("effect", .text("suspend")), ("period", .period(standard - today, .days))]))
            })
        guard let answer, let effects = try effects(answer, at: .checkin) else {
            decision.suspendedUntil = standard
            return decision
        }
        for effect in effects {
            if case .text(.known("charge")) = effect["effect"] {
                decision.charges.append(try charge(effect, .checkin))
            } else if let end = try suspension(effect) {
                decision.suspendedUntil = end
            }
        }
        return decision
    }

    private func suspension(_ effect: Table) throws -> Number? {
        guard case .period(let count, let unit) = effect["period"], unit != .hours, unit != .minutes,
            try path.holds(.constant(0) <= count)
        else { throw bad(.checkin, "must suspend for days, weeks, months or open days") }
        guard try path.holds(.constant(1) <= count) else { return nil }
        return try interpreter.date(model.today(), plus: count, unit, site(of: .checkin))
    }

    /// The last day of the suspension that a return now brings; nil if it brings none.
    private func standardSuspension() throws -> Number? {
        let terms = try rule.terms(.suspension).suspension
        guard let length = terms.length, length.count > 0 else { return nil }
        let site = try rule.site(.suspension)
        let late = try rule.terms(.fine).fine
        return try path.reckoning {
            let lateness = try LatenessModel(ofLoanIn: self, countsClosedDays: late.countsClosedDays, site)
            guard let chargeable = try chargeable(lateness, late) else { return nil }
            let count = try chargeable.count(of: terms.per, started: false)
            guard try path.holds(.constant(1) <= count) else { return nil }
            let today = try model.today()
            var running: Number?
            if let end = try model.number("patron", "suspended_until"), try path.holds(today < end) { running = end }
            let start = terms.mode == .add ? running ?? today : today
            var end = try interpreter.date(start, plus: .constant(length.count) * count, length.unit, site)
            if let cap = terms.cap {
                end = end.least(try interpreter.date(start, plus: .constant(cap.count), cap.unit, site))
            }
            if terms.mode == .longest, let running { end = end.greatest(running) }
            return try path.holds(start < end) ? end : nil
        }
    }

    // MARK: - Effects

    /// The effects that a function answered: one, several, or a list of them; nil for no answer.
    func effects(_ answer: [Value], at point: DecisionPoint) throws -> [Table]? {
        let accepted = point.effects.sorted().joined(separator: " or ")
        var found: [Table] = []
        var isAnswered = false
        for value in answer where !value.isNull {
            isAnswered = true
            guard case .table(let table) = value else { throw bad(point, "must answer nothing or effects") }
            if table["effect"].isNull, try table.whole(at: site(of: point)).elements.count != table.fields.count {
                throw bad(point, "must answer nothing or \(accepted)")
            }
            for element in table["effect"].isNull ? table.elements : [value] {
                guard case .table(let effect) = element, case .text(.known(let kind)) = effect["effect"],
                    point.effects.contains(kind)
                else { throw bad(point, "must answer nothing or \(accepted)") }
                found.append(effect)
            }
        }
        return isAnswered ? found : nil
    }

    func charge(_ table: Table, _ point: DecisionPoint) throws -> DecisionModel.Charge {
        guard case .text(let key) = table["key"], case .text = table["label"],
            try path.holds(model.texts.number(of: key).equals(.constant(model.texts.number(of: ""))).negated)
        else {
            throw bad(point, "answered a charge without a key or a label")
        }
        return .init(key: table["key"], amount: try amount(table["amount"], point), label: table["label"])
    }

    private func amount(_ value: Value, _ point: DecisionPoint) throws -> Number {
        guard case .money(let amount) = value else { throw bad(point, "answered an amount that is no money") }
        guard try path.holds(.constant(0) <= amount) else { throw bad(point, "answered less than nothing") }
        return amount
    }

    func notice(_ table: Table, _ point: DecisionPoint, stage: Value = .null) throws -> DecisionModel.Notice {
        if !table["digest"].isNull || !table["many"].isNull {
            throw site(of: point).unsettled("a notice of several in one")
        }
        let stage = table["stage"].isNull ? stage : table["stage"]
        for value in [stage, table["channel"], table["subject"], table["body"]] {
            guard case .text = value else { throw bad(point, "answered a notice without a text") }
        }
        if !table["charge"].isNull { _ = try amount(table["charge"], point) }
        return .init(
            stage: stage, repetition: table["repetition"].isNull ? .integer(0) : table["repetition"],
            channel: table["channel"], subject: table["subject"], body: table["body"], charge: table["charge"],
            isSuperseded: table["superseded"].isNull ? .flag(false) : table["superseded"])
    }

    // MARK: - Losses

    func lost() throws -> DecisionModel {
        var decision = DecisionModel()
        let terms = try rule.terms(.lost).lost
        let site = try rule.site(.lost)
        guard try path.reckoning({ try isLost(terms, site) }) else { return decision }
        let fee = try path.reckoning { try lossFee(terms) }
        let answer = try ask(
            .lost,
            standard: {
                .table(Table([("effect", .text("declare_lost")), ("fee", fee.map { .money($0) } ?? .nothing)]))
            })
        guard let answer, let effects = try effects(answer, at: .lost) else {
            (decision.isLost, decision.lostFee) = (true, fee)
            return decision
        }
        for effect in effects {
            if case .text(.known("charge")) = effect["effect"] {
                decision.charges.append(try charge(effect, .lost))
                continue
            }
            decision.isLost = true
            switch effect["fee"] {
            case .null: decision.lostFee = fee
            case .nothing: decision.lostFee = nil
            case let value:
                let amount = try amount(value, .lost)
                decision.lostFee = try path.holds(amount.equals(.constant(0))) ? nil : amount
            }
        }
        return decision
    }

    private func isLost(_ terms: LostTerms, _ site: Site) throws -> Bool {
        if try model.number("loan", "lost_at") != nil { return true }
        let (now, due) = (try model.now(), try model.dueAt())
        guard let after = terms.after, try path.holds(due < now) else { return false }
        let moved = try interpreter.moved(.instant(due, .plain), .constant(after.count), after.unit, site)
        guard case .instant(let moment, _) = moved else { return false }
        let day = ProofDomain.microsecondsPerDay
        return try path.holds((after.isElapsed ? moment : moment.divided(by: day) * .constant(day)) <= now)
    }

    private func lossFee(_ terms: LostTerms) throws -> Number? {
        switch terms.fee {
        case .money(let money): return money.isZero ? nil : .constant(money.minorUnits)
        case .replacementPrice:
            guard let price = try model.number("copy", "replacement_price") else { return nil }
            return try path.holds(price.equals(.constant(0))) ? nil : price
        case nil: return nil
        }
    }
}
