import Circulation
import Desk
import TextFormats

extension StepOutcome {
    /// Opening days alone, and what a change of them does to loans.
    func askCalendar() throws {
        let branch = values.text("branch") ?? FactLibrary.branch
        let calendar = try scenario.calendar(branch)
        switch operation {
        case "is_open":
            let moment = try moment("date")
            let local = scenario.zone.local(of: moment.instant)
            answers["open"] = .bool(
                moment.isDate ? calendar.isOpen(moment.date) : calendar.isOpen(local.date, local.time))
        case "add_days": try addDays(calendar)
        case "count_open_days":
            let (one, other) = (try moment("from").date, try moment("until_day").date)
            let first = values.flag("inclusive") == true ? try min(one, other).adding(days: -1) : min(one, other)
            let last = values.flag("between") == true ? try max(one, other).adding(days: -1) : max(one, other)
            let count = last > first ? calendar.openDaysBetween(first, last) : 0
            answers["open_days"] = .integer(Int64(count))
            answers["any_open"] = .bool(count > 0)
        case "next_open", "previous_open": try nearest(calendar)
        default: try close(branch)
        }
    }

    private func moment(_ name: String) throws -> Moment {
        guard let moment = try scenario.moment(values, name) else { throw missing(name) }
        return moment
    }

    private func addDays(_ calendar: OpeningCalendar) throws {
        let start = try moment("from")
        guard let days = values.number("days") else { throw missing("days") }
        let plain = try start.date.adding(days: days)
        let date =
            switch values.text("mode") ?? "days" {
            case "open_days": try calendar.addOpenDays(start.date, days)
            case "next_open":
                try days < 0 ? calendar.previousOpen(onOrBefore: plain) : calendar.nextOpen(onOrAfter: plain)
            default: plain
            }
        answers["weekday"] = .string(date.weekday.abbreviation.lowercased())
        let time = scenario.zone.local(of: start.instant).time
        moments["date"] = scenario.zone.instant(of: date, time)
    }

    private func nearest(_ calendar: OpeningCalendar) throws {
        let date = try moment("from").date
        let isInclusive = values.flag("inclusive") == true
        do {
            let found =
                operation == "next_open"
                ? try isInclusive ? calendar.nextOpen(onOrAfter: date) : calendar.nextOpen(after: date)
                : try isInclusive ? calendar.previousOpen(onOrBefore: date) : calendar.previousOpen(before: date)
            answers["weekday"] = .string(found.weekday.abbreviation.lowercased())
            moments["date"] = scenario.zone.startOfDay(found)
        } catch {
            guard error.code == .noOpenDay else { throw error }
        }
    }

    private func close(_ branch: String) throws {
        var moved: Int64 = 0
        for text in values.texts("date") {
            guard let day = try MomentText(text)?.moment(scenario.words(barcode)).date else { throw missing("date") }
            let outcome = try library.desk.write {
                try $0.settings.close(branch, OpeningCalendar.Closure(day), movingDue: true)
            }
            moved += Int64(try kept("\(branch) is closed on \(day)", outcome) { "\($0) loans moved" } ?? 0)
        }
        answers["moved"] = .integer(moved)
    }
}
