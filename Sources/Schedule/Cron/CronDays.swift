import Circulation

/// The two fields that say on which days.
///
/// Where both say something, a day that fits either one will do, as in Vixie's cron; where one is `*` or `?`, the other
/// alone decides.
struct CronDays: Hashable, Sendable {
    private var days = CronValues()
    /// `L` and `L-3`: how many days before the last one.
    private var fromEnd: Set<Int> = []
    /// `15W`: the working day (Monday to Friday) nearest to it within the month.
    private var nearest: Set<Int> = []
    /// `LW`
    private var lastWorkingDay = false

    private var weekdays = CronValues()
    /// `5L`: the last of these in the month.
    private var lastWeekdays = CronValues()
    /// `5#2`: the second Friday.
    private var numbered: Set<Numbered> = []

    private struct Numbered: Hashable, Sendable {
        var weekday: Int
        var number: Int
    }

    init(days: Substring, weekdays: Substring) throws(CronError) {
        for entry in try CronField.dayOfMonth.entries(days) { try addDay(entry) }
        for entry in try CronField.weekday.entries(weekdays) { try addWeekday(entry) }
    }

    private mutating func addDay(_ entry: Substring) throws(CronError) {
        let field = CronField.dayOfMonth
        switch entry.uppercased() {
        case "L": fromEnd.insert(0)
        case "LW", "WL": lastWorkingDay = true
        case let text where text.hasPrefix("L-"):
            let count = entry.dropFirst(2)
            guard let days = CronField.number(count), (1...30).contains(days) else {
                throw CronError("'\(entry)' is not a valid \(field.name); expected L-1 to L-30")
            }
            fromEnd.insert(days)
        case let text where text.hasSuffix("W"): nearest.insert(try field.value(entry.dropLast()))
        default: days.formUnion(try field.values(entry))
        }
    }

    private mutating func addWeekday(_ entry: Substring) throws(CronError) {
        let field = CronField.weekday
        if let hash = entry.firstIndex(of: "#") {
            let count = entry[entry.index(after: hash)...]
            guard let number = CronField.number(count), (1...5).contains(number) else {
                throw CronError("'\(entry)' is not a valid \(field.name); expected a number from 1 to 5 behind the #")
            }
            numbered.insert(Numbered(weekday: try field.value(entry[..<hash]) % 7, number: number))
        } else if entry.uppercased() == "L" {
            throw CronError("'L' is not a weekday; write friL for the last Friday of the month")
        } else if entry.uppercased().hasSuffix("L") {
            lastWeekdays.insert(try field.value(entry.dropLast()) % 7)
        } else {
            let values = try field.values(entry)
            weekdays.formUnion(values)
            if values.contains(7) { weekdays.insert(0) }
        }
    }

    func contains(_ date: CivilDate) -> Bool {
        switch (days.isUnrestricted, weekdays.isUnrestricted) {
        case (true, true): true
        case (true, false): fitsWeekday(date)
        case (false, true): fitsDay(date)
        case (false, false): fitsDay(date) || fitsWeekday(date)
        }
    }

    private func fitsDay(_ date: CivilDate) -> Bool {
        let day = date.day
        if days.contains(day) { return true }
        guard !fromEnd.isEmpty || !nearest.isEmpty || lastWorkingDay else { return false }
        let length = CivilDate.daysInMonth(date.month, year: date.year)
        if fromEnd.contains(length - day) { return true }
        // Monday to Friday: 1 to 5.
        let weekday = date.weekday.rawValue
        guard (1...5).contains(weekday) else { return false }
        if lastWorkingDay, day == length || weekday == 5 && day >= length - 2 { return true }
        if nearest.contains(day) { return true }
        // A Saturday goes to the Friday before it, a Sunday to the Monday after, but not into another month.
        if weekday == 5 && day < length && nearest.contains(day + 1) { return true }
        if weekday == 1 && day > 1 && nearest.contains(day - 1) { return true }
        if weekday == 1 && day == 3 && nearest.contains(1) { return true }
        return weekday == 5 && day == length - 2 && nearest.contains(length)
    }

    private func fitsWeekday(_ date: CivilDate) -> Bool {
        let weekday = date.weekday.rawValue % 7
        let day = date.day
        if weekdays.contains(weekday) { return true }
        if lastWeekdays.contains(weekday), day + 7 > CivilDate.daysInMonth(date.month, year: date.year) { return true }
        return numbered.contains(Numbered(weekday: weekday, number: (day + 6) / 7))
    }
}
