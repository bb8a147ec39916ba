import Circulation
import TextFormats

// What the rows of a policy cannot say.
extension FactPolicy {
    mutating func addFunctions() {
        addStanding()
        addRenewals()
        addHolds()
        addDue()
        addRecall()
        addFines()
        addLosses()
    }

    /// Refuses at each of the points if a condition holds.
    private mutating func refuse(
        _ points: [String], if condition: String, _ code: String, _ message: String, asks: Bool = false
    ) {
        for point in points {
            let word = asks && point != "renew" ? "confirm" : "deny"
            text.add(
                to: point, "if \(condition) then",
                "    return \(word)(\(LuaText.quoted(code)), \(LuaText.quoted(message)))", "end")
        }
    }

    private mutating func addStanding() {
        let counted = [
            "overdue": ("case.patron.overdue", Refusal.Code.overdue),
            "loans": ("#case.patron.loans", Refusal.Code.limit),
            "lost": ("case.patron.lost", Refusal.Code.lost), "claims": ("case.patron.claims", Refusal.Code.claimed),
            "owed": ("case.patron.fees_owed", Refusal.Code.feesOwed),
        ]
        for standing in given.records("standing") {
            guard let counts = standing.text("counts"), let (path, code) = counted[counts] else { continue }
            for (field, comparison) in [("reaches", ">="), ("exceeds", ">")] {
                guard let bound = standing[field] else { continue }
                let most = SchemaValues.money(bound).map(LuaText.money) ?? bound.text()
                refuse(
                    standing.has("refuses") ? standing.texts("refuses") : ["checkout", "renew", "hold"],
                    if: "\(path) \(comparison) \(most)", code, "Nothing more is possible with so much of that.",
                    asks: standing.flag("asks") ?? false)
            }
        }
        guard given.flag("renew_when_expired") == true else { return }
        refuse(
            ["checkout", "hold"],
            if: "case.patron.extra.member_until and date(case.patron.extra.member_until) < date(case.now)",
            Refusal.Code.expired, "The membership has ended.")
    }

    private mutating func addRenewals() {
        if given.flag("renew_on_site") == false {
            refuse(["renew"], if: "case.loan.on_site", "on_site", "What is read in the library is not renewed.")
        }
        if given.flag("renew_overdue") == false {
            refuse(["renew"], if: "case.loan.due_at < case.now", Refusal.Code.overdue, "This loan is overdue.")
        }
        if let last = given.date("auto_renew_last") {
            refuse(
                ["renew"], if: "case.actor.channel == \"job\" and date(case.now) > \(LuaText.date(last))",
                Refusal.Code.renewals, "This loan no longer renews by itself.")
        }
        if given.records("copies").contains(where: { $0.has("booked_from") }) {
            text.add(
                to: "renew", "local booked = case.title.extra.booked_from", "local answer = standard(case, rule)",
                "if booked and answer and answer.due and date(answer.due) >= date(booked) then",
                "    return deny(\"booked\", \"The title is booked from \" .. booked .. \" on.\")", "end")
        }
        var waived: [String] = []
        if given.flag("renew_if_copies_suffice") == true {
            waived.append("if case.title.holds_for_copy == 0 and case.title.available >= case.title.holds_waiting then")
        }
        let keepsTime = given.flag("keep_time") == true
        let due =
            "exact((rule.renew_from == \"due\" and case.loan.due_at or case.now) + (rule.renewal_period or rule.loan))"
        for condition in waived {
            let with = keepsTime ? ", due = \(due)" : ""
            text.add(to: "renew", condition, "    return allow { despite = { \"holds_waiting\" }\(with) }", "end")
        }
        guard keepsTime else { return }
        text.add(
            to: "renew", "local granted = standard(case, rule)", "if granted and granted.due then",
            "    return allow { due = \(due) }", "end")
    }

    private mutating func addHolds() {
        for branch in given.texts("pickup_refused") {
            refuse(
                ["hold"], if: "case.hold.pickup_branch == \(LuaText.quoted(branch))", "pickup",
                "Holds are not picked up there.")
        }
        for (branch, most) in given.map("holds_at") {
            refuse(
                ["hold"],
                if: "case.hold.pickup_branch == \(LuaText.quoted(branch)) and case.hold.at_pickup >= \(most.text())",
                Refusal.Code.limit, "No more holds are allowed at this library.")
        }
        guard let most = given.number("holds_at_pickup") else { return }
        let others = given.map("holds_at").map { "case.hold.pickup_branch ~= \(LuaText.quoted($0.name)) and " }.joined()
        refuse(
            ["hold"], if: "\(others)case.hold.at_pickup >= \(most)", Refusal.Code.limit,
            "No more holds are allowed at this library.")
    }

    // MARK: Due times

