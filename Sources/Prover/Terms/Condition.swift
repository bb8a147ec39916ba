/// What holds for some cases and not for others.
indirect enum Condition: Hashable, Sendable {
    case constant(Bool)
    case variable(String)
    case not(Condition)
    case all([Condition])
    case any([Condition])
    case equal(Number, Number)
    case atMost(Number, Number)
    /// What holds for every case.
    case relation(Relation)

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

    /// It without its negation, and whether it had one.
    var positive: (Condition, isNegated: Bool) {
        if case .not(let inner) = self { (inner, true) } else { (self, false) }
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

    /// The two parts that hold together where it holds: what is about variables of such names, as far as it can be told from
    /// the rest, and the rest.
    func parted(_ isAbout: (String) -> Bool) -> (about: Condition, rest: Condition) {
        let parts = if case .all(let parts) = self { parts } else { [self] }
        let isOfPart = parts.map { $0.variables.contains(where: isAbout) }
        func those(_ wanted: Bool) -> Condition { .every(zip(parts, isOfPart).filter { $1 == wanted }.map(\.0)) }
        return (those(true), those(false))
    }

    /// How many conditions without parts it is made of.
    var size: Int {
        switch self {
        case .not(let inner): inner.size
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.size }
        default: 1
        }
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
        case .relation(let relation): variables.formUnion(relation.variables)
        }
    }

    var variables: Set<String> {
        var variables: Set<String> = []
        collect(into: &variables)
        return variables
    }
}

/// What is so where a number is one of some: of each the solver is told only when it comes to it. It is told from others by
/// being itself.
final class Relation: Hashable, Sendable {
    let subject: Number
    let cases: [Int64: Condition]
    let variables: Set<String>

    init(of subject: Number, _ cases: [Int64: Condition]) {
        (self.subject, self.cases) = (subject, cases)
        var variables = cases.values.reduce(into: Set<String>()) { $1.collect(into: &$0) }
        subject.collect(into: &variables)
        self.variables = variables
    }

    /// What is so of one value; nil where nothing is said of it.
    func fact(of value: Int64) -> Condition? {
        cases[value].map { subject.equals(.constant(value)).implies($0) }
    }

    static func == (left: Relation, right: Relation) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Condition {
    /// Whether it can come out either way where nothing is known of its variables.
    ///
    /// - Parameter isOpen: whether no fact is about a variable.
    func isFree(where isOpen: (String) -> Bool) -> Bool {
        switch self {
        case .constant, .relation: return false
        case .variable(let name): return isOpen(name)
        case .not(let inner): return inner.isFree(where: isOpen)
        case .all(let parts), .any(let parts):
            var seen: Set<String> = []
            return parts.allSatisfy { part in
                let isFree = part.isFree { !seen.contains($0) && isOpen($0) }
                part.collect(into: &seen)
                return isFree
            }
        case .equal(.variable(let variable), .constant(let value)),
            .equal(.constant(let value), .variable(let variable)):
            return isOpen(variable.name) && variable.least < variable.most
                && (variable.least...variable.most).contains(value)
        case .atMost(.variable(let variable), .constant(let value)):
            return isOpen(variable.name) && (variable.least..<variable.most).contains(value)
        case .atMost(.constant(let value), .variable(let variable)):
            return isOpen(variable.name) && variable.least < value && value <= variable.most
        default: return false
        }
    }
}
