/// A whole number of a case, or one that is reckoned from such: money in minor units, dates as days since 1970, instants
/// as microseconds, texts by their place among those that occur.
indirect enum Number: Hashable, Sendable {
    case constant(Int64)
    case variable(Variable)
    case sum([Number])
    case scaled(Number, Int64)
    case product(Number, Number)
    /// Rounded down.
    case quotient(Number, Int64)
    /// With the sign of the divisor, which is positive.
    case remainder(Number, Int64)
    case choice(Condition, Number, Number)

    /// A number that a case has, with the least and the greatest that it can be.
    struct Variable: Hashable, Sendable {
        let name: String
        let least: Int64
        let most: Int64

        /// One name has one least and one greatest.
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    var constant: Int64? {
        if case .constant(let value) = self { value } else { nil }
    }

    /// The least and the greatest that it can be; nil where that leaves 64 bits.
    var bounds: ClosedRange<Int64>? {
        switch self {
        case .constant(let value): value...value
        case .variable(let variable): variable.least...variable.most
        case .sum(let numbers):
            numbers.reduce(0...0) { sum, number in
                guard let sum, let bounds = number.bounds else { return nil }
                return sum.combined(bounds) { $0.addingReportingOverflow($1) }
            }
        case .scaled(let number, let factor):
            number.bounds?.combined(factor...factor) { $0.multipliedReportingOverflow(by: $1) }
        case .product(let left, let right):
            left.bounds.flatMap { bounds in
                right.bounds.flatMap { bounds.combined($0) { $0.multipliedReportingOverflow(by: $1) } }
            }
        case .quotient(let number, let divisor):
            number.bounds.map { $0.lowerBound.floorDivided(by: divisor)...$0.upperBound.floorDivided(by: divisor) }
        case .remainder(_, let divisor): 0...(divisor - 1)
        case .choice(_, let one, let other):
            one.bounds.flatMap { one in
                other.bounds.map { min(one.lowerBound, $0.lowerBound)...max(one.upperBound, $0.upperBound) }
            }
        }
    }

    /// Whether it is one of some numbers, as the case decides.
    var isOneOfConstants: Bool {
        switch self {
        case .constant: true
        case .choice(_, let one, let other): one.isOneOfConstants && other.isOneOfConstants
        case .sum(let parts): parts.allSatisfy(\.isOneOfConstants)
        case .scaled(let part, _): part.isOneOfConstants
        default: false
        }
    }

    /// The variables in it.
    func collect(into variables: inout Set<String>) {
        switch self {
        case .constant: break
        case .variable(let variable): variables.insert(variable.name)
        case .sum(let numbers): for number in numbers { number.collect(into: &variables) }
        case .scaled(let number, _), .quotient(let number, _), .remainder(let number, _):
            number.collect(into: &variables)
        case .product(let left, let right):
            left.collect(into: &variables)
            right.collect(into: &variables)
        case .choice(let condition, let one, let other):
            condition.collect(into: &variables)
            one.collect(into: &variables)
            other.collect(into: &variables)
        }
    }
}

// MARK: - Reckoning

extension Number {
    static func + (left: Number, right: Number) -> Number {
        switch (left, right) {
        case (.constant(0), _): return right
        case (_, .constant(0)): return left
        case (.constant(let one), .constant(let other)):
            let (sum, overflow) = one.addingReportingOverflow(other)
            return overflow ? .sum([left, right]) : .constant(sum)
        case (.sum(let numbers), .constant(let added)):
            // The constant part of a sum stands last.
            if case .constant(let known)? = numbers.last {
                let (sum, overflow) = known.addingReportingOverflow(added)
                if !overflow {
                    let rest = Array(numbers.dropLast())
                    if sum == 0 { return rest.count == 1 ? rest[0] : .sum(rest) }
                    return .sum(rest + [.constant(sum)])
                }
            }
            return .sum(numbers + [right])
        case (.constant, _): return right + left
        case (.sum(let numbers), _): return .sum([right] + numbers)
        default: return .sum([left, right])
        }
    }

    static func - (left: Number, right: Number) -> Number {
        left == right ? .constant(0) : left + right * .constant(-1)
    }

    static func * (left: Number, right: Number) -> Number {
        switch (left, right) {
        case (.constant(let one), .constant(let other)):
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            return overflow ? .product(left, right) : .constant(product)
        case (.constant, _): return right * left
        case (_, .constant(0)): return .constant(0)
        case (_, .constant(1)): return left
        case (.scaled(let number, let factor), .constant(let more)):
            let (product, overflow) = factor.multipliedReportingOverflow(by: more)
            return overflow ? .product(left, right) : number * .constant(product)
        case (_, .constant(let factor)): return .scaled(left, factor)
        case (_, .choice(let condition, let one, let other)) where right.isOneOfConstants:
            return .either(condition, left * one, left * other)
        case (.choice, _) where left.isOneOfConstants: return right * left
        default: return .product(left, right)
        }
    }

    /// Rounded down.
    ///
    /// - Parameter divisor: more than 0.
    func divided(by divisor: Int64) -> Number {
        if divisor == 1 { return self }
        if let constant { return .constant(constant.floorDivided(by: divisor)) }
        let (multiples, rest) = split(by: divisor)
        guard let rest else { return multiples }
        if multiples == .constant(0) { return .quotient(rest, divisor) }
        if let bounds = rest.bounds, bounds.lowerBound >= 0, bounds.upperBound < divisor { return multiples }
        return multiples + .quotient(rest, divisor)
    }

    /// How often a divisor is in it for certain, and what is left; nil: nothing.
    private func split(by divisor: Int64) -> (multiples: Number, rest: Number?) {
        var multiples = Number.constant(0)
        var rest: Number?
        let parts = if case .sum(let parts) = self { parts } else { [self] }
        for part in parts {
            switch part {
            case .scaled(let number, let factor) where factor % divisor == 0:
                multiples = multiples + number * .constant(factor / divisor)
            case .constant(let value):
                multiples = multiples + .constant(value.floorDivided(by: divisor))
                let left = value - value.floorDivided(by: divisor) * divisor
                if left != 0 { rest = rest.map { $0 + .constant(left) } ?? .constant(left) }
            default: rest = rest.map { $0 + part } ?? part
            }
        }
        return (multiples, rest)
    }

    /// Rounded up.
    func dividedUp(by divisor: Int64) -> Number { (self + .constant(divisor - 1)).divided(by: divisor) }

    func modulo(_ divisor: Int64) -> Number {
        if divisor == 1 { return .constant(0) }
        if let constant { return .constant(constant - constant.floorDivided(by: divisor) * divisor) }
        guard let rest = split(by: divisor).rest else { return .constant(0) }
        if let bounds = rest.bounds, bounds.lowerBound >= 0, bounds.upperBound < divisor { return rest }
        return .remainder(rest, divisor)
    }

    func least(_ other: Number) -> Number { .either(self <= other, self, other) }
    func greatest(_ other: Number) -> Number { .either(self <= other, other, self) }

    static func either(_ condition: Condition, _ one: Number, _ other: Number) -> Number {
        switch condition {
        case .constant(true): one
        case .constant(false): other
        default: one == other ? one : .choice(condition, one, other)
        }
    }

    static func <= (left: Number, right: Number) -> Condition {
        if left == right { return .constant(true) }
        if let one = left.bounds, let other = right.bounds {
            if one.upperBound <= other.lowerBound { return .constant(true) }
            if one.lowerBound > other.upperBound { return .constant(false) }
        }
        return .atMost(left, right)
    }

    static func < (left: Number, right: Number) -> Condition { (right <= left).negated }
    static func > (left: Number, right: Number) -> Condition { (left <= right).negated }
    static func >= (left: Number, right: Number) -> Condition { right <= left }

    func equals(_ other: Number) -> Condition {
        if self == other { return .constant(true) }
        if let one = bounds, let other = other.bounds, !one.overlaps(other) { return .constant(false) }
        return .equal(self, other)
    }
}

extension Int64 {
    /// Rounded down.
    package func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest != 0 && (rest < 0) != (divisor < 0) ? quotient - 1 : quotient
    }
}

extension ClosedRange<Int64> {
    /// The range of what an operation gives that is monotone in each operand; nil where it leaves 64 bits.
    fileprivate func combined(
        _ other: ClosedRange<Int64>, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) -> ClosedRange<Int64>? {
        var values: [Int64] = []
        for one in [lowerBound, upperBound] {
            for another in [other.lowerBound, other.upperBound] {
                let (value, overflow) = operation(one, another)
                if overflow { return nil }
                values.append(value)
            }
        }
        return (values.min() ?? 0)...(values.max() ?? 0)
    }
}
