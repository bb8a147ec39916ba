import LuaSyntax

/// What a text stands for that was written where a value belongs.
enum ValueSuggestion {
    /// `weeks(3)` for `3 weeks`, `money "0.20"` for `0.20 EUR`; nil where nothing comes to mind.
    static func meant(by text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let joined = words.joined()
        let number = joined.prefix { $0.isASCII && $0.isNumber }
        let rest = String(joined.dropFirst(number.count))
        if !number.isEmpty, let unit = SyntaxHint.unit(rest) { return "\(unit)(\(number))" }
        let amount = joined.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        if !amount.isEmpty, amount.contains("."),
            joined.dropFirst(amount.count).allSatisfy({ $0.isLetter || "€$£".contains($0) })
        {
            return "money \"\(amount)\""
        }
        return ["none", "unlimited", "nil", "true", "false"].first { $0 == joined.lowercased() }
    }
}
