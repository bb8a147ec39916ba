import Circulation

/// By what a figure is split: a row or a column of a report for each of its values.
package enum FigureDimension: String, Hashable, Sendable, CaseIterable {
    case branch, category
    case itemType = "item_type"
    case genre, subject, course, college, language, status
    case day, week, month, year, weekday, hour

    /// What reports and forms call it.
    package var words: String {
        switch self {
        case .itemType: "item type"
        default: rawValue
        }
    }

    /// Whether its values come in the order of time.
    package var isOfTime: Bool { period != nil || isOfClock }

    /// Weekdays and hours, which come again.
    package var isOfClock: Bool { self == .weekday || self == .hour }

    /// Whether one title may have several of its values, so that it counts in each.
    package var isSeveral: Bool { [.genre, .subject, .course].contains(self) }

    /// Whether its values are few enough to stand side by side.
    package var isForColumns: Bool { !isSeveral && self != .day && self != .college }

    /// Whether titles are looked at to tell.
    var isOfTitle: Bool { isSeveral || self == .college || self == .language }

    /// The period of the calendar that it is.
    var period: LoanGroup? {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        default: nil
        }
    }

    /// What a library declares under codes, and reports may be limited to.
    package static let filters: [FigureDimension] = [.branch, .category, .itemType]
}
