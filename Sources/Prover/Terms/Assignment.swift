/// Values of the variables of a case: what a solver found, or what a case in hand has.
struct Assignment: Sendable {
    var numbers: [String: Int64] = [:]
    var conditions: [String: Bool] = [:]

    /// That something is so which is not in this one, or the reverse.
    var differs: Condition {
        let names = conditions.keys.sorted()
        return .some(names.map { conditions[$0] == true ? .not(.variable($0)) : .variable($0) })
    }

    /// The number that a term comes to; nil where a variable has no value, or 64 bits do not hold it.
    func value(_ number: Number) -> Int64? {
        switch number {
        case .constant(let value): return value
        case .variable(let variable): return numbers[variable.name]
        case .sum(let parts):
            var sum: Int64 = 0
            for part in parts {
                guard let value = value(part) else { return nil }
                let (next, overflow) = sum.addingReportingOverflow(value)
                if overflow { return nil }
                sum = next
            }
            return sum
        case .scaled(let inner, let factor): return value(.product(inner, .constant(factor)))
        case .product(let left, let right):
            guard let one = value(left), let other = value(right) else { return nil }
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            return overflow ? nil : product
        case .quotient(let inner, let divisor): return value(inner)?.floorDivided(by: divisor)
        case .remainder(let inner, let divisor):
            return value(inner).map { $0 - $0.floorDivided(by: divisor) * divisor }
        case .choice(let condition, let one, let other):
            return value(condition).flatMap { value($0 ? one : other) }
        }
    }

    /// Whether a condition holds; nil where that is not known.
    func value(_ condition: Condition) -> Bool? {
        switch condition {
        case .constant(let value): return value
        case .variable(let name): return conditions[name]
        case .relation(let relation): return value(relation.subject).flatMap { relation.cases[$0].map(value) ?? true }
        case .not(let inner): return value(inner).map { !$0 }
        case .all(let parts):
            let values = parts.map(value)
            return values.contains(false) ? false : values.contains(nil) ? nil : true
        case .any(let parts):
            let values = parts.map(value)
            return values.contains(true) ? true : values.contains(nil) ? nil : false
        case .equal(let left, let right): return compared(left, right, ==)
        case .atMost(let left, let right): return compared(left, right, <=)
        }
    }

    private func compared(_ left: Number, _ right: Number, _ comparison: (Int64, Int64) -> Bool) -> Bool? {
        guard let one = value(left), let other = value(right) else { return nil }
        return comparison(one, other)
    }
}
