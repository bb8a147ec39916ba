/// What holds for some cases and not for others.
indirect enum Condition: Hashable, Sendable {
    case constant(Bool)
    case variable(String)
    case not(Condition)
    case all([Condition])
    case any([Condition])
    case equal(Number, Number)
    case atMost(Number, Number)
    /// A fact that is written already; it holds for every case.
    case written(WrittenFact)

    var constant: Bool? {
        if case .constant(let value) = self { value } else { nil }
    }

    var negated: Condition {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(self)
        }
    }

    static func every(_ conditions: [Condition]) -> Condition {
        if conditions.contains(.constant(false)) { return .constant(false) }
        let open = conditions.filter { $0 != .constant(true) }
        return open.isEmpty ? .constant(true) : open.count == 1 ? open[0] : .all(open)
    }

    static func some(_ conditions: [Condition]) -> Condition {
        if conditions.contains(.constant(true)) { return .constant(true) }
        let open = conditions.filter { $0 != .constant(false) }
        return open.isEmpty ? .constant(false) : open.count == 1 ? open[0] : .any(open)
    }

    static func && (left: Condition, right: Condition) -> Condition { every([left, right]) }
    static func || (left: Condition, right: Condition) -> Condition { some([left, right]) }

    func implies(_ other: Condition) -> Condition { negated || other }

    func equals(_ other: Condition) -> Condition {
        if self == other { return .constant(true) }
        if let known = constant { return known ? other : other.negated }
        if let known = other.constant { return known ? self : negated }
        return (self && other) || (negated && other.negated)
    }

    /// The variables in it.
    func collect(into variables: inout Set<String>) {
        switch self {
        case .constant: break
        case .variable(let name): variables.insert(name)
        case .not(let inner): inner.collect(into: &variables)
        case .all(let conditions), .any(let conditions):
            for condition in conditions { condition.collect(into: &variables) }
        case .equal(let left, let right), .atMost(let left, let right):
            left.collect(into: &variables)
            right.collect(into: &variables)
        case .written(let fact): variables.formUnion(fact.variables)
        }
    }

    var variables: Set<String> {
        var variables: Set<String> = []
        collect(into: &variables)
        return variables
    }
}

/// A fact as the solver reads it, kept since many ways state it.
final class WrittenFact: Hashable, Sendable {
    let smt: String
    let variables: Set<String>

    init(_ condition: Condition) {
        smt = condition.smt
        variables = condition.variables
    }

    static func == (left: WrittenFact, right: WrittenFact) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
