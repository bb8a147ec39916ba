import Circulation
import Testing

@Suite("Money")
struct MoneyTests {
    private func money(_ text: String) throws -> Money { try Money(parsing: text) }

    @Test(
        "Amounts read and print with the decimals of their currency",
        arguments: [
            ("0.20 EUR", 20, "0.20 EUR"), ("5 EUR", 500, "5.00 EUR"), ("-1.5 EUR", -150, "-1.50 EUR"),
            ("500 JPY", 500, "500 JPY"),
            ("1.234 KWD", 1234, "1.234 KWD"), ("0.05 USD", 5, "0.05 USD"), ("-0.01 GBP", -1, "-0.01 GBP"),
            ("007 EUR", 700, "7.00 EUR"),
            ("92233720368547758.07 EUR", Int64.max, "92233720368547758.07 EUR"),
            ("-92233720368547758.08 EUR", .min, "-92233720368547758.08 EUR"),
        ] as [(String, Int64, String)])
    func reading(_ text: String, _ units: Int64, _ printed: String) throws {
        let amount = try money(text)
        #expect(amount.minorUnits == units)
        #expect(amount.description == printed)
        #expect(try money(printed) == amount)
    }

    @Test(
        "What is no amount is refused",
        arguments: [
            ("", MoneyError.Code.malformed), (".", .malformed), ("-", .malformed), (".5", .malformed),
            ("5.", .malformed), ("1,50", .malformed),
            ("1.000.00", .malformed), ("+1", .malformed), ("1e3", .malformed), (" 1", .malformed), ("NaN", .malformed),
            ("--1", .malformed),
            ("0.205", .tooPrecise), ("0.200", .tooPrecise), ("92233720368547758.08", .overflow),
            ("999999999999999999999", .overflow), ("٥", .malformed),
        ])
    func malformed(_ text: String, _ code: MoneyError.Code) throws {
        let error = try #require(throws: MoneyError.self) { try Money(parsing: text, currency: .eur) }
        #expect(error.code == code)
    }

    @Test(
        "An amount without or with a strange currency is refused",
        arguments: ["0.20", "0.20 eur", "0.20 XYZ", "0.20  EUR", "EUR 0.20", "0.5 JPY"])
    func currencies(_ text: String) {
        #expect(throws: MoneyError.self) { try Money(parsing: text) }
    }

    @Test(
        "Currencies know their decimals",
        arguments: [("EUR", 2, 100), ("JPY", 0, 1), ("KWD", 3, 1000), ("ISK", 0, 1), ("CHF", 2, 100), ("TND", 3, 1000)])
    func exponents(_ code: String, _ exponent: Int, _ units: Int64) throws {
        let currency = try Currency(named: code)
        #expect(currency.code == code)
        #expect(currency.exponent == exponent)
        #expect(currency.minorUnitsPerUnit == units)
    }

    @Test("Every currency of the table reads and prints")
    func table() throws {
        #expect(Currency.allCodes.count > 150)
        for code in Currency.allCodes {
            let one = Money(minorUnits: 1, currency: try Currency(named: code))
            #expect(try Money(parsing: one.description) == one)
        }
    }

    @Test(
        "Shares are rounded half up, line by line",
        arguments: [
            ("10.00 EUR", "6.62", "0.66 EUR"), ("0.50 EUR", "1", "0.01 EUR"), ("0.49 EUR", "1", "0.00 EUR"),
            ("-0.50 EUR", "1", "-0.01 EUR"),
            ("100.00 EUR", "19", "19.00 EUR"), ("1.05 EUR", "50", "0.53 EUR"),
            ("33.33 EUR", "33.333333333", "11.11 EUR"), ("5 JPY", "10", "1 JPY"),
            ("10.00 EUR", "-6.62", "-0.66 EUR"), ("92233720368547758.07 EUR", "100", "92233720368547758.07 EUR"),
            ("10.00 EUR", "0.05", "0.01 EUR"),
        ])
    func shares(_ amount: String, _ percent: String, _ expected: String) throws {
        #expect(try money(amount).multiplied(by: Percent(parsing: percent)).description == expected)
    }

