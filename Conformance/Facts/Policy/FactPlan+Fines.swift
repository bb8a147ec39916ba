import Circulation
import TextFormats

extension FactPlan {
    /// What lateness costs, and what suspensions it brings.
    func readFineTerms() throws {
        try readRate()
        try readGrace()
        try readCap()
        try readSteps()
        // Evergreen charges nothing for days on which the library is closed, unless it is told to.
        if let counts = try given.flag("count_closed") ?? (system == .evergreen ? false : nil) {
            policy.everything["fine_closed_days"] = "\(counts)"
        }
        // Koha charges at the end of an interval, so that a started one costs nothing.
        if let rounds = try given.text("rounding").map(rounding) ?? (system == .koha ? "whole" : nil) {
            policy.everything["rounding"] = LuaText.quoted(rounds)
            for index in policy.rules.indices where policy.rules[index]["fine"] != nil {
                policy.rules[index]["rounding"] = LuaText.quoted(rounds)
            }
        }
        try readSuspension()
    }

    private func readRate() throws {
        var rate: Money?
        for (key, unit) in [
            ("fine_per_day", "days(1)"), ("fine_per_hour", "hours(1)"), ("fine_per_minute", "minutes(1)"),
        ] {
            guard let amount = try given.money(key) else { continue }
            rate = amount
            policy.everything["per"] = unit
        }
        if let amount = try given.money("fine_per_interval") {
            rate = amount
            policy.everything["per"] = LuaText.period(try given.period("interval") ?? .days(1))
        }
        if let interval = try given.period("fine_interval") {
            policy.everything["per"] = LuaText.period(interval)
            rate = rate ?? Money(minorUnits: 10, currency: .eur)
        }
        if let rate { policy.everything["fine"] = LuaText.money(rate) }
        let isRecalled = try given.flag("recalled") ?? false
        loan.isRecalled = isRecalled
        guard let recalled = try given.money("recall_fine_per_interval") else { return }
        var row = PolicyText.Row(["when": Self.isRecalled, "fine": LuaText.money(recalled)])
        row["per"] = policy.everything["per"]
        policy.rules.append(row)
    }

    /// A condition that holds for loans that were recalled.
    static let isRecalled = "function(case) return case.loan ~= nil and case.loan.recalled_at ~= nil end"

    private func readGrace() throws {
        var grace = try given.period("grace")
        if let days = try given.number("grace_days") { grace = .days(days) }
        guard let grace, grace.count > 0 else { return }
        // FOLIO reckons grace in minutes.
        let minutes = system == .folio ? grace.elapsedMinutes : nil
        let text = minutes.map { "minutes(\($0))" } ?? LuaText.period(grace)
        policy.everything["grace"] = text
        for index in policy.rules.indices where policy.rules[index]["fine"] != nil {
            policy.rules[index]["grace"] = text
        }
        if try given.flag("ignore_grace_if_recalled") ?? false { policy.rules.insert(graceless(), at: 0) }
    }

    private func graceless() -> PolicyText.Row {
        var row = PolicyText.Row(["when": Self.isRecalled, "grace": "none"])
        for name in ["fine", "per", "fine_closed_days"] { row[name] = policy.everything[name] }
        return row
    }

    private func readCap() throws {
        for key in ["max_fine", "max_total", "fine_cap", "overdue_fines_cap", "cap"] {
            guard let cap = try given.money(key) else { continue }
            policy.everything["fine_cap"] = LuaText.money(cap)
            for index in policy.rules.indices where policy.rules[index]["fine"] != nil {
                policy.rules[index]["fine_cap"] = LuaText.money(cap)
            }
        }
        price = try given.money("replacement_price") ?? price
        let standardPrice = try given.money("item_type_default_price")
        guard try given.flag("cap_at_replacement_price") ?? false else { return }
        guard let standardPrice else { return policy.everything["fine_cap"] = "\"replacement_price\"" }
        policy.everything["default_price"] = LuaText.money(standardPrice)
        policy.add(
            to: "fine", "local fine = standard(case, rule)", "local price = case.copy.replacement_price",
            "if price == nil or price == money \"0.00\" then price = rule.default_price end",
            "if fine and fine > price then return price end", "return fine")
    }

    /// `[{from, to, per_day}]`, by days or open days late.
    private func readSteps() throws {
        guard let steps = try given.parts("intervals") else { return }
        let counting = try given.text("day_counting") ?? "days"
        let unit = counting.contains("open") ? "open_days" : "days"
        let texts = try steps.map { step in
            guard let from = try step.number("from"), let amount = try step.money("per_day") ?? step.money("fee") else {
                throw NotExpressed("\(step.path) needs a beginning and an amount")
            }
            let to = try step.number("to").map { ", to = \(unit)(\($0))" } ?? ""
            return "{ from = \(unit)(\(from))\(to), fine = \(LuaText.money(amount)) }"
        }
        policy.everything["fine_steps"] = "{ \(texts.joined(separator: ", ")) }"
    }

    private func rounding(_ words: String) throws -> String {
        if words.contains("started") || words == "up" { return "started" }
        if words.contains("whole") || words.contains("full") || words == "down" { return "whole" }
        throw given.unreadable("rounding")
    }

    // MARK: Suspensions

    private func readSuspension() throws {
        let days = try given.number("suspension_days_per_late_day") ?? given.number("suspension_days_per_interval")
        guard let days else { return }
        let interval = try given.number("interval_days") ?? 1
        guard interval > 0 else { throw given.unreadable("interval_days") }
        let countsClosed = try given.flag("count_closed") ?? true
        let unit = countsClosed ? "days" : "open_days"
        policy.everything["suspension"] = "\(unit)(\(days))"
        if interval > 1 { policy.everything["suspension_per"] = "days(\(interval))" }
        if policy.everything["grace"] != nil { policy.everything["grace_mode"] = "\"deduct\"" }
        if let cap = try given.number("max_suspension_days") {
            policy.everything["suspension_cap"] = "\(unit)(\(cap))"
        }
        if let mode = try given.text("mode") {
            switch mode {
            case "cumulative", "add": policy.everything["suspension_mode"] = "\"add\""
            case "longest", "not cumulative", "non-cumulative": policy.everything["suspension_mode"] = "\"longest\""
            default: throw given.unreadable("mode")
            }
        }
        guard interval > 1 else { return }
        // Koha multiplies before it divides, so that a part of an interval counts.
        let late = countsClosed ? "days_overdue" : "open_days_overdue"
        let grace = policy.everything["grace"].map { "local late = case.loan.\(late) - (\($0)).count" }
        policy.add(
            to: "checkin", grace ?? "local late = case.loan.\(late)", "local earned = late * \(days) // \(interval)")
        if let cap = try given.number("max_suspension_days") {
            policy.add(to: "checkin", "if earned > \(cap) then earned = \(cap) end")
        }
        policy.add(to: "checkin", "if earned > 0 then return suspend(\(unit)(earned)) end", "return {}")
    }
}
