/// An amount of money: whole minor units (cents) of one currency.
///
/// Exact; sums that leave 64 bits and sums of two currencies are errors, never a wrong figure.
package struct Money: Hashable, Sendable {
    /// Cents, pence, yen.
    package let minorUnits: Int64
    package let currency: Currency

    package init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    package static func zero(_ currency: Currency) -> Money {
        Money(minorUnits: 0, currency: currency)
    }

    package var isZero: Bool { minorUnits == 0 }
    package var isNegative: Bool { minorUnits < 0 }
    package var isPositive: Bool { minorUnits > 0 }
}

// MARK: - Reckoning

extension Money {
    /// - Throws: ``MoneyError``: mixed currencies, overflow.
    package func adding(_ other: Money) throws(MoneyError) -> Money {
        try requireSameCurrency(other)
        let (sum, overflow) = minorUnits.addingReportingOverflow(other.minorUnits)
        return try checked(sum, overflow)
    }

    /// - Throws: ``MoneyError``: mixed currencies, overflow.
    package func subtracting(_ other: Money) throws(MoneyError) -> Money {
        try requireSameCurrency(other)
        let (difference, overflow) = minorUnits.subtractingReportingOverflow(other.minorUnits)
        return try checked(difference, overflow)
    }

    /// - Throws: ``MoneyError/Code/overflow``.
    package func multiplied(by factor: Int64) throws(MoneyError) -> Money {
        let (product, overflow) = minorUnits.multipliedReportingOverflow(by: factor)
        return try checked(product, overflow)
    }

    /// The share of the amount, rounded half up: half a cent becomes a cent, and half a cent of a negative amount a
    /// cent less, so that a refund mirrors its charge.
    ///
    /// - Throws: ``MoneyError/Code/overflow``.
    package func multiplied(by percent: Percent) throws(MoneyError) -> Money {
        let divisor = Int128(100) * Int128(percent.scaleFactor)
        return try rounded(Int128(minorUnits) * Int128(percent.scaled), over: divisor)
    }

    /// The amount times `numerator` over `denominator`, rounded half up, away from zero.
    ///
    /// - Throws: ``MoneyError/Code/overflow``, also for a denominator of zero.
    package func multiplied(by numerator: Int64, over denominator: Int64) throws(MoneyError) -> Money {
        guard denominator != 0 else { throw MoneyError.overflow }
        let sign: Int128 = denominator < 0 ? -1 : 1
        return try rounded(Int128(minorUnits) * Int128(numerator) * sign, over: Int128(denominator) * sign)
    }

    /// - Throws: ``MoneyError/Code/overflow`` for the most negative amount.
    package func negated() throws(MoneyError) -> Money {
        let (negative, overflow) = Int64(0).subtractingReportingOverflow(minorUnits)
        return try checked(negative, overflow)
    }

    /// Whether this amount is less than `other`.
    ///
    /// - Throws: ``MoneyError/Code/mixedCurrencies``.
    package func isLess(than other: Money) throws(MoneyError) -> Bool {
        try requireSameCurrency(other)
        return minorUnits < other.minorUnits
    }

    /// The smaller of the two, for a cap.
    ///
    /// - Throws: ``MoneyError/Code/mixedCurrencies``.
    package func capped(at cap: Money) throws(MoneyError) -> Money {
        try cap.isLess(than: self) ? cap : self
    }

    /// The sum of `amounts`; zero of `currency` if there are none.
    ///
    /// - Throws: ``MoneyError``: mixed currencies, overflow.
    package static func sum(_ amounts: some Sequence<Money>, currency: Currency) throws(MoneyError) -> Money {
        var total = Money.zero(currency)
        for amount in amounts { total = try total.adding(amount) }
        return total
    }

    private func requireSameCurrency(_ other: Money) throws(MoneyError) {
        if currency != other.currency { throw MoneyError.mixedCurrencies(currency, other.currency) }
    }

    private func checked(_ result: Int64, _ overflow: Bool) throws(MoneyError) -> Money {
        if overflow { throw MoneyError.overflow }
        return Money(minorUnits: result, currency: currency)
    }

    /// - Parameter divisor: positive.
    private func rounded(_ dividend: Int128, over divisor: Int128) throws(MoneyError) -> Money {
        let (quotient, remainder) = dividend.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
        let isHalfOrMore = remainder >= divisor.magnitude - remainder
        let magnitude = quotient + (isHalfOrMore ? 1 : 0)
        guard magnitude <= UInt128(Int64.max) else { throw MoneyError.overflow }
        let units = Int64(magnitude)
        return Money(minorUnits: dividend < 0 ? -units : units, currency: currency)
    }
}
