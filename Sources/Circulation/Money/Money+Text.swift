extension Money {
    /// Reads `0.20`, `5`, `-1.5`: digits with at most one point and no more decimals than the currency has.
    ///
    /// - Throws: ``MoneyError``: malformed, too precise, overflow.
    package init(parsing text: String, currency: Currency) throws(MoneyError) {
        let decimal = try Decimals(text, as: "amount of money, such as 0.20")
        guard decimal.places <= currency.exponent else { throw MoneyError.tooPrecise(text, currency) }
        self.init(minorUnits: try decimal.scaled(to: currency.exponent), currency: currency)
    }

    /// Reads what ``description`` writes: `0.20 EUR`.
    ///
    /// - Throws: ``MoneyError``.
    package init(parsing text: String) throws(MoneyError) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw MoneyError.malformed(text, expected: "amount of money, such as 0.20 EUR")
        }
        try self.init(parsing: String(parts[0]), currency: Currency(named: String(parts[1])))
    }

    /// Reads a part of a longer text as an amount.
    package init(parsing text: Substring, currency: Currency) throws(MoneyError) {
        try self.init(parsing: String(text), currency: currency)
    }

    /// Reads a part of a longer text as an amount with its currency.
    package init(parsing text: Substring) throws(MoneyError) {
        try self.init(parsing: String(text))
    }

    /// The amount without the currency: `0.20`
    package var amountText: String {
        let magnitude = minorUnits.magnitude
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.exponent > 0 else { return "\(sign)\(magnitude)" }
        let (units, rest) = magnitude.quotientAndRemainder(dividingBy: currency.minorUnitsPerUnit.magnitude)
        let digits = String(rest)
        let zeros = String(repeating: "0", count: currency.exponent - digits.utf8.count)
        return "\(sign)\(units).\(zeros)\(digits)"
    }
}

extension Money: CustomStringConvertible {
    /// `0.20 EUR`
    package var description: String { "\(amountText) \(currency.code)" }
}

/// A decimal number as written: its digits as an integer and how many of them follow the point.
struct Decimals {
    let digits: Int64
    let places: Int

    /// - Throws: ``MoneyError``: malformed, overflow.
    init(_ text: String, as kind: String) throws(MoneyError) {
        var value: Int64 = 0
        var places = 0
        var digitCount = 0
        var hasPoint = false
        var isTooLong = false
        let isNegative = text.utf8.first == 0x2D
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            if byte == 0x2E, !hasPoint, digitCount > 0 {
                hasPoint = true
                continue
            }
            guard byte &- 0x30 < 10 else { throw MoneyError.malformed(text, expected: kind) }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(byte &- 0x30))
            isTooLong = isTooLong || overflow || carry
            value = sum
            digitCount += 1
            if hasPoint { places += 1 }
        }
        guard digitCount > 0, !hasPoint || places > 0 else {
            throw MoneyError.malformed(text, expected: kind)
        }
        // The digits were taken as negative, since that side reaches one further.
        if isTooLong || (!isNegative && value == .min) { throw MoneyError.overflow }
        digits = isNegative ? value : -value
        self.places = places
    }

    /// The digits with exactly `places` decimals, at least as many as there are.
    func scaled(to places: Int) throws(MoneyError) -> Int64 {
        var result = digits
        for _ in self.places..<max(places, self.places) {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { throw MoneyError.overflow }
            result = product
        }
        return result
    }
}
