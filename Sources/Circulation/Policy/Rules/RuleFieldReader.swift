/// Reads the checked fields of one row, with the built-in default of each that is unset.
struct RuleFieldReader {
    let fields: [String: RuleValue]

    /// nil for nothing and for `none`.
    func value(_ name: String) -> RuleValue? {
        switch fields[name] {
        case .some(.none): nil
        case .some(let value): value
        case nil: RuleField.named[name]?.standard
        }
    }

    func boolean(_ name: String) -> Bool {
        if case .boolean(let value) = value(name) { value } else { false }
    }

    func text(_ name: String) -> String? {
        if case .text(let value) = value(name) { value } else { nil }
    }

    func period(_ name: String) -> Period? {
        if case .period(let value) = value(name) { value } else { nil }
    }

    func date(_ name: String) -> CivilDate? {
        if case .date(let value) = value(name) { value } else { nil }
    }

    func money(_ name: String) -> Money? {
        if case .money(let value) = value(name) { value } else { nil }
    }

    func amount(_ name: String) -> RuleAmount? {
        switch value(name) {
        case .money(let money): .money(money)
        case .text: .replacementPrice
        default: nil
        }
    }

    /// `none` allows nothing, `unlimited` everything.
    func maximum(_ name: String) -> Int64? {
        switch value(name) {
        case .integer(let value): value
        case .unlimited: nil
        default: 0
        }
    }

    func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }
}

/// An amount of a rule that the copy's own price may stand for.
package enum RuleAmount: Sendable {
    case money(Money)
    case replacementPrice
}
