package import Circulation
package import TextFormats

/// What one field comes to for a combination.
package enum MatrixValue: Hashable, Sendable {
    /// nil: nothing.
    case value(RuleValue?)
    /// The first of these whose condition holds.
    case choices([Choice])

    package struct Choice: Hashable, Sendable {
        /// One-based; nil where no row sets the field.
        package var row: Int?
        package var value: RuleValue?
        /// What holds beyond the combination, where none before it holds.
        package var condition: MatrixCondition

        package init(row: Int?, value: RuleValue?, _ condition: MatrixCondition = .always) {
            self.row = row
            self.value = value
            self.condition = condition
        }
    }

    /// The first of some choices whose condition holds: one value where that is the same whatever holds.
    ///
    /// - Parameter standard: what it is where none holds.
    static func first(of choices: [Choice], otherwise standard: RuleValue?) -> MatrixValue {
        var open: [Choice] = []
        for choice in choices where choice.condition != .never {
            open.append(choice)
            if choice.condition == .always { break }
        }
        if open.last?.condition != .always { open.append(Choice(row: nil, value: standard)) }
        // One before the last that says the same needs no telling.
        while open.count > 1, open[open.count - 2].value == open[open.count - 1].value {
            open.remove(at: open.count - 2)
        }
        return open.count == 1 ? .value(open[0].value) : .choices(open)
    }

    /// As programs read it: the value, or the choices as `[{"row","value","where":[]}]`, of which the first counts whose conditions hold.
    package var json: JSON {
        switch self {
        case .value(let value): value?.json ?? .null
        case .choices(let choices):
            .array(
                choices.map { choice in
                    [
                        "row": choice.row.map { .integer(Int64($0)) } ?? .null, "value": choice.value?.json ?? .null,
                        "where": .array(choice.condition.list.map { .string($0) }),
                    ]
                })
        }
    }

    /// As people read it: `3 days if channel web, else 9 days`.
    package var words: String {
        switch self {
        case .value(let value): MatrixValue.words(value)
        case .choices(let choices):
            choices.enumerated().map { index, choice in
                let value = MatrixValue.words(choice.value)
                if choice.condition != .always { return "\(value) if \(choice.condition.words)" }
                return index == 0 ? value : "else \(value)"
            }.joined(separator: ", ")
        }
    }

    static func words(_ value: RuleValue?) -> String {
        switch value {
        case nil, .some(.none): "-"
        case .text(let text): text
        case .money(let money): money.amountText
        case .boolean(let flag): flag ? "yes" : "no"
        case .some(let other): other.description
        }
    }
}
