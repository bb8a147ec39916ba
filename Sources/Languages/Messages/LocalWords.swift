/// Dates and amounts as the readers of a language write them: the forms are messages of its catalogue.
extension Language {
    private static let months: [Phrase] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// What becomes of an offer or a suggestion that was looked at, in notices.
    private static let decisions: [Phrase] = ["approved", "declined"]

    /// `24 December 2026`
    ///
    /// - Parameter month: from 1 to 12.
    package func date(year: Int, month: Int, day: Int) -> String {
        let name = Self.months.indices.contains(month - 1) ? Self.months[month - 1] : .init(identifier: String(month))
        return text(of: "\(day) \(name) \(year)")
    }

    /// An amount as the library writes it, `4.50 EUR`; nil: the text is none.
    package func amount(_ text: String) -> String? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 3, parts[1].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            return nil
        }
        let digits = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard digits.count == 2, digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isNumber || $0 == "-" } }) else {
            return digits.count == 1 && Int64(parts[0]) != nil ? text : nil
        }
        return self.text(of: "\(digits[0]).\(digits[1]) \(parts[1])")
    }

    /// A value of a sentence: a date or an amount as the language writes it, anything else as it is.
    func local(_ value: String) -> String {
        if let amount = amount(value) { return amount }
        if let decision = Self.decisions.first(where: { $0.identifier == value }) { return text(of: decision) }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        if parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        {
            return date(year: year, month: month, day: day)
        }
        return value
    }
}
