import TextFormats

extension RuleField {
    /// What is wrong with a value of a field, in words for the policy's author; nil if nothing is.
    ///
    /// A free field takes any value. `none` is refused where a field has no nothing (`lend`, `closed`), `unlimited`
    /// where there is no endless (`loan`).
    package static func complaint(about value: RuleValue, of name: String) -> String? {
        guard let field = named[name], !field.accepts(value) else { return nil }
        return "\(name) must be \(field.expectation), not \(value.description)"
    }

    private func accepts(_ value: RuleValue) -> Bool {
        switch value {
        case .none: acceptsNone
        case .unlimited: acceptsUnlimited
        default: acceptsGiven(value)
        }
    }

    private var acceptsNone: Bool {
        switch kind {
        case .boolean, .choice, .dueTime: false
        // Without it nothing would count off lateness.
        case .period: !traits.contains(.notEmpty) || standard == nil
        default: true
        }
    }

    private var acceptsUnlimited: Bool { kind == .integer || traits.contains(.endless) }

    private func acceptsGiven(_ value: RuleValue) -> Bool {
        switch (kind, value) {
        case (.boolean, .boolean), (.text, .text), (.date, .date), (.dateOrPeriod, .date): true
        case (.integer, .integer(let number)): number >= 0
        case (.choice, .text(let word)): choices.contains(word)
        case (.period, .period(let period)), (.dateOrPeriod, .period(let period)): accepts(period)
        case (.money, .money(let money)), (.moneyOrReplacementPrice, .money(let money)): !money.isNegative
        case (.moneyOrReplacementPrice, .text(let word)): word == "replacement_price"
        case (.dueTime, .text(let word)): RuleField.isDueTime(word)
        case (.fineSteps, .fineSteps(let steps)): RuleField.areInOrder(steps)
        default: false
        }
    }

    /// No period runs backwards; those that are counted off against lateness are not empty; suspensions are days.
    private func accepts(_ period: Period) -> Bool {
        period.count >= (traits.contains(.notEmpty) ? 1 : 0) && !(traits.contains(.days) && period.isElapsed)
    }

    private static func isDueTime(_ word: String) -> Bool {
        word == "closing" || word == "end_of_day" || (try? CivilTime(parsing: word)) != nil
    }

    /// Steps count days, weeks, open days, hours or minutes; the two ends of a step in the same unit.
    private static func areInOrder(_ steps: [FineStep]) -> Bool {
        steps.allSatisfy { step in
            let to = step.to ?? step.from
            return step.from.unit == to.unit && step.from.unit != .months && step.from.count >= 0
                && step.from.count <= to.count && !step.fine.isNegative
        }
    }

    private var expectation: String {
        switch kind {
        case .boolean: "true or false"
        case .integer: "a number from 0 on, or unlimited"
        case .text: "a text"
        case .choice: choices.map { "\"\($0)\"" }.joined(separator: ", ")
        case .period: periodExpectation
        case .money: "an amount of money, not negative"
        case .moneyOrReplacementPrice: "an amount of money, or \"replacement_price\""
        case .date: "a date"
        case .dateOrPeriod: "a date or a period"
        case .dueTime: "\"closing\", \"end_of_day\" or a time such as \"18:00\""
        case .fineSteps: "a list of steps, each with from, to and fine, in one unit other than months"
        }
    }

    private var periodExpectation: String {
        if traits.contains(.notEmpty) { return "a period such as days(1), not empty" }
        if traits.contains(.days) { return "a period of days, weeks, months or open days" }
        return "a period such as days(14), not negative"
    }
}

extension RuleValue: CustomStringConvertible {
    /// The value as a policy writes it.
    package var description: String {
        switch self {
        case .none: "none"
        case .unlimited: "unlimited"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .text(let value): "\"\(SafeText.line(value))\""
        case .period(let period): "\(period.unit.rawValue)(\(period.count))"
        case .money(let money): "money \"\(money.amountText)\""
        case .date(let date): "date \"\(date)\""
        case .fineSteps(let steps): steps.count == 1 ? "1 step" : "\(steps.count) steps"
        case .free(let json): json.text()
        }
    }
}
