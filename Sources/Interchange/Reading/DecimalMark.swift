import Circulation

/// What stands before the decimals of a file's amounts.
package enum DecimalMark: String, Sendable, CaseIterable {
    case point, comma
}

extension DecimalMark: ReadingConvention {
    typealias Value = String

    static var option: String { "--decimals" }
    static var name: String { "amounts" }
    static var mayMix: Bool { true }

    func words(isFirst: Bool) -> String { "decimals stand behind a \(rawValue)" }

    private var other: DecimalMark { self == .point ? .comma : .point }
    private var character: Character { self == .point ? "." : "," }

    /// Reads `1234.50`, `1.234,50`, `1'234.50`, `EUR 12,50`, `12.50 €`, `12,-` as decimals with a point.
    static func readings(of text: String, _ currency: Currency) -> Readings<DecimalMark> {
        guard let amount = CurrencyMark.without(currency, text) else { return .none }
        let groups = amount.split(omittingEmptySubsequences: false) { " '’\u{A0}\u{202F}".contains($0) }
        guard groups.count == 1 || isGrouped(groups.map { $0.prefix { $0 != "." && $0 != "," } }) else { return .none }
        let number = groups.joined()
        guard number.utf8.contains(where: { (0x30...0x39).contains($0) }),
            number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C })
        else { return .none }
        let marks = number.filter { $0 == "." || $0 == "," }
        guard let last = marks.last else { return .certain(number) }
        let mark: DecimalMark = last == "." ? .point : .comma
        let parts = number.split(omittingEmptySubsequences: false) { $0 == last }
        if marks.contains(where: { $0 != last }) {
            // The last mark stands once, before the decimals, the other one between thousands.
            guard parts.count == 2,
                isGrouped(parts[0].split(separator: mark.other.character, omittingEmptySubsequences: false)),
                !parts[1].isEmpty
            else { return .none }
            return .open([(mark, "\(parts[0].filter { $0 != mark.other.character }).\(parts[1])")])
        }
        if parts.count > 2 { return isGrouped(parts) ? .open([(mark.other, parts.joined())]) : .none }
        guard !parts[1].isEmpty else { return .none }
        let decimal = "\(parts[0].isEmpty ? "0" : parts[0]).\(parts[1])"
        return isGrouped(parts) ? .open([(mark, decimal), (mark.other, parts.joined())]) : .open([(mark, decimal)])
    }

    /// Whether these are groups of thousands.
    private static func isGrouped(_ parts: [Substring]) -> Bool {
        guard let first = parts.first else { return false }
        return (1...3).contains(first.count) && first.first != "0" && parts.dropFirst().allSatisfy { $0.count == 3 }
    }
}

/// The signs of currencies that stand beside amounts.
enum CurrencyMark {
    private static let signs: [String: Set<String>] = [
        "€": ["EUR"], "£": ["GBP"], "¥": ["JPY", "CNY"], "zł": ["PLN"], "Kč": ["CZK"], "₺": ["TRY"], "₹": ["INR"],
        "$": ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD"], "kr": ["SEK", "NOK", "DKK", "ISK"],
        "kr.": ["SEK", "NOK", "DKK", "ISK"], "Fr.": ["CHF"], "R": ["ZAR"], "R$": ["BRL"], "₩": ["KRW"],
    ]

    /// The amount alone; nil where the text names another currency.
    static func without(_ currency: Currency, _ text: String) -> String? {
        var amount = FieldText.nonBlank(text) ?? ""
        for sign in [leading(amount), trailing(amount)] where !sign.isEmpty {
            let name = FieldText.nonBlank(sign) ?? ""
            guard name.uppercased() == currency.code || signs[name]?.contains(currency.code) == true else { return nil }
            amount = amount.hasPrefix(sign) ? String(amount.dropFirst(sign.count)) : String(amount.dropLast(sign.count))
        }
        for none in [",-", ".-", ",--", ",—", ".—"] where amount.hasSuffix(none) { amount.removeLast(none.count) }
        return FieldText.nonBlank(amount)
    }

    private static func leading(_ text: String) -> String {
        String(text.prefix { !$0.isNumber && $0 != "-" && $0 != "," })
    }

    private static func trailing(_ text: String) -> String {
        let sign = text.reversed().prefix { !$0.isNumber && !"-—,".contains($0) }
        return sign.count == text.count ? "" : String(sign.reversed())
    }
}
