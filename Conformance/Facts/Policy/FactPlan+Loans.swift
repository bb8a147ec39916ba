import Circulation

extension FactPlan {
    /// How long a loan and a renewal last, and what closed days and caps do to them.
    func readLoanTerms() throws {
        let length = try lengthOfLoan()
        try readSchedule()
        try readScopedRules()
        try readRestrictedLoans()
        if let length { policy.everything["loan"] = LuaText.period(length) }
        try readCaps()
        let strategy = try closedStrategy(length)
        try readRenewalPeriod(strategy, length)
        if policy.everything["due_at"] == nil, policy.everything["loan"] == nil,
            !policy.rules.contains(where: { $0["loan"] != nil }),
            !policy.rules.contains(where: { $0["due_at"] != nil })
        {
            policy.everything["loan"] = "days(14)"
        }
        if policy.everything["due_time"] == nil { policy.everything["due_time"] = LuaText.quoted(system.dueTime) }
    }

    private func lengthOfLoan() throws -> Period? {
        let units: [(String, Period.Unit)] = [
            ("loan_minutes", .minutes), ("loan_hours", .hours), ("loan_days", .days), ("loan_weeks", .weeks),
            ("loan_months", .months),
        ]
        for (key, unit) in units {
            if let count = try given.number(key) { return Period(count, unit) }
        }
        for key in ["loan_period", "period", "duration"] {
            if let period = try given.period(key) { return period }
        }
        return nil
    }

    // MARK: Closed days and hours

    /// How a due time on closed days is moved.
    private enum ClosedStrategy {
        /// By the fields of the rule.
        case rule
        /// The time of day of lending stays.
        case exact
        case endOfCurrentHours
        case beginningOfNextHours
    }

    private func closedStrategy(_ length: Period?) throws -> ClosedStrategy {
        if let mode = try given.text("days_mode") {
            let words = ["days": "keep", "calendar": "open_days", "datedue": "next_open", "dayweek": "same_weekday"]
            guard let closed = words[mode.lowercased()] else { throw given.unreadable("days_mode") }
            policy.everything["closed"] = LuaText.quoted(closed)
        }
        if let hours = try given.text("hours_policy") {
            let words = ["close": "previous_close", "open": "next_open", "ignore": "keep"]
            guard let closed = words[hours] else { throw given.unreadable("hours_policy") }
            policy.everything["closed_hours"] = LuaText.quoted(closed)
        }
        if let time = try given.text("due_time_local") { policy.everything["due_time"] = LuaText.quoted(time) }
        let strategy = try folioStrategy(length)
        if strategy != .rule { try makeExact(length, strategy) }
        return strategy
    }

    private func folioStrategy(_ length: Period?) throws -> ClosedStrategy {
        if let profile = try given.text("profile"), !["rolling", "fixed"].contains(profile.lowercased()) {
            throw given.unreadable("profile")
        }
        guard let words = try given.text("closed_strategy")?.lowercased() else {
            guard system.keepsTimeOfDay, length != nil, policy.everything["closed"] == nil else { return .rule }
            return .exact
        }
        let plain = words.hasPrefix("move to ") ? String(words.dropFirst(8)) : words
        let plainer = plain.hasPrefix("the ") ? String(plain.dropFirst(4)) : plain
        switch plainer {
        case "end of next open day", "end of the next open day": setClosed("next_open")
        case "end of previous open day", "end of the previous open day": setClosed("previous_open")
        case "keep the current due date": setClosed("keep")
        case "keep the current due date/time", "keep the current due date and time": return .exact
        case "end of current open hours", "end of the current open hours", "end of current service point hours":
            return .endOfCurrentHours
        case "beginning of next open hours", "beginning of the next open hours",
            "beginning of next open service point hours":
            return .beginningOfNextHours
        default: throw given.unreadable("closed_strategy")
        }
        return .rule
    }

    private func setClosed(_ mode: String) {
        policy.everything["closed"] = LuaText.quoted(mode)
        policy.everything["due_time"] = LuaText.quoted("end_of_day")
    }