    @Test(
        "Ratios are rounded half up, away from zero",
        arguments: [(10, 1, 3, 3), (5, 1, 2, 3), (-5, 1, 2, -3), (5, -1, 2, -3), (5, 1, -2, -3), (7, 3, 3, 7)]
            as [(Int64, Int64, Int64, Int64)])
    func ratios(_ units: Int64, _ numerator: Int64, _ denominator: Int64, _ expected: Int64) throws {
        let amount = Money(minorUnits: units, currency: .eur)
        #expect(try amount.multiplied(by: numerator, over: denominator).minorUnits == expected)
        #expect(throws: MoneyError.self) { try amount.multiplied(by: 1, over: 0) }
    }

    @Test("A sum that leaves 64 bits is an error, never a wrong figure")
    func overflow() throws {
        let largest = Money(minorUnits: .max, currency: .eur)
        let smallest = Money(minorUnits: .min, currency: .eur)
        let one = Money(minorUnits: 1, currency: .eur)
        #expect(throws: MoneyError.overflow) { try largest.adding(one) }
        #expect(throws: MoneyError.overflow) { try smallest.subtracting(one) }
        #expect(throws: MoneyError.overflow) { try largest.multiplied(by: 2 as Int64) }
        #expect(throws: MoneyError.overflow) { try smallest.negated() }
        #expect(throws: MoneyError.overflow) { try largest.multiplied(by: Percent(parsing: "100.000000001")) }
        #expect(throws: MoneyError.overflow) { try smallest.multiplied(by: .min, over: 1) }
        #expect(throws: MoneyError.overflow) { try smallest.multiplied(by: .min, over: .min + 1) }
        #expect(try largest.adding(smallest).minorUnits == -1)
    }

    @Test("Two currencies are never reckoned or compared together")
    func mixing() throws {
        let euro = try money("1 EUR")
        let yen = try money("1 JPY")
        #expect(throws: MoneyError.self) { try euro.adding(yen) }
        #expect(throws: MoneyError.self) { try euro.subtracting(yen) }
        #expect(throws: MoneyError.self) { try euro.isLess(than: yen) }
        #expect(throws: MoneyError.self) { try euro.capped(at: yen) }
        #expect(throws: MoneyError.self) { try Money.sum([euro, yen], currency: .eur) }
        #expect(euro != yen)
    }

    @Test("Caps and sums")
    func reckoning() throws {
        #expect(try money("12.40 EUR").capped(at: money("10.00 EUR")).description == "10.00 EUR")
        #expect(try money("2.40 EUR").capped(at: money("10.00 EUR")).description == "2.40 EUR")
        #expect(try Money.sum([money("1.10 EUR"), money("2.20 EUR")], currency: .eur).description == "3.30 EUR")
        #expect(try Money.sum([], currency: .eur) == .zero(.eur))
        #expect(try money("0.20 EUR").multiplied(by: 7 as Int64).description == "1.40 EUR")
    }

    @Test(
        "Percentages are exact and equal by value",
        arguments: [("6.62", "6.62%"), ("0.05", "0.05%"), ("19", "19%"), ("-1.5", "-1.5%"), ("0", "0%")])
    func percentages(_ text: String, _ printed: String) throws {
        let percent = try Percent(parsing: text)
        #expect(percent.description == printed)
        if text.contains(".") { #expect(try Percent(parsing: text + "0") == percent) }
        #expect(try percent < Percent(parsing: "20"))
    }

    @Test(
        "What is no percentage is refused",
        arguments: ["", "6,62", "6.62%", "1.0000000001", "x", "99999999999999999999"])
    func malformedPercentages(_ text: String) {
        #expect(throws: MoneyError.self) { try Percent(parsing: text) }
    }
}
