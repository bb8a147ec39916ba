// The same of other variables.
extension Condition {
    /// It with other names of its variables; nil for what cannot be said of others.
    func renamed(_ name: (String) -> String) -> Condition? {
        func all(_ parts: [Condition]) -> [Condition]? {
            let others = parts.compactMap { $0.renamed(name) }
            return others.count == parts.count ? others : nil
        }
        switch self {
        case .constant: return self
        case .variable(let own): return .variable(name(own))
        case .not(let inner): return inner.renamed(name)?.negated
        case .all(let parts): return all(parts).map { .every($0) }
        case .any(let parts): return all(parts).map { .some($0) }
        case .equal(let left, let right):
            guard let left = left.renamed(name), let right = right.renamed(name) else { return nil }
            return left.equals(right)
        case .atMost(let left, let right):
            guard let left = left.renamed(name), let right = right.renamed(name) else { return nil }
            return left <= right
        case .relation: return nil
        }
    }
}

extension Number {
    /// It with other names of its variables; nil for what cannot be said of others.
    func renamed(_ name: (String) -> String) -> Number? {
        switch self {
        case .constant: return self
        case .variable(let own): return .variable(.init(name: name(own.name), least: own.least, most: own.most))
        case .sum(let parts):
            let others = parts.compactMap { $0.renamed(name) }
            return others.count == parts.count ? others.reduce(.constant(0), +) : nil
        case .scaled(let inner, let factor): return inner.renamed(name).map { $0 * .constant(factor) }
        case .product(let one, let other):
            guard let one = one.renamed(name), let other = other.renamed(name) else { return nil }
            return one * other
        case .quotient(let inner, let divisor): return inner.renamed(name).map { .quotient($0, divisor) }
        case .remainder(let inner, let divisor): return inner.renamed(name).map { .remainder($0, divisor) }
        case .choice(let condition, let one, let other):
            guard let condition = condition.renamed(name), let one = one.renamed(name), let other = other.renamed(name)
            else { return nil }
            return .either(condition, one, other)
        }
    }
}
