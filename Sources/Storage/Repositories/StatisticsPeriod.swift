import Circulation

/// The civil day, week, month or year around one instant, in a zone.
struct StatisticsPeriod: Hashable {
    /// `2026-11-21`, `2026-W47`, `2026-11`, `2026`.
    let key: String
    let begins: Instant
    /// The first instant that is not in it any more.
    let ends: Instant

    /// - Returns: nil for a group that is not a period.
    init?(of group: LoanGroup, around instant: Instant, in zone: Zone) {
        let date = zone.date(of: instant)
        guard let first = Self.first(of: group, around: date) else { return nil }
        key = Self.key(of: group, first: first)
        begins = zone.startOfDay(first)
        ends = Self.next(of: group, after: first).map { zone.startOfDay($0) } ?? .latest
    }

    /// The key of the period that a day lies in; nil for a group that is not a period.
    static func key(of group: LoanGroup, on date: CivilDate) -> String? {
        first(of: group, around: date).map { key(of: group, first: $0) }
    }

    func contains(_ instant: Instant) -> Bool { begins <= instant && instant < ends }

    private static func first(of group: LoanGroup, around date: CivilDate) -> CivilDate? {
        switch group {
        case .day: date
        // Before the calendar's first Monday, and only there, the week begins with the calendar.
        case .week: (try? date.adding(days: 1 - Int64(date.weekday.rawValue))) ?? .earliest
        case .month: try? CivilDate(year: date.year, month: date.month, day: 1)
        case .year: try? CivilDate(year: date.year, month: 1, day: 1)
        case .branch, .category, .itemType, .genre, .title: nil
        }
    }

    /// nil at the end of the calendar.
    private static func next(of group: LoanGroup, after first: CivilDate) -> CivilDate? {
        switch group {
        case .day: try? first.adding(days: 1)
        case .week: try? first.adding(days: 7)
        case .month: try? first.adding(months: 1)
        case .year: try? first.adding(months: 12)
        case .branch, .category, .itemType, .genre, .title: nil
        }
    }

    private static func key(of group: LoanGroup, first: CivilDate) -> String {
        let text = first.description
        switch group {
        case .month: return String(text.dropLast(3))
        case .year: return String(text.dropLast(6))
        case .week: return weekKey(monday: first)
        default: return text
        }
    }

    /// A week belongs to the year in which its Thursday lies, and the first of a year is the one with 4 January in it
    /// (ISO 8601).
    private static func weekKey(monday: CivilDate) -> String {
        let thursday = (try? monday.adding(days: 3)) ?? monday
        let week = (thursday.dayOfYear - 1) / 7 + 1
        let year = String(thursday.year)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + (week < 10 ? "-W0" : "-W") + String(week)
    }
}
