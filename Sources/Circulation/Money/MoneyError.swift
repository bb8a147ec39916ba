import TextFormats

/// Why an amount could not be read or computed.
package struct MoneyError: Error, Hashable, Sendable {
    /// The kinds of fault, for programs; people read ``message``.
    package enum Code: String, Hashable, Sendable {
        case malformed
        /// More decimals than the currency has.
        case tooPrecise
        case unknownCurrency
        /// Two currencies in one sum or comparison.
        case mixedCurrencies
        /// Beyond what 64 bits hold.
        case overflow
    }

    package let code: Code
    package let message: String

    static func malformed(_ text: String, expected: String) -> MoneyError {
        MoneyError(code: .malformed, message: "\"\(SafeText.line(text))\" is not a valid \(expected)")
    }

    static func tooPrecise(_ text: String, _ currency: Currency) -> MoneyError {
        let text = SafeText.line(text)
        return MoneyError(
            code: .tooPrecise,
            message: "\"\(text)\" has more than the \(currency.exponent) decimals of \(currency.code)")
    }

    static func unknownCurrency(_ code: String) -> MoneyError {
        MoneyError(code: .unknownCurrency, message: "there is no currency \"\(SafeText.line(code))\"")
    }

    static func mixedCurrencies(_ left: Currency, _ right: Currency) -> MoneyError {
        MoneyError(code: .mixedCurrencies, message: "\(left.code) and \(right.code) cannot be reckoned together")
    }

    /// An amount beyond 64 bits.
    package static let overflow = MoneyError(code: .overflow, message: "the amount is too large")
}

extension MoneyError: CustomStringConvertible {
    package var description: String { message }
}