    /// A function that answers exact times, which the rule's fields cannot say of periods of days.
    private func makeExact(_ length: Period?, _ strategy: ClosedStrategy) throws {
        guard let length else { return }
        policy.add(to: "due", "local due = exact(case.now + \(LuaText.period(length)))")
        switch strategy {
        case .rule: break
        case .exact: policy.everything["closed"] = LuaText.quoted("keep")
        case .endOfCurrentHours:
            policy.add(
                to: "due", "if not case.calendar.is_open(due) then",
                "    due = exact(case.calendar.closing(case.now) or due)", "end")
        case .beginningOfNextHours:
            let offset = try given.period("offset").map { " + \(LuaText.period($0))" } ?? ""
            policy.add(
                to: "due", "if not case.calendar.is_open(due) then",
                "    due = exact(case.calendar.next_opening(due)\(offset))", "end")
        }
        if let limit = try moment("limit_due", of: given) {
            let end = LuaText.exact(try limit.isDate ? endOfDay(limit) : limit.instant, in: zone)
            policy.add(to: "due", "if due > \(end) then due = \(end) end")
        }
        if let ends = try moment("patron_expires", of: given), try given.flag("cap_at_patron_expiry") ?? true {
            let end = LuaText.exact(try endOfDay(ends), in: zone)
            policy.add(to: "due", "if due > \(end) then due = \(end) end")
        }
        policy.add(to: "due", "return due")
    }

    // MARK: Caps

    private func readCaps() throws {
        if let limit = try moment("limit_due", of: given) { policy.everything["due_limit"] = LuaText.date(limit.date) }
        if let words = try given.text("fixed_due") {
            let fixed = try MomentWords(zone: zone, calendar: calendar, now: now, lent: loan.lentAt ?? now).moment(
                words)
            policy.everything["due_at"] = LuaText.date(fixed.date)
            policy.everything["due_time"] = LuaText.quoted("end_of_day")
        }
        if let caps = try given.flag("cap_at_patron_expiry") { policy.everything["due_expiry"] = "\(caps)" }
        guard let ends = try moment("patron_expires", of: given) else { return }
        // Where the membership's end does not matter, the desk need not know of it.
        guard try given.flag("cap_at_patron_expiry") ?? (system != .koha) else { return }
        before.append { library, _ in try library.change { $0.expiresOn = ends.date } }
    }

    /// Dates by when a copy was lent: `{from, to, due}`.
    private func readSchedule() throws {
        for key in ["schedule", "schedules", "fixed_schedule", "fixed_due_schedule"] {
            for entry in try given.parts(key) ?? [] {
                guard let from = try moment("from", of: entry), let to = try moment("to", of: entry),
                    let due = try moment("due", of: entry)
                else { throw given.unreadable(key) }
                let condition = "today >= \(LuaText.date(from.date)) and today <= \(LuaText.date(to.date))"
                var row = PolicyText.Row(["due_at": LuaText.date(due.date), "due_time": "\"end_of_day\""])
                row["when"] = "function(case) local today = date(case.now) return \(condition) end"
                policy.rules.append(row)
            }
        }
    }

    // MARK: Renewals

    private func readRenewalPeriod(_ strategy: ClosedStrategy, _ length: Period?) throws {
        var period = try given.period("renewal_period")
        if let days = try given.number("renewal_days") { period = .days(days) }
        if let hours = try given.number("renewal_hours") { period = .hours(hours) }
        let start = try renewalStart()
        policy.everything["renew_from"] = LuaText.quoted(start)
        if let period { policy.everything["renewal_period"] = LuaText.period(period) }
        guard let counted = period ?? length else { return }
        let base = start == "due" ? "case.loan.due_at" : "case.now"
        if strategy == .exact {
            renewedDue = "exact(\(base) + \(LuaText.period(counted)))"
        } else if counted.count == 0 {
            renewedDue = "date(\(base))"
        }
    }

    private func renewalStart() throws -> String {
        guard let words = try given.text("renew_from")?.lowercased() else {
            return system == .koha || system == .invenio ? "due" : "now"
        }
        switch words {
        case "current due date", "due", "due date", "the due date": return "due"
        case "now", "today", "current date", "system date", "the day of renewal": return "now"
        default: throw given.unreadable("renew_from")
        }
    }

    /// Kinds of copies with periods of their own: `ONE_WEEK`, `NO_RESTRICTION`.
    private func readRestrictedLoans() throws {
        guard let kind = try given.text("item_circulation_restriction") else { return }
        let weeks: [(String, Int64)] = [("ONE_WEEK", 1), ("TWO_WEEKS", 2), ("THREE_WEEKS", 3)]
        guard kind == "NO_RESTRICTION" || weeks.contains(where: { $0.0 == kind }) else {
            throw given.unreadable("item_circulation_restriction")
        }
        policy.rules += weeks.map { name, count in
            PolicyText.Row(["item_type": LuaText.quoted(name), "loan": "weeks(\(count))"])
        }
        policy.everything["loan"] = "weeks(4)"
        itemType = kind
        itemTypes += (weeks.map(\.0) + [kind]).map { ($0, nil) }
    }
}
