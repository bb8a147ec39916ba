import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// When a branch is open, for administrators: weekly hours, closures with what they would move, days opened in spite of them.
enum CalendarPage: PageGroup {
    static let templates = [
        PageTemplate("calendar", PackageResources.calendar_mustache),
        PageTemplate("closing", PackageResources.closing_mustache),
    ]

    private static let path = "/desk/calendar/{branch}"

    static let pages = [
        Page.shown(path, .admin, view),
        Page.form("\(path)/hours", .admin, again: view) { call in
            let branch = try branch(call)
            for (index, weekday) in Weekday.allCases.enumerated() {
                guard let text = call.form[weekday.abbreviation] else { continue }
                let spans = try spans(text, of: weekday.abbreviation)
                guard text.trimmingSpaces() != words(branch.calendar.weekly[index]) else { continue }
                let members: JSONObject = ["weekday": .string(weekday.abbreviation), "hours": json(spans)]
                let answer = try call.ask(.post, "/branches/\(call.value())/hours", members)
                if case .refused(let refusal) = answer { return .refused(refusal, back: back(call)) }
            }
            return .done(
                to: back(call),
                saying: say("The weekly hours have been saved. Existing due dates stay as they are."))
        },
        Page.shown("\(path)/closing", .admin, preview),
        Page.form("\(path)/closing", .admin, again: view) { call in
            let members = call.members(
                ["from", "to", "reason", "move_due"], of: .post, "/branches/{branch}/closures")
            return try call.act(.post, "/branches/\(call.value())/closures", members, back: back(call)) { moved in
                let count = moved.integerValue ?? 0
                let dates = PageWords.count(count, "due date has been", "due dates have been")
                return count > 0
                    ? say("The closure has been added. \(dates) moved.") : say("The closure has been added.")
            }
        },
        Page.form("\(path)/opening", .admin, again: view) { call in
            var members = call.members(["date"], of: .post, "/branches/{branch}/openings")
            let spans = try spans(call.form["hours"] ?? "", of: "hours")
            if !spans.isEmpty { members["hours"] = json(spans) }
            return try call.act(.post, "/branches/\(call.value())/openings", members, back: back(call)) { _ in
                say("The branch will be open on that day.")
            }
        },
        Page.form("\(path)/reopen", .admin, again: view) { call in
            let branch = try branch(call)
            guard let number = call.form.text("closure").flatMap(Int.init),
                branch.calendar.closed.indices.contains(number),
                call.form.text("from") == branch.calendar.closed[number].first.description
            else { throw Problem.input("That closure no longer exists.") }
            let outcome = try call.context.write { session in
                try session.settings.changeCalendar(of: branch.code) { calendar in
                    var closed = calendar.closed
                    closed.remove(at: number)
                    calendar = try OpeningCalendar(
                        weekly: calendar.weekly, closed: closed, yearly: calendar.yearly, opened: calendar.opened)
                }
            }
            if case .refused(let refusal) = outcome {
                return .refused(["code": .string(refusal.code), "message": .string(refusal.message)], back: back(call))
            }
            return .done(
                to: back(call),
                saying: say("The closure has been cancelled. Due dates that it moved stay where they are."))
        },
    ]

    private static func back(_ call: PageCall) -> String { "/desk/calendar/\(call.value())" }

    private static func branch(_ call: PageCall) throws -> Branch {
        guard let branch = try call.context.look({ try $0.settings.branch(call.values[0]) }) else {
            throw Problem.notFound
        }
        return branch
    }

    // MARK: - Hours

    private static func words(_ hours: [OpeningHours]) -> String {
        hours.sorted().map(\.description).joined(separator: ", ")
    }

    /// Reads `09:00-12:00, 14:00-18:00`; nothing is closed.
    private static func spans(_ text: String, of field: String) throws -> [OpeningHours] {
        do {
            return try text.split { $0 == "," || $0 == ";" }.map { part in
                let times = part.split { $0 == "-" || $0 == "–" }.map { String($0).trimmingSpaces() }
                guard times.count == 2 else { throw Problem.notFound }
                return try OpeningHours(CivilTime(parsing: padded(times[0])), to: CivilTime(parsing: padded(times[1])))
            }
        } catch {
            throw Problem.input(
                "'\(field)' must be opening hours, such as 09:00-12:00, 14:00-18:00, or empty for a day that is "
                    + "closed.",
                argument: field)
        }
    }

