package import Circulation
package import Prover

/// What holds beyond a combination of category, item type and branch.
package indirect enum MatrixCondition: Hashable, Sendable {
    case always, never
    /// What a row asks itself.
    case row(RowConditions)
    /// What a function asks.
    case said(SaidCondition)
    /// What the function of a row says, which is not known; the words for it.
    case asks(words: String)
    case every([MatrixCondition])
    case any([MatrixCondition])
    case fails(MatrixCondition)

    /// The same without parts that decide nothing.
    package func resolved() -> MatrixCondition {
        switch self {
        case .always, .never, .row, .said, .asks: return self
        case .every(let parts):
            let open = parts.map { $0.resolved() }.filter { $0 != .always }
            if open.contains(.never) { return .never }
            return open.isEmpty ? .always : open.count == 1 ? open[0] : .every(open)
        case .any(let parts):
            let open = parts.map { $0.resolved() }.filter { $0 != .never }
            if open.contains(.always) { return .always }
            return open.isEmpty ? .never : open.count == 1 ? open[0] : .any(open)
        case .fails(let inner):
            switch inner.resolved() {
            case .always: return .never
            case .never: return .always
            case .fails(let twice): return twice
            case let open: return .fails(open)
            }
        }
    }

    /// `channel web and not copies of branch north`
    package var words: String {
        switch self {
        case .always: "always"
        case .never: "never"
        case .row(let conditions): conditions.words(naming: .max)
        case .said(let said): said.words
        case .asks(let words): words
        case .every(let parts): parts.map(\.enclosed).joined(separator: " and ")
        case .any(let parts): parts.map(\.enclosed).joined(separator: " or ")
        case .fails(let inner): "not \(inner.enclosed)"
        }
    }

    private var enclosed: String {
        let isMixed = words.contains(" or ") || words.contains(" and ")
        return switch self {
        case .every, .any: "(\(words))"
        case .row, .said: isMixed ? "(\(words))" : words
        default: words
        }
    }

    /// Whether it holds; nil where that is not known.
    ///
    /// - Parameter value: whether a part without parts does.
    package func holds(_ value: (MatrixCondition) -> Bool?) -> Bool? {
        switch self {
        case .always: return true
        case .never: return false
        case .row, .said, .asks: return value(self)
        case .fails(let inner): return inner.holds(value).map { !$0 }
        case .every(let parts):
            let values = parts.map { $0.holds(value) }
            return values.contains(false) ? false : values.contains(nil) ? nil : true
        case .any(let parts):
            let values = parts.map { $0.holds(value) }
            return values.contains(true) ? true : values.contains(nil) ? nil : false
        }
    }

    /// Each part of it that must hold, as programs read it; empty: always.
    package var list: [String] {
        switch self {
        case .always: []
        case .every(let parts): parts.map(\.words)
        default: [words]
        }
    }
}
