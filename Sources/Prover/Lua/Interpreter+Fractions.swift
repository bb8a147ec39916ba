import LuaSyntax

/// Where a number of a case that need not be whole lies among the numbers with at most three decimals: 17.5 at 35,000, what lies
/// between 17.5 and 17.501 at 35,001. All comparisons with whole numbers and with such as stand in policies are known by that.
enum Fraction {
    /// How many places there are from one whole number to the next.
    static let steps: Int64 = 2_000
    /// What lies beyond is greater, or less, than any number that it is compared with.
    private static let most: Int64 = 1_000_000_000_000 * steps + 1
    static let bounds = -most...most
    /// The whole numbers that lie within.
    static let whole: ClosedRange<Int64> = -1_000_000_000_000...1_000_000_000_000

    /// What the place of a number of the case is called, or of one that is reckoned.
    static func name(_ number: String) -> String { number + suffix }

    /// Ends what the place of a number is called.
    static let suffix = " as a fraction"

    /// nil for what lies beyond.
    static func place(of number: Double) -> Int64? {
        guard abs(number) <= Double(whole.upperBound) else { return nil }
        let nearest = (number * 1_000).rounded()
        if nearest / 1_000 == number { return Int64(nearest) * 2 }
        return Int64(nearest) * 2 + (nearest / 1_000 < number ? 1 : -1)
    }

    /// A number that lies at a place.
    static func number(at place: Int64) -> Double { Double(place) / Double(steps) }
}

extension Interpreter {
    private struct Place {
        let number: Number
        /// Whether other numbers lie there as well: always, never, or (nil) where the place is odd.
        let isShared: Bool?
    }

    /// Where a number lies; nil where that is not known.
    private func place(of value: Value) throws -> Place? {
        switch value {
        case .integer(let number):
            guard let bounds = number.bounds, Fraction.whole.contains(bounds.lowerBound),
                Fraction.whole.contains(bounds.upperBound)
            else { return nil }
            return Place(number: number * .constant(Fraction.steps), isShared: false)
        case .float(let number):
            return Fraction.place(of: number).map { Place(number: .constant($0), isShared: $0 % 2 != 0) }
        case .opaque(let name): return try place(ofNumber: name).map { Place(number: $0, isShared: nil) }
        default: return nil
        }
    }

    /// Where a number lies that a case has, or that is read of a text.
    func place(ofNumber name: String) throws -> Number? {
        if name.hasPrefix(Value.placeName) || name.hasPrefix("(") && !name.hasPrefix("(tonumber ") { return nil }
        return try path.number(Fraction.name(name), Fraction.bounds)
    }

    /// Whether of two numbers, one of which need not be whole, the first is less, or not greater.
    func isLess(fraction left: Value, _ right: Value, orEqual: Bool, _ site: Site) throws -> Condition {
        let unknown = { try self.unknown(orEqual ? "<=" : "<", left, right, site) }
        if let (one, other) = try compared(ratio: left, right) { return orEqual ? one <= other : one < other }
        // What is reckoned need not be a number: that is not equal to itself.
        guard let one = try place(of: left), let other = try place(of: right) else { return try unknown() }
        if left.isSame(as: right) { return .constant(orEqual) }
        if one.isShared == false || other.isShared == false {
            return orEqual ? one.number <= other.number : one.number < other.number
        }
        let isBetween = one.number.equals(other.number) && one.number.modulo(2).equals(.constant(1))
        let isAtMost = orEqual ? one.number <= other.number : one.number < other.number
        if isBetween == .constant(false) { return isAtMost }
        return try (isBetween.negated && isAtMost) || (isBetween && unknown())
    }

    /// Whether two numbers are equal one of which need not be whole.
    func areEqual(fraction left: Value, _ right: Value, _ site: Site) throws -> Condition {
        if let (one, other) = try compared(ratio: left, right) { return one.equals(other) }
        guard let one = try place(of: left), let other = try place(of: right) else {
            return try unknown("==", left, right, site)
        }
        if left.isSame(as: right) { return .constant(true) }
        let isThere = one.number.equals(other.number)
        if isThere == .constant(false) || one.isShared == false || other.isShared == false { return isThere }
        let isShared = one.number.modulo(2).equals(.constant(1))
        return try isThere && (isShared.negated || unknown("==", left, right, site))
    }

    /// What a comparison of values comes to of which only what they are made of is known.
    func unknown(_ operation: String, _ left: Value, _ right: Value, _ site: Site) throws -> Condition {
        path.approximate(site.unsettled("a comparison of what is not reckoned with exactly"))
        return try path.condition("(\(operation) \(name(of: left)) \(name(of: right)))")
    }

    /// The whole number below or above a number of the case, or it itself; nil where it is not known where it lies.
    func rounded(_ value: Value, up: Bool, _ site: Site) throws -> Value? {
        if let whole = try rounded(ratio: value, up: up, site) { return whole }
        guard case .opaque(let name) = value, let place = try place(ofNumber: name) else { return nil }
        return .integer(up ? place.dividedUp(by: Fraction.steps) : place.divided(by: Fraction.steps))
    }

    /// States which of the texts that stand in the sources is the one of a number that need not be whole.
    ///
    /// - Parameter made: the text.
    func relate(text made: Text, toNumber name: String) throws {
        guard let place = try place(ofNumber: name) else { return }
        var known: [Int64: Condition] = [:]
        for word in texts.literals {
            // Lua writes none of these without a point, or as anything else.
            guard word.contains("."), let number = Double(word) else {
                if Double(word)?.isFinite ?? true, !word.contains("e") {
                    known[texts.number(of: word)] = .constant(false)
                }
                continue
            }
            guard let there = Fraction.place(of: number), there % 2 == 0 else { continue }
            known[texts.number(of: word)] = place.equals(.constant(there))
        }
        try library.state("tostring \(name)", path) { Relation(of: texts.number(of: made), known) }
    }
}