    /// `9:00` and `9` as `09:00`.
    private static func padded(_ time: String) -> String {
        let parts = time.split(separator: ":")
        let hour = parts.first.map { $0.count == 1 ? "0\($0)" : String($0) } ?? ""
        return ([hour] + (parts.count > 1 ? parts.dropFirst().map(String.init) : ["00"])).joined(separator: ":")
    }

    private static func json(_ spans: [OpeningHours]) -> JSON {
        .array(spans.map { .array([.string($0.opens.description), .string($0.closes.description)]) })
    }

    // MARK: - Views

    private static func view(_ call: PageCall) throws -> PageView {
        let branch = try branch(call)
        let calendar = branch.calendar
        let path = back(call)
        let days = Weekday.allCases.map {
            PageField(name: $0.abbreviation, label: RecordForm.phrase("\($0)"), most: 100)
        }
        let today = call.library.zone.date(of: call.now)
        let opened = calendar.opened.filter { $0.date >= today }.map { opening -> [String: Any] in
            ["day": PageWords.words(opening.date), "hours": words(opening.hours)]
        }
        return PageView(
            template: "calendar", title: say("Opening hours of \(PageWords.safe(branch.name))"),
            fields: [
                "path": path,
                "dayInputs": PageField.inputs(days, call, form: "hours") { name in
                    Weekday.allCases.firstIndex { $0.abbreviation == name }.map { words(calendar.weekly[$0]) }
                },
                "closingInputs": PageField.inputs(closingFields(today), call, form: "closing"),
                "openingInputs": PageField.inputs(
                    [
                        PageField(name: "date", label: "Day", kind: .date, isRequired: true),
                        PageField(
                            name: "hours", label: "Hours", most: 100,
                            hint: "Leave empty for the usual hours of that weekday."),
                    ], call, form: "opening"),
                "closures": calendar.closed.enumerated().filter { $0.element.last >= today }
                    .sorted { $0.element.first < $1.element.first }.map { number, closure -> [String: Any] in
                        [
                            "closure": number, "from": closure.first.description, "days": words(closure),
                            "reason": PageWords.safe(closure.reason),
                        ]
                    },
                "yearly": calendar.yearly.map { closure -> [String: Any] in
                    [
                        "days": closure.first == closure.last
                            ? "\(closure.first)" : say("\(closure.first) to \(closure.last)"),
                        "reason": PageWords.safe(closure.reason),
                    ]
                },
                "opened": opened,
            ])
    }

    private static func words(_ closure: OpeningCalendar.Closure) -> String {
        closure.first == closure.last
            ? PageWords.words(closure.first)
            : say("\(PageWords.words(closure.first)) to \(PageWords.words(closure.last))")
    }

    private static func closingFields(_ today: CivilDate) -> [PageField] {
        [
            PageField(name: "from", label: "First day", kind: .date, isRequired: true, standard: today.description),
            PageField(name: "to", label: "Last day", kind: .date, hint: "Leave empty to close on the first day only."),
            PageField(name: "reason", label: "Reason", most: 500, hint: "As shown on the door."),
        ]
    }

    /// What a closure would do.
    private static func preview(_ call: PageCall) throws -> PageView {
        let branch = try branch(call)
        guard let from = call.query.text("from").flatMap({ try? CivilDate(parsing: $0) }),
            let to = try? call.query.text("to").map({ try CivilDate(parsing: $0) }) ?? from,
            let closure = try? OpeningCalendar.Closure(from, through: to, reason: call.query.text("reason") ?? "")
        else {
            throw Problem.input("A closure needs a first day. The last day, if there is one, cannot be earlier.")
        }
        guard let preview = try call.context.look({ try $0.settings.preview(branch.code, closure) }) else {
            throw Problem.notFound
        }
        var fields: [String: Any] = [
            "path": "\(back(call))/closing", "back": back(call), "days": words(closure), "from": from.description,
            "to": to.description, "reason": PageWords.safe(closure.reason), "branchName": PageWords.safe(branch.name),
            "moved": PageWords.count(Int64(preview.moved), "due date", "due dates"), "isMoving": preview.moved > 0,
        ]
        fields["next"] = preview.next.map { PageWords.words($0) }
        return PageView(template: "closing", title: say("Close \(PageWords.safe(branch.name))"), fields: fields)
    }
}
