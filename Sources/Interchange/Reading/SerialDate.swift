import Circulation

/// A date as spreadsheets keep it: the number of days since the end of 1899.
enum SerialDate {
    /// The days of which a date of people or books is likely.
    private static let likely = 10_000...60_000

    /// What to do about a number in a column of dates; nil where it is none that may stand for a day.
    ///
    /// It may be counted from 1900 or from 1904, which the number does not say.
    static func advice(_ text: String) -> String? {
        let digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        guard let number = Int(digits), likely.contains(number),
            let day = try? CivilDate(year: 1899, month: 12, day: 30).adding(days: Int64(number))
        else { return nil }
        return "spreadsheets keep \(day) as such a number; format the column as a date, and export it again"
    }
}
