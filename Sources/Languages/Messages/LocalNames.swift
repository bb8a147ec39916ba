import Foundation

/// What the readers of a language call languages, months, weeks and days, and how they write numbers: what CLDR knows of it, with
/// the digits that pages have.
extension Language {
    /// `French` for `fr`, `fre` and `fra`.
    ///
    /// - Parameter code: an ISO 639 code, or one with a region such as `pt-BR`.
    /// - Returns: nil for what is no code of a language.
    package func name(ofLanguage code: String) -> String? {
        guard (2...20).contains(code.utf8.count),
            code.utf8.allSatisfy({ (97...122).contains($0 | 32) || $0 == 45 || (48...57).contains($0) })
        else { return nil }
        let name =
            code.contains("-")
            ? locale.localizedString(forIdentifier: code) : locale.localizedString(forLanguageCode: code)
        return name == code ? nil : name
    }

    /// `Dec 2026`
    ///
    /// - Parameter month: from 1 to 12.
    package func month(year: Int, month: Int) -> String {
        if isEnglish { return "\(Self.shortMonths[month - 1]) \(Self.four(year))" }
        return formatted(year: year, month: month, day: nil)
    }

    /// `24 Dec 2026`
    ///
    /// - Parameter month: from 1 to 12.
    package func shortDate(year: Int, month: Int, day: Int) -> String {
        if isEnglish { return "\(day) \(Self.shortMonths[month - 1]) \(year)" }
        return formatted(year: year, month: month, day: day)
    }

    /// `Week 52 of 2026`
    package func week(_ week: Int, year: Int) -> String { text(of: "Week \(week) of \(Self.four(year))") }

    /// A number in digits with a point, such as `1234.5`, with the sign that the language has between whole and fraction.
    package func decimal(_ text: String) -> String {
        let sign = locale.decimalSeparator ?? "."
        return sign == "." ? text : text.replacing(".", with: sign)
    }

    /// What stands where a report knows nothing.
    package var notKnown: String { text(of: "not known") }

    /// The name of a row of sums.
    package var total: String { text(of: "Total") }

    /// A word of the program's own, such as `on_loan`.
    ///
    /// - Parameter isHeading: whether it begins with a capital in English, as names of days do.
    package func word(_ word: String, isHeading: Bool = false) -> String {
        let plain = word.replacing("_", with: " ")
        let written = plain.prefix(1).uppercased() + plain.dropFirst()
        for identifier in isHeading ? [written] : [plain, written] where catalogue.has(identifier) {
            return text(of: Phrase(identifier: identifier))
        }
        return text(of: Phrase(identifier: isHeading ? written : plain))
    }

    private var isEnglish: Bool { code == Language.english.code }

    /// Pages have the digits of Europe in every language.
    private var locale: Locale { Locale(identifier: "\(code)-u-nu-latn") }

    private static let shortMonths = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func four(_ year: Int) -> String {
        String(repeating: "0", count: max(0, 4 - String(year).utf8.count)) + String(year)
    }

    // MARK: - Dates

    /// In UTC, since a date has no clock.
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func formatted(year: Int, month: Int, day: Int?) -> String {
        let parts = DateComponents(year: year, month: month, day: day ?? 1)
        guard let date = Self.calendar.date(from: parts) else {
            return [year, month].map(String.init).joined(separator: "-")
        }
        let style = Date.FormatStyle(locale: locale, calendar: Self.calendar, timeZone: .gmt).month(.abbreviated).year()
        return date.formatted(day == nil ? style : style.day())
    }
}
