import LuaSyntax

/// Numbers of the case divided by others, such as how many wait for each copy.
extension Interpreter {
    /// The greatest number that a quotient is reckoned exactly for: up to there Lua's own numbers tell any two quotients apart, and
    /// each from all numbers with three decimals.
    private static let mostDivided: Int64 = 1_000_000_000_000

    /// `one // other` or `one % other`.
    func divided(_ operation: BinaryOperator, _ one: Number, by other: Number, _ site: Site) throws -> Value {
        let unsettled = site.unsettled("a division by a number of the case")
        if try path.holds(other.equals(.constant(0))) {
            throw Raised("attempt to perform 'n\(operation == .modulo ? "%%0" : "//0")'", at: site)
        }
        guard try path.holds(.constant(1) <= other) else { throw site.unsettled("a division by a negative number") }
        guard let dividends = one.bounds, let divisors = other.bounds else { throw unsettled }
        path.approximate(unsettled)
        let (least, most) = (min(dividends.lowerBound, 0), max(dividends.upperBound, 0))
        let made = "(// \(one.smt) \(other.smt))"
        let quotient = try path.number(made, least...most)
        library.note(made, "//", [.integer(one), .integer(other)])
        // What is rounded up is rounded down with the other sign.
        let places = texts.places.union(texts.places.map { -$0 }).filter { (least...most).contains($0) }.sorted()
        var known = (.constant(0) <= one && one < other).equals(quotient.equals(.constant(0)))
        for place in places {
            let multiple = other * .constant(place)
            guard multiple.bounds != nil else { continue }
            known = known && (.constant(place) <= quotient).equals(multiple <= one)
        }
        try path.assume((.constant(1) <= other).implies(known), named: made)
        if operation == .floorDivide { return .integer(quotient) }
        let name = "(% \(one.smt) \(other.smt))"
        let remainder = try path.number(name, 0...max(0, divisors.upperBound - 1))
        library.note(name, "%", [.integer(one), .integer(other)])
        var rest = remainder < other
        for place in places {
            let multiple = other * .constant(place)
            guard multiple.bounds != nil else { continue }
            rest = rest && quotient.equals(.constant(place)).implies(remainder.equals(one - multiple))
        }
        try path.assume((.constant(1) <= other).implies(rest), named: name)
        return .integer(remainder)
    }

    /// `one / other`, a number with a fraction.
    func ratio(_ one: Number, _ other: Number) throws -> Value {
        if try path.holds(other.equals(.constant(0))) {
            if try path.holds(.constant(1) <= one) { return .float(.infinity) }
            return .float(try path.holds(one.equals(.constant(0))) ? .nan : -.infinity)
        }
        let name = "(/ \(one.smt) \(other.smt))"
        if let bounds = one.bounds, bounds.lowerBound >= -Self.mostDivided, bounds.upperBound <= Self.mostDivided {
            library.ratios[name] = (one, other)
        }
        return .opaque(name)
    }

    /// The numbers that a value is the quotient of, the second more than nothing; nil where it is none, or is not reckoned exactly.
    private func terms(of value: Value) throws -> (one: Number, other: Number)? {
        guard case .opaque(let name) = value, let ratio = library.ratios[name],
            try path.holds(.constant(1) <= ratio.other)
        else { return nil }
        return ratio
    }

    /// Two whole numbers that compare as a quotient and a known number do; nil where that cannot be done.
    func compared(ratio left: Value, _ right: Value) throws -> (one: Number, other: Number)? {
        func scaled(_ value: Value, _ known: Value) throws -> (Number, Number)? {
            guard let place = known.exactPlace, let (one, other) = try terms(of: value) else { return nil }
            let (dividend, multiple) = (one * .constant(Fraction.steps), other * .constant(place))
            return dividend.bounds == nil || multiple.bounds == nil ? nil : (dividend, multiple)
        }
        if let (one, other) = try scaled(left, right) { return (one, other) }
        return try scaled(right, left).map { ($1, $0) }
    }

    /// A quotient rounded down, or up; nil for another value.
    func rounded(ratio value: Value, up: Bool, _ site: Site) throws -> Value? {
        guard let (one, other) = try terms(of: value) else { return nil }
        guard up else { return try divided(.floorDivide, one, by: other, site) }
        guard case .integer(let number) = try divided(.floorDivide, one * .constant(-1), by: other, site) else {
            return nil
        }
        return .integer(number * .constant(-1))
    }
}

extension Value {
    /// Where a known number lies of which no other lies there; nil for all else.
    fileprivate var exactPlace: Int64? {
        switch self {
        case .integer(.constant(let number)) where Fraction.whole.contains(number): number * Fraction.steps
        case .float(let number): Fraction.place(of: number).flatMap { $0 % 2 == 0 ? $0 : nil }
        default: nil
        }
    }
}
