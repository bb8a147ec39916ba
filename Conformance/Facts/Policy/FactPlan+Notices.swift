import Circulation
import TextFormats

extension FactPlan {
    /// A row of `notices`: `{timing, by, repeat_every}`. Periods are elapsed time, since the other system's are.
    func readNotice() throws {
        guard let notice = try given.part("notice") else { return }
        let by = try notice.period("by")
        switch try notice.text("timing") ?? "" {
        case "before": addNotice("notice", "before", try elapsed(by, of: notice), try every(notice))
        case "after": addNotice("notice", "after", try elapsed(by, of: notice), try every(notice))
        case "upon", "upon at", "at": addNotice("notice", nil, "", try every(notice))
        default: throw notice.unreadable("timing")
        }
    }

    private func elapsed(_ period: Period?, of notice: FieldReading) throws -> String {
        guard let minutes = period?.elapsedMinutes else { throw notice.unreadable("by") }
        return minutes % 60 == 0 ? "hours(\(minutes / 60))" : "minutes(\(minutes))"
    }

    private func every(_ notice: FieldReading) throws -> String? {
        try notice.period("repeat_every").map { try elapsed($0, of: notice) }
    }

    /// A row with a text, which every row needs.
    func addNotice(_ stage: String, _ side: String?, _ distance: String, _ every: String? = nil, charge: Money? = nil) {
        var row = PolicyText.Row(["stage": LuaText.quoted(stage)])
        if let side { row[side] = distance }
        if let every { row["every"] = every }
        if let charge, charge.isPositive { row["charge"] = LuaText.money(charge) }
        row["channel"] = "\"email\""
        row["subject"] = LuaText.quoted("\(stage): {{title.title}}")
        row["body"] = LuaText.quoted("{{title.title}} is due on {{loan.due}}.")
        policy.notices.append(row)
    }

    /// Stages of reminders: `{type: due_soon, days_before}`, `{type: overdue, open_days_after}`.
    func readReminders() throws -> [String] {
        var stages: [String] = []
        var late = 0
        for reminder in try given.parts("reminders") ?? [] {
            let kind = try reminder.text("type") ?? "overdue"
            if let days = try reminder.number("days_before") {
                stages.append(kind)
                addNotice(kind, "before", "days(\(days))")
                continue
            }
            late += 1
            stages.append("\(kind)#\(late)")
            if let days = try reminder.number("open_days_after") {
                addNotice("\(kind)#\(late)", "after", "open_days(\(days))")
            } else if let days = try reminder.number("days_after") {
                addNotice("\(kind)#\(late)", "after", "days(\(days))")
            } else {
                throw NotExpressed("\(reminder.path) does not say when")
            }
        }
        return stages
    }
}
