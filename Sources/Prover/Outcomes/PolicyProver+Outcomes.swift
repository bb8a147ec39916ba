package import Circulation

extension PolicyProver {
    /// What the function of a point answers.
    ///
    /// - Parameter deadline: when it is to end.
    package func outcomes(at point: DecisionPoint, until deadline: ContinuousClock.Instant) -> CombinationOutcomes {
        CombinationOutcomes(self, at: point, until: deadline) { try $0.functionAnswer() }
    }

    /// Of which cases the function of a row says that the row holds.
    ///
    /// - Parameters:
    ///   - when: its number, as rows have it.
    ///   - point: where it is asked.
    package func outcomes(
        ofCondition when: Int, at point: DecisionPoint, until deadline: ContinuousClock.Instant
    ) -> CombinationOutcomes {
        CombinationOutcomes(self, at: point, until: deadline) { desk in
            let site = desk.policy.conditions[when]?.site ?? Site(file: desk.policy.file, line: 1)
            do {
                return try desk.rule.holds(when) ? OutcomeKind(answer: .holds, site: site) : nil
            } catch let error where error is Failure || error is Raised {
                guard try desk.path.holds(desk.asks(when)) else { return nil }
                throw error
            }
        }
    }

    /// Whether conditions all hold for a case; nil where that is not known.
    package func hold(_ conditions: [SaidCondition], of question: Case, _ records: LibraryCase) -> Bool? {
        let all = Condition.every(
            conditions.map { $0.literal.holds ? $0.literal.condition : $0.literal.condition.negated })
        let reading = CaseReading(question, records, texts, policy?.tables.source.limits ?? [], library)
        return reading.assignment(of: all.variables).value(all)
    }

    /// Numbers for rows, the same for those that ask and say the same of a group.
    func signature(_ rows: [Int], _ group: RuleGroup) -> [Int] {
        rows.map { row in
            if let known = rowNumbers[group]?[row] { return known }
            guard let rule = policy?.tables.source.rules[row] else { return 0 }
            let meaning = RowMeaning(conditions: rule.conditions.beyond, group: group, values: rule.values(of: group))
            let number = rowMeanings[meaning] ?? rowMeanings.count + 1
            rowMeanings[meaning] = number
            rowNumbers[group, default: [:]][row] = number
            return number
        }
    }
}

/// What a row asks beyond a combination, and what it says.
struct RowMeaning: Hashable {
    let conditions: RowConditions
    let group: RuleGroup
    let values: [String: RuleValue]
}

/// The answer of a function is known, and nothing else is asked for. It stays on the thread that goes the way.
private struct Answered: Error, @unchecked Sendable {
    let values: [Value]
}

extension DeskModel {
    /// What the function of the point comes to; nil where it leaves everything to the desk.
    fileprivate func functionAnswer() throws -> OutcomeKind? {
        let point = model.point
        let values: [Value]
        if policy.usesStandard {
            answers = { asked, values in if asked == point { throw Answered(values: values) } }
            do {
                let decision = try decide()
                guard let failure = decision.failure else { return nil }
                throw failure
            } catch let answered as Answered {
                values = answered.values
            }
        } else {
            try rule.askConditions()
            values = try ask(point, isRuled: point.hasRule, standard: { .null }) ?? []
        }
        let site = interpreter.answeredAt ?? site(of: point)
        guard let found = try meaning(of: values, at: point) else { return nil }
        return OutcomeKind(answer: found, site: site)
    }

    private func meaning(of values: [Value], at point: DecisionPoint) throws -> FunctionOutcomes.Answer? {
        switch point {
        case .request, .checkout, .renew, .hold:
            switch try permission(values, at: point) {
            case .standard: return nil
            case .allow(let despite, let due, let priority):
                if let due { return .value(words(due)) }
                if let priority { return .value(words(priority).map { "priority \($0)" }) }
                return despite.isEmpty ? nil : .allowed(despite: despite)
            case .reason(let reason):
                let code: String? = if case .known(let word) = reason.code { word } else { nil }
                let weight: FunctionOutcomes.Weight =
                    switch reason.weight {
                    case .refuses: .refuses
                    case .overridable: .overridable
                    case .asks: .asks
                    }
                return .reason(code: code, weight)
            }
        case .publish:
            let decision = try publication(values)
            if decision.answer == "review" { return .review }
            guard let reason = decision.verdict.reasons.first else { return .allowed(despite: []) }
            if case .known(let word) = reason.code { return .reason(code: word, .refuses) }
            return .reason(code: nil, .refuses)
        case .overdue, .checkin, .lost, .notify:
            return try effects(values, at: point).map { _ in .value(nil) }
        case .due, .recall, .fine, .price, .expiry:
            return try reckoned(values.first ?? .null, at: point)
        }
    }

    /// A time or an amount, if it is one that the point may have.
    private func reckoned(_ value: Value, at point: DecisionPoint) throws -> FunctionOutcomes.Answer? {
        let isTime = point == .due || point == .recall || point == .expiry
        switch value {
        case .null: return nil
        case .date where isTime, .instant where isTime, .unlimited where point == .expiry: return .value(words(value))
        case .money(.constant(let amount)) where !isTime && amount < 0:
            throw bad(point, "must not answer less than nothing")
        case .money where !isTime, .table where point == .price: return .value(words(value))
        default: throw bad(point, "must not answer a \(value.kind)")
        }
    }

    /// A value that is known beforehand, in words.
    private func words(_ value: Value) -> String? {
        switch value {
        case .money(.constant(let amount)): Money(minorUnits: amount, currency: model.domain.currency).description
        case .integer(.constant(let number)): "\(number)"
        case .nothing: "nothing"
        case .unlimited: "unlimited"
        default: nil
        }
    }
}
