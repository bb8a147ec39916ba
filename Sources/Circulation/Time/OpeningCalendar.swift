/// When a branch is open: weekly hours, closures, yearly closures, and days opened by exception.
///
/// A day opened by exception wins over every closure; a closure wins over the weekly hours. Dates are local ones of the
/// branch; that the clock changes on one of them does not matter here.
///
/// Cheap to copy. Questions over years cost tens of nanoseconds a year, closed stretches of any length included.
package struct OpeningCalendar: Sendable {
    /// The hours of each weekday from Monday on, seven in number, in order; empty where the branch is closed.
    package var weekly: [[OpeningHours]] { parts.weekly }
    package var closed: [Closure] { parts.closed }
    package var yearly: [YearlyClosure] { parts.yearly }
    /// In order of their dates, each date once.
    package var opened: [Opening] { parts.opened }

    private let parts: Parts
    let days: OpenDays

    /// A branch that never closes, as a library without a calendar is taken to be.
    package static let alwaysOpen = OpeningCalendar(
        checked: Array(repeating: [.wholeDay], count: 7), closed: [], yearly: [], opened: [])

    /// - Parameters:
    ///   - weekly: seven lists from Monday on; a split shift is two entries.
    ///   - opened: of one date given twice the hours are joined.
    /// - Throws: ``TimeError/Code/badCalendar`` if there are not seven weekdays or hours of one day overlap.
    package init(
        weekly: [[OpeningHours]], closed: [Closure] = [], yearly: [YearlyClosure] = [], opened: [Opening] = []
    ) throws(TimeError) {
        guard weekly.count == 7 else {
            throw TimeError.badCalendar("a calendar has hours for seven weekdays, not \(weekly.count)")
        }
        for (index, hours) in weekly.enumerated() {
            try OpeningCalendar.check(hours, of: "\(Weekday.allCases[index])")
        }
        let joined = OpeningCalendar.joined(opened)
        for opening in joined {
            try OpeningCalendar.check(opening.hours, of: "\(opening.date)")
        }
        self.init(checked: weekly, closed: closed, yearly: yearly, opened: joined)
    }

    private init(checked weekly: [[OpeningHours]], closed: [Closure], yearly: [YearlyClosure], opened: [Opening]) {
        parts = Parts(weekly: weekly.map { $0.sorted() }, closed: closed, yearly: yearly, opened: opened)
        days = OpenDays(weekly: weekly, closed: closed, yearly: yearly, opened: opened)
    }

    private static func check(_ hours: [OpeningHours], of day: String) throws(TimeError) {
        let ordered = hours.sorted()
        for (earlier, later) in zip(ordered, ordered.dropFirst()) where later.opens < earlier.closes {
            throw TimeError.badCalendar("the hours \(earlier) and \(later) of \(day) overlap")
        }
    }

    private static func joined(_ opened: [Opening]) -> [Opening] {
        Dictionary(grouping: opened, by: \.date)
            .map { Opening($0.key, hours: Array(Set($0.value.flatMap(\.hours)))) }
            .sorted { $0.date < $1.date }
    }

    /// What a calendar was made of, shared by its copies.
    private final class Parts: Sendable {
        let weekly: [[OpeningHours]]
        let closed: [Closure]
        let yearly: [YearlyClosure]
        let opened: [Opening]

        init(weekly: [[OpeningHours]], closed: [Closure], yearly: [YearlyClosure], opened: [Opening]) {
            self.weekly = weekly
            self.closed = closed
            self.yearly = yearly
            self.opened = opened
        }
    }
}

extension OpeningCalendar: Hashable {
    /// Whether both were made of the same parts; of two that are open at the same times but say so differently, no.
    package static func == (left: OpeningCalendar, right: OpeningCalendar) -> Bool {
        left.parts === right.parts
            || (left.weekly == right.weekly && left.closed == right.closed && left.yearly == right.yearly
                && left.opened == right.opened)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(weekly)
        hasher.combine(closed)
        hasher.combine(yearly)
        hasher.combine(opened)
    }
}
