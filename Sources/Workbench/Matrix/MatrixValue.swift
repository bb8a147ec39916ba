package import Circulation
package import TextFormats

/// What one field comes to for a combination.
package enum MatrixValue: Hashable, Sendable {
    /// nil: nothing.
    case value(RuleValue?)
    /// A function, or what the combination does not say, decides between these, in the order in which they are read.
    case depends([Choice])

    package struct Choice: Hashable, Sendable {
        /// One-based; nil where no row sets the field.
        package var row: Int?
        package var value: RuleValue?

        package init(row: Int?, value: RuleValue?) {
            self.row = row
            self.value = value
        }
    }

    /// As programs read it: the value, or `"depends"`.
    package var json: JSON {
        switch self {
        case .value(let value): value?.json ?? .null
        case .depends: "depends"
        }
    }

    /// As people read it.
    package var words: String {
        switch self {
        case .value(let value): MatrixValue.words(value)
        case .depends(let choices):
            "depends" + (choices.isEmpty ? "" : ": " + MatrixValue.distinct(choices).joined(separator: " or "))
        }
    }

    private static func distinct(_ choices: [Choice]) -> [String] {
        var seen: Set<String> = []
        return choices.map { words($0.value) }.filter { seen.insert($0).inserted }
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