    private mutating func addDue() {
        if let demand = given.record("demand"), let loan = demand.period("loan") {
            let condition =
                demand.number("holds").map { "case.title.holds_waiting >= \($0)" }
                ?? "case.title.holds_waiting > case.title.copies + \(demand.number("beyond_copies") ?? 0)"
            text.add(to: "due", "if \(condition) then return case.now + \(LuaText.period(loan)) end")
            text.add(to: "checkout", "return allow { despite = { \"held_for_other\" } }")
        }
        guard given.flag("keep_time") == true else { return }
        text.add(
            to: "due", "if rule.loan == nil then return standard(case, rule) end",
            "local due = exact(case.now + rule.loan)")
        switch given.text("keep_time_closed") {
        case "closing":
            text.add(
                to: "due", "if not case.calendar.is_open(due) then",
                "    due = exact(case.calendar.closing(case.now) or due)", "end")
        case "opening":
            let offset = given.period("opening_offset").map { " + \(LuaText.period($0))" } ?? ""
            text.add(
                to: "due", "if not case.calendar.is_open(due) then",
                "    due = exact(case.calendar.next_opening(due)\(offset))", "end")
        default: break
        }
        text.add(
            to: "due", "if rule.due_limit then", "    local last = exact(rule.due_limit, \"23:59:59\")",
            "    if due > last then due = last end", "end",
            "if case.patron.expires_on and rule.due_expiry ~= false then",
            "    local last = exact(case.patron.expires_on, \"23:59:59\")", "    if due > last then due = last end",
            "end")
        text.add(
            to: "due", "local ends = case.patron.extra.member_ends",
            "if ends then", "    local last = exact(date(ends:sub(1, 10)), ends:sub(12))",
            "    if due > last then due = last end", "end", "return due")
    }

    private mutating func addRecall() {
        guard let recall = given.record("recall") else { return }
        text.add(to: "recall", "if case.loan.recalled_at or case.loan.due_at <= case.now then return nil end")
        let base = recall.period("guaranteed").map { "exact(case.loan.lent_at + \(LuaText.period($0)))" }
        text.add(to: "recall", "local due = \(base ?? "exact(case.now)")")
        if let notice = recall.period("notice") {
            text.add(
                to: "recall", "local returned = exact(case.now + \(LuaText.period(notice)))",
                "if returned > due then due = returned end")
        }
        text.add(to: "recall", "if due < case.loan.due_at then return due end")
    }

    // MARK: Money

    private mutating func addFines() {
        if let cap = given.money("fine_cap_default") {
            let most = LuaText.money(cap)
            text.add(
                to: "fine", "local fine = standard(case, rule)", "local price = case.copy.replacement_price",
                "if price == nil or price == money \"0.00\" then price = \(most) end",
                "if fine and fine > price then return price end", "return fine")
        }
        if given.has("nightly_fines") {
            text.everything["fine"] = "money \"0.01\""
            let amounts = given.list("nightly_fines").compactMap { SchemaValues.money($0).map(LuaText.money) }
            text.add(
                to: "fine", "local nights = { \(amounts.joined(separator: ", ")) }",
                "return nights[math.min(case.loan.days_overdue, #nights)] or money \"0.00\"")
        }
        if let days = given.number("overdue_each"), days > 0 {
            text.add(
                to: "overdue", "local late = case.loan.days_overdue", "if late > 0 and late % \(days) == 0 then",
                "    return notice { stage = \"overdue \" .. late, channel = \"email\",",
                "        subject = \"Overdue: {{title.title}}\", body = \"Please return {{title.title}}.\" }", "end",
                "return {}")
        }
        addSuspension()
    }

    /// Multiplied before it is divided, so that a part of a unit counts.
    private mutating func addSuspension() {
        guard given.flag("suspension_parts") == true, let rule = given.record("rule"),
            let length = rule.period("suspension"), let unit = rule.period("suspension_per"), unit.count > 0
        else { return }
        let countsClosed = rule.flag("fine_closed_days") ?? true
        let late = "case.loan.\(countsClosed ? "days_overdue" : "open_days_overdue")"
        let grace = rule.period("grace").map { " - \($0.count)" } ?? ""
        text.add(to: "checkin", "local earned = (\(late)\(grace)) * \(length.count) // \(unit.count)")
        if let cap = rule.period("suspension_cap") {
            text.add(to: "checkin", "if earned > \(cap.count) then earned = \(cap.count) end")
        }
        text.add(
            to: "checkin", "if earned > 0 then return suspend(\(length.unit.rawValue)(earned)) end", "return {}")
    }

    private mutating func addLosses() {
        guard let delay = given.period("lost_billed_after") else { return }
        text.add(
            to: "lost", "local aged = date(case.loan.due_at) + rule.lost_after",
            "if date(case.now) < aged + \(LuaText.period(delay)) then return {} end")
    }
}
