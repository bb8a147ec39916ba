/// A percentage, exactly as written: `6.62` is 662 over 10^2 per cent.
package struct Percent: Sendable {
    /// The digits as an integer: 662.
    package let scaled: Int64
    /// How many of them follow the point, 0 to 9: 2.
    package let places: Int

    /// - Throws: ``MoneyError/Code/malformed``, also for more than nine decimals; overflow.
    package init(parsing text: String) throws(MoneyError) {
        let kind = "percentage, such as 6.62"
        let decimals = try Decimals(text, as: kind)
        guard decimals.places <= 9 else { throw MoneyError.malformed(text, expected: kind) }
        scaled = decimals.digits
        places = decimals.places
    }

    /// Reads a part of a longer text as a percentage.
    package init(parsing text: Substring) throws(MoneyError) {
        try self.init(parsing: String(text))
    }

    /// A whole percentage.
    package init(_ whole: Int64) {
        scaled = whole
        places = 0
    }

    /// 10 to the power of ``places``.
    var scaleFactor: Int64 {
        var power: Int64 = 1
        for _ in 0..<places { power *= 10 }
        return power
    }

    /// Both digits at nine places, so that `6.6` and `6.60` are the same.
    private var canonical: Int128 {
        Int128(scaled) * Int128(1_000_000_000 / scaleFactor)
    }
}

extension Percent: Hashable, Comparable {
    package static func == (left: Percent, right: Percent) -> Bool { left.canonical == right.canonical }
    package static func < (left: Percent, right: Percent) -> Bool { left.canonical < right.canonical }
    package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}

extension Percent: CustomStringConvertible {
    /// `6.62%`
    package var description: String {
        let magnitude = String(scaled.magnitude)
        let sign = scaled < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(magnitude)%" }
        let digits = String(repeating: "0", count: max(0, places + 1 - magnitude.utf8.count)) + magnitude
        return "\(sign)\(digits.dropLast(places)).\(digits.suffix(places))%"
    }
}
