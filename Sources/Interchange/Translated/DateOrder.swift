import Circulation

/// In which order a file has day, month and year.
package enum DateOrder: String, Sendable, CaseIterable {
    case dmy, mdy, ymd
}

/// A date as people and spreadsheets write it.
enum LocalDate {
    case date(CivilDate)
    case ambiguous(dayFirst: CivilDate, monthFirst: CivilDate)
    case none

    /// Reads `2018-10-24`, `24/10/2018`, `10/24/2018`, `24.10.2018`; a time behind it is passed over. A year of four digits in front is
    /// followed by the month; between full stops the day comes first. Of the others the order says which it is, or there is one reading
    /// only; else both are told.
    init(_ text: String, order: DateOrder?) {
        let day = text.prefix { !$0.isWhitespace && $0 != "T" }
        let parts = day.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" || $0 == "." }
        let digits = parts.map { part in part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil }
        guard parts.count == 3, let first = digits[0], let second = digits[1], let third = digits[2] else {
            self = .none
            return
        }
        func of(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
            try? CivilDate(year: year, month: month, day: day)
        }
        if parts[0].count == 4 {
            self = of(first, second, third).map(LocalDate.date) ?? .none
            return
        }
        guard parts[2].count == 4 else {
            self = .none
            return
        }
        let dayFirst = order == .mdy ? nil : of(third, second, first)
        let monthFirst = order == .dmy || day.contains(".") ? nil : of(third, first, second)
        switch (dayFirst, monthFirst) {
        case (let one?, let other?): self = one == other ? .date(one) : .ambiguous(dayFirst: one, monthFirst: other)
        case (let one?, nil), (nil, let one?): self = .date(one)
        case (nil, nil): self = .none
        }
    }
}
