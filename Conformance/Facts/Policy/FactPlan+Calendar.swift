import Circulation
import TextFormats

extension FactPlan {
    /// Zone, opening days and hours.
    func readCalendar() throws {
        try readZone()
        // Days may be told by the moment of the operation, where that is told by a date.
        if let text = given.object["now"]?.stringValue, let stated = try? Instant(parsing: text, in: zone) {
            now = stated
        }
        let allDay = try allDayHours()
        if let words = given.object["calendar"]?.stringValue {
            given.ignore("calendar")
            calendar = try CalendarWords.calendar(words: words)
        } else if let fields = try given.part("calendar") {
            calendar = try CalendarWords.calendar(fields, allDay: allDay)
        }
        if let words = given.object["hours"]?.stringValue {
            given.ignore("hours")
            guard words.lowercased().hasPrefix("open all day") else { throw given.unreadable("hours") }
            calendar = try OpeningCalendar(weekly: Array(repeating: [allDay], count: 7))
        } else if given.object["hours"]?.objectValue != nil, let fields = try given.part("hours") {
            calendar = try CalendarWords.calendar(fields, allDay: allDay)
        }
        if let hours = try given.text("open_hours_daily") {
            calendar = try OpeningCalendar(weekly: Array(repeating: CalendarWords.hours(hours), count: 7))
        }
        try readClosedDays()
    }

    private func readZone() throws {
        let name = try given.text("tz") ?? given.object["calendar"]?["tz"]?.stringValue
        guard let name = name?.split(separator: "(").first?.split(separator: " ").first else { return }
        if name == "floating" || name == "UTC" || name == "Z" { return }
        guard let zone = Zone(identifier: String(name)) else { throw NotExpressed("the zone \(name) is not known") }
        self.zone = zone
    }

    /// The source of FOLIO's lateness ends an opening of a whole day at 23:59, so its calendar is entered that way.
    private func allDayHours() throws -> OpeningHours {
        guard system == .folio, given.has("hours") else { return .wholeDay }
        return try OpeningHours(.midnight, to: CivilTime(hour: 23, minute: 59))
    }

    /// Closed days beside a calendar, or without one.
    private func readClosedDays() throws {
        var weekly = calendar.weekly
        var closed = calendar.closed
        if let words = given.object["weekly_closed"]?.stringValue {
            given.ignore("weekly_closed")
            guard words == "one weekday" else { throw given.unreadable("weekly_closed") }
            weekly[today.weekday.rawValue % 7] = []
        } else {
            for name in try given.texts("weekly_closed") ?? [] { weekly[try CalendarWords.weekday(name) - 1] = [] }
        }
        for key in ["closed_dates", "closed"] {
            for text in try given.texts(key) ?? [] {
                closed.append(try OpeningCalendar.Closure(moments.moment(text).date))
            }
        }
        calendar = try OpeningCalendar(
            weekly: weekly, closed: closed, yearly: calendar.yearly, opened: calendar.opened)
    }

    var system: ForeignSystem { reading.system }
}
