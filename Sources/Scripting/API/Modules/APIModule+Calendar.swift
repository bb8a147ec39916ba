import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIModule {
    static let calendar = APIModule(
        "calendar", "When a branch is open.",
        [
            .calendarIsOpen, .calendarNextOpen, .calendarNextOpenAfter, .calendarPreviousOpen, .calendarAddOpenDays,
            .calendarOpenDaysBetween, .calendarClosures, .calendarClose, .calendarReopen, .calendarSetHours,
        ], callers: .everyone)
}

// MARK: - Reading

extension APIFunction {
    private static let branchParameter = APIParameter.optional(
        "branch", .reference(.branch), "the branch of the desk if left out")

    fileprivate static let calendarIsOpen = APIFunction(
        "is_open", "Says whether a branch is open on a date.",
        [.required("date", .date), branchParameter], returns: .value(.boolean),
        route: .init(.get, "/branches/{branch}/open", .everyone, group: "settings"),
        examples: APIExample(#"calendar.is_open("2026-12-24")"#, "true"),
        APIExample(#"calendar.is_open("2026-12-25")"#, "false")
    ) { call in
        let date: CivilDate = try call.arguments.need("date")
        return [.boolean(try call.calendar().isOpen(date))]
    }

    fileprivate static let calendarNextOpen = APIFunction(
        "next_open", "Gives the date itself if the branch is open on it, else the next day it is open.",
        [.required("date", .date), branchParameter], returns: .value(.date),
        examples: APIExample(#"calendar.next_open("2026-12-25")"#, "2026-12-28")
    ) { call in
        [.date(try call.calendar().nextOpen(onOrAfter: try call.arguments.need("date")))]
    }

    fileprivate static let calendarNextOpenAfter = APIFunction(
        "next_open_after", "Gives the first open day after a date.",
        [.required("date", .date), branchParameter], returns: .value(.date),
        examples: APIExample(#"calendar.next_open_after("2026-12-24")"#, "2026-12-28")
    ) { call in
        [.date(try call.calendar().nextOpen(after: try call.arguments.need("date")))]
    }

    fileprivate static let calendarPreviousOpen = APIFunction(
        "previous_open", "Gives the date itself if the branch is open on it, else the last open day before it.",
        [.required("date", .date), branchParameter], returns: .value(.date),
        examples: APIExample(#"calendar.previous_open("2026-12-27")"#, "2026-12-24")
    ) { call in
        [.date(try call.calendar().previousOpen(onOrBefore: try call.arguments.need("date")))]
    }

    fileprivate static let calendarAddOpenDays = APIFunction(
        "add_open_days", "Gives the date so many open days after another, or before it for a negative number.",
        [.required("date", .date), .required("count", .integer(-100_000...100_000)), branchParameter],
        returns: .value(.date),
        examples: APIExample(#"calendar.add_open_days("2026-12-24", 2)"#, "2026-12-29")
    ) { call in
        [.date(try call.calendar().addOpenDays(try call.arguments.need("date"), try call.arguments.need("count")))]
    }

    fileprivate static let calendarOpenDaysBetween = APIFunction(
        "open_days_between", "Counts the open days after the first date up to and with the second.",
        [.required("from", .date), .required("to", .date), branchParameter], returns: .value(.integer),
        examples: APIExample(#"calendar.open_days_between("2026-12-24", "2026-12-29")"#, "2")
    ) { call in
        let days = try call.calendar().openDaysBetween(try call.arguments.need("from"), try call.arguments.need("to"))
        return [.integer(Int64(days))]
    }

    fileprivate static let calendarClosures = APIFunction(
        "closures", "Lists the days on which a branch is closed beside its weekly hours.",
        [branchParameter], returns: .value(.list(.record("closure"))),
        route: .init(.get, "/branches/{branch}/closures", .everyone, group: "settings"),
        examples: APIExample("calendar.closures()[1].reason", #""Christmas""#)
    ) { call in
        let calendar = try call.calendar()
        let once = calendar.closed.sorted { $0.first < $1.first }.map {
            Closure(from: $0.first.description, to: $0.last.description, reason: $0.reason, isYearly: false)
        }
        let yearly = calendar.yearly.sorted { $0.first < $1.first }.map {
            Closure(from: $0.first.description, to: $0.last.description, reason: $0.reason, isYearly: true)
        }
        return [APIRecord.closure.list(once + yearly)]
    }
}

// MARK: - Writing

extension APIFunction {
    fileprivate static let calendarClose = APIFunction(
        "close", "Closes a branch on a day or from one day to another. Gives how many loans were moved.",
        details:
            "Closing the same days again with `move_due` moves what was not moved the first time. Where a closure is "
            + "entered late, fines for the due times that it moves are taken off.",
        .named(
            "closure", .required("from", .date, "the first day"),
            .optional("to", .date, "the last day; the first one if left out"),
            .optional("reason", .text(maximum: 500), "what the door says"),
            branchParameter,
            .optional(
                "move_due", .boolean,
                "open loans due on these days move to the next open day, with one message a loan, and copies stay "
                    + "on the hold shelf until then",
                standard: "false")),
        returns: .written(.count), refusals: ["unknown_branch"], needs: .settingsWrite,
        route: .init(.post, "/branches/{branch}/closures", .admin, group: "settings"),
        examples: APIExample(
            #"calendar.close{ from = "2026-12-28", to = "2026-12-30", reason = "Works" } return calendar.next_open("2026-12-28")"#,
            "2026-12-31"),
        APIExample(
            #"calendar.close{ from = "2027-01-01", to = "2027-01-01", reason = "Holiday", move_due = true }"#, "1")
    ) { call in
        let from: CivilDate = try call.arguments.need("from")
        let closure = try OpeningCalendar.Closure(
            from, through: call.arguments["to"], reason: call.arguments["reason"] ?? "")
        let code = call.optionalCode("branch") ?? call.script.branch.code
        let isMoving = call.arguments["move_due"] ?? false
        return try call.write { session in
            call.answer(try session.settings.close(code, closure, movingDue: isMoving)) { .integer(Int64($0)) }
        }
    }

    fileprivate static let calendarReopen = APIFunction(
        "reopen", "Opens a branch on a day in spite of every closure, with hours of its own if they are given.",
        .named(
            "opening", .required("date", .date),
            .optional("hours", hoursType, "such as `{ { \"10:00\", \"14:00\" } }`; that weekday's if left out"),
            branchParameter),
        returns: .written(.count), refusals: ["unknown_branch"], needs: .settingsWrite,
        route: .init(.post, "/branches/{branch}/openings", .admin, group: "settings"),
        examples: APIExample(
            #"calendar.reopen{ date = "2026-12-25", hours = { { "10:00", "14:00" } } } return calendar.is_open("2026-12-25")"#,
            "true")
    ) { call in
        let date: CivilDate = try call.arguments.need("date")
        let hours = try call.hours("hours") ?? []
        return try call.changeCalendar { parts in
            parts.opened.removeAll { $0.date == date }
            parts.opened.append(OpeningCalendar.Opening(date, hours: hours))
        }
    }

    fileprivate static let calendarSetHours = APIFunction(
        "set_hours", "Sets the weekly hours of one weekday; an empty list closes it.",
        .named(
            "change", .required("weekday", .choice(Weekday.allCases.map(\.abbreviation))),
            .required("hours", hoursType, "such as `{ { \"09:00\", \"12:00\" }, { \"14:00\", \"18:00\" } }`"),
            branchParameter),
        returns: .written(.count), refusals: ["unknown_branch"], needs: .settingsWrite,
        route: .init(.post, "/branches/{branch}/hours", .admin, group: "settings"),
        examples: APIExample(
            #"calendar.set_hours{ weekday = "sat", hours = { { "10:00", "13:00" } } } return calendar.is_open("2026-12-26")"#,
            "true")
    ) { call in
        let name: String = try call.arguments.need("weekday")
        guard let weekday = Weekday.allCases.firstIndex(where: { $0.abbreviation == name }) else {
            throw call.fault("there is no weekday '\(name)'")
        }
        let hours = try call.hours("hours") ?? []
        return try call.changeCalendar { $0.weekly[weekday] = hours }
    }

    private static let hoursType = APIType.list(.list(.text(maximum: 8)))
}

/// The parts of a calendar, to be changed one by one.
private struct CalendarParts {
    var weekly: [[OpeningHours]]
    var closed: [OpeningCalendar.Closure]
    var yearly: [OpeningCalendar.YearlyClosure]
    var opened: [OpeningCalendar.Opening]
}

extension APICall {
    /// The calendar of the branch named, or of the desk's own.
    fileprivate func calendar() throws -> OpeningCalendar {
        let code = optionalCode("branch") ?? script.branch.code
        guard let branch = try read({ try $0.settings.branch(code) }) else {
            throw fault("there is no branch '\(APIText.quotable(code))'")
        }
        return branch.calendar
    }

    /// A change that moves no loan answers 0, as `close` does that moved none.
    fileprivate func changeCalendar(_ change: (inout CalendarParts) -> Void) throws -> [LuaValue] {
        let code = optionalCode("branch") ?? script.branch.code
        return try write { session in
            let outcome = try session.settings.changeCalendar(of: code) { calendar in
                var parts = CalendarParts(
                    weekly: calendar.weekly, closed: calendar.closed, yearly: calendar.yearly, opened: calendar.opened)
                change(&parts)
                calendar = try OpeningCalendar(
                    weekly: parts.weekly, closed: parts.closed, yearly: parts.yearly, opened: parts.opened)
            }
            return answer(outcome) { _ in .integer(0) }
        }
    }

    fileprivate func hours(_ name: String) throws -> [OpeningHours]? {
        guard let spans: [[String]] = arguments[name] else { return nil }
        return try spans.map { span in
            guard span.count == 2 else { throw fault("'\(name)': each span has an opening and a closing time") }
            return try OpeningHours(try CivilTime(parsing: span[0]), to: try CivilTime(parsing: span[1]))
        }
    }
}
