import Circulation
import TextFormats

// How long loans last, whether they are renewed, and what stands against that.
extension Translation {
    mutating func readLoans() throws {
        try readDemand()
        try readRecall()
        try readClosures()
        try readFixedDue()
        try readSchedule()
        try readStateOfLoan()
        try readSeveral()
        try readRenewals()
    }

    /// A shorter loan for what many wait for: more than a number, or more than there are copies and so many more.
    private mutating func readDemand() throws {
        if let kinds = taken("unavailable_items", "unavailable_copies") {
            let count =
                kinds.integerValue ?? kinds.objectValue?.entries.compactMap(\.value.integerValue).reduce(0, +) ?? 0
            let all = (taken("items_of_title", "copies_of_title", as: \.integerValue) ?? count + 1) - count
            guard all > 0, count >= 0 else { throw NotExpressed("more copies are unavailable than there are") }
            let away: JSON = ["name": "away", "title": "title", "count": .integer(count), "status": "withdrawn"]
            set(
                "copies",
                .array([["name": "copy", "title": "title", "count": .integer(all)]] + (count > 0 ? [away] : [])))
        }
        guard let days = taken("shortened_loan_days", "shortened_loan_period", "high_holds_loan_days") else { return }
        guard let period = TranslationReading.period(days, "days") else {
            throw NotExpressed("a shorter loan is a period")
        }
        let threshold = taken("threshold", "high_holds_threshold") ?? 0
        let mode = taken("mode", as: \.stringValue) ?? "static"
        guard ["static", "dynamic"].contains(mode) else { throw NotExpressed("what given.mode means by \(mode)") }
        set("demand", ["loan": period, mode == "static" ? "holds" : "beyond_copies": threshold])
        guard let isShorter = taken("shortened", as: \.boolValue, from: \.expect) else { return }
        let usual = left.given["loan_days"]?.integerValue ?? 14
        expect["loan_days"] =
            isShorter ? .integer(PeriodWords.period(period.stringValue ?? "")?.count ?? 0) : .integer(usual)
    }

    private mutating func readRecall() throws {
        guard steps.last?["patron"] == "recaller" else { return }
        if taken("already_recalled", as: \.boolValue) == true {
            // What is due by now, after a first recall, the first recall itself brings about.
            _ = taken("due", "loan_due")
            steps.insert(["op": "place_hold", "patron": "recaller-1"], at: 0)
        }
        guard let state = taken("state", "loan_state", as: \.stringValue) else { return }
        guard state.hasPrefix("overdue by "), let late = PeriodWords.period(String(state.dropFirst(11))) else {
            throw NotExpressed("what given.state means by \(state) is not in the table")
        }
        set("loans[].lent", "now - 30 days")
        set("loans[].due", .string("now - \(TranslationReading.text(late))"))
    }

    /// The calendar changes after the loan began, and the desk moves what is due on days that are closed now.
    private mutating func readClosures() throws {
        guard code == "close_days" else { return }
        var days: [JSON] = []
        var calendar = taken("calendar", as: \.objectValue) ?? [:]
        for closure in (calendar["exceptions"]?.arrayValue ?? []).compactMap(\.objectValue)
        where closure["open"] == false {
            guard let first = (closure["from"] ?? closure["date"])?.stringValue.flatMap({ try? CivilDate(parsing: $0) })
            else { throw NotExpressed("a closure needs a day") }
            let last = closure["to"]?.stringValue.flatMap { try? CivilDate(parsing: $0) } ?? first
            guard (0..<400).contains(last.days(since: first)) else { throw NotExpressed("a closure is too long") }
            for day in 0...last.days(since: first) {
                days.append(.string(try first.adding(days: Int64(day)).description))
            }
        }
        calendar["exceptions"] = .array((calendar["exceptions"]?.arrayValue ?? []).filter { $0["open"] != false })
        left.given["calendar"] = .object(calendar)
        for closed in (taken("new_closures", "closed_dates", as: \.arrayValue) ?? []) { days.append(closed) }
        steps = [["op": "close_days", "date": .array(days)]]
        set("loans[].copy", "copy")
        if let loan = taken("active_loan", "open_loan", as: \.objectValue), let due = loan["due"] ?? loan["due_date"] {
            left.given["due"] = due
        }
        guard let moved = taken("moved", "changed", as: \.boolValue, from: \.expect) else { return }
        expect["due_changed"] = .bool(moved)
    }

    private mutating func readFixedDue() throws {
        if let computed = taken("computed_due", "due_before_move"), code == "checkout", words.names("strategy") {
            guard case .string(let moment)? = computed.stringValue.flatMap(TranslationReading.moment) else {
                throw NotExpressed("given.computed_due is no moment")
            }
            if left.given["closed_strategy"]?.stringValue?.contains("hours") == true {
                throw NotExpressed("opening hours move a due time when a copy is lent, not afterwards")
            }
            set("now", .string("\(moment) - 1 days"))
            set("rule.loan", "1 days")
        }
        if let text = left.given["fixed_due"]?.stringValue, case .string(let moment)? = TranslationReading.moment(text),
            moment.hasPrefix("loan + ")
        {
            _ = taken("fixed_due")
            set("rule.loan", .string(String(moment.dropFirst(7))))
        }
        guard let flag = taken("flag", "due_date_changed_because", from: \.expect) else { return }
        guard flag == "due date changed because the membership is about to end" else {
            throw NotExpressed("what expect.flag means by \(flag.text()) is not in the table")
        }
        expect["due_capped"] = true
    }

    /// Dates by when a copy was lent: `{from, to, due}`.
    private mutating func readSchedule() throws {
        guard
            let list = taken(
                "schedule", "schedules", "fixed_schedule", "fixed_due_schedule", "fixed_due_date_schedule",
                as: \.arrayValue)
        else { return }
        for entry in list {
            let days = [["from", "start"], ["to", "until", "end"], ["due", "due_date"]].map { names in
                names.lazy.compactMap { entry[$0]?.stringValue }.first.map { String($0.prefix(10)) }
            }
            guard let from = days[0], let to = days[1], let due = days[2] else {
                throw NotExpressed("a row of a schedule needs its days and a due date")
            }
            set(
                "rules",
                [
                    [
                        "lent_from": .string(from), "lent_until": .string(to), "due_at": .string(due),
                        "due_time": "end_of_day",
                    ]
                ])
        }
    }

    private mutating func readStateOfLoan() throws {
        if let state = left.given["loan"]?.stringValue, PeriodWords.period(state) == nil {
            _ = taken("loan")
            switch state.lowercased().replacing("_", with: "-") {
            case "on-site", "onsite", "on site":
                set("loans[].on_site", true)
                set("renew_on_site", false)
            case "not overdue": set("loans[].due", "now + 5 days")
            case "overdue": set("loans[].due", "now - 2 days")
            case "open", "normal": break
            default: throw NotExpressed("what given.loan means by \(state) is not in the table")
            }
        }
        if let text = taken("renewal_would_reach", as: \.stringValue)?.lowercased() {
            guard text.contains("booking"), let start = text.components(after: "starts "),
                let (period, rest) = PeriodWords.leading(start), rest == "after the due date"
            else { throw NotExpressed("what given.renewal_would_reach means by \(text) is not in the table") }
            if left.given["due"] == nil { set("loans[].due", "now + 5 days") }
            let days = TranslationReading.text(period)
            set("copies[].booked_from", .string(left.given["due"] == nil ? "now + \(days) + 5 days" : "due + \(days)"))
            if left.given["due"] == nil { set("copies[].booked_from", .string("now + \(period.count + 5) days")) }
        }
        if let has = taken("patron_has", as: \.stringValue) {
            guard has.contains("same title") else { throw NotExpressed("what given.patron_has means by \(has)") }
            set("copies[].title", "title")
            set("copies[].count", 2)
            set("loans", [["copy": "copy-2", "patron": "reader"]])
        }
        let permits = taken("permit_renew_when_over_fines", as: \.boolValue)
        let blocksRenewal = taken("restriction_blocks_renewal", as: \.boolValue) ?? permits.map { !$0 }
        let refuses: JSON = ["checkout", "hold"]
        if let kind = taken("penalty", "standing_penalty", as: \.stringValue) {
            set(
                "patrons",
                blocksRenewal == false
                    ? [["blocks": [["kind": .string(kind), "refuses": refuses]]]]
                    : [["blocks": [["kind": .string(kind)]]]])
        } else if blocksRenewal == false, left.given["patron"] == "restricted" {
            _ = taken("patron")
            set("patrons", [["blocks": [["refuses": refuses]]]])
        }
    }

    /// Loans one after the other, each with a due date or a state.
    private mutating func readSeveral() throws {
        let ordinals = ["first", "second", "third", "fourth", "fifth"]
        var dues: [JSON] = []
        if let list = taken("loans_due", as: \.arrayValue) { dues = list }
        if let list = left.given["loans"]?.arrayValue, !list.isEmpty, list.allSatisfy({ $0.stringValue != nil }) {
            _ = taken("loans")
            dues = try list.map { state in
                guard let due = ["overdue": "now - 2 days", "not overdue": "now + 5 days"][state.stringValue ?? ""]
                else {
                    throw NotExpressed("what given.loans means by \(state.text()) is not in the table")
                }
                return .string(due)
            }
            let act = steps.last ?? [:]
            steps = dues.indices.map { index in
                var step = act
                step["copy"] = .string(index == 0 ? "copy" : "copy-\(index + 1)")
                return step
            }
            for (name, index) in [
                ("overdue_item", list.firstIndex(of: "overdue")), ("other_item", list.firstIndex(of: "not overdue")),
            ] {
                guard let index, let found = taken(name, as: \.stringValue, from: \.expect) else { continue }
                if found == "allowed" {
                    expect("allowed", true, of: index)
                } else if let reason = ReasonWords.code(found) {
                    expect("reason", reason, of: index)
                } else {
                    throw NotExpressed("what expect.\(name) means by \(found) is not in the table")
                }
            }
        }
        guard !dues.isEmpty else { return }
        let names = dues.indices.map { $0 == 0 ? "copy" : "copy-\($0 + 1)" }
        given["copies"] = .array(names.map { ["name": .string($0)] })
        given["loans"] = .array(zip(names, dues).map { ["copy": .string($0), "due": $1] })
        for index in steps.indices where steps[index]["copy"] == nil {
            let said = words.steps.indices.contains(index) ? words.steps[index].lowercased() : ""
            guard let place = ordinals.firstIndex(where: { said.contains($0) }), names.indices.contains(place) else {
                continue
            }
            steps[index]["copy"] = .string(names[place])
        }
    }

    /// `renewals` are those that are allowed, or those that were made, where the others are named as well.
    private mutating func readUsedRenewals() throws {
        let others = left.given.keys.filter { name in
            name != "renewals"
                && TranslationTable.entry(name, TranslationTable.given, code)?.entry.path == "rule.renewals"
        }
        if let allowed = others.first, let used = taken("renewals", as: \.integerValue) {
            set("loans[].renewals", .integer(used))
            _ = allowed
        }
        guard
            let rest = taken(
                "renewals_remaining", "remaining_renewals", "renewals_left", "renewal_remaining",
                "renewals_remaining_count", as: \.integerValue)
        else {
            return
        }
        if let allowed = others.first, let most = left.given[allowed]?.integerValue {
            set("loans[].renewals", .integer(max(0, most - rest)))
        } else {
            set("rule.renewals", .integer(rest))
        }
    }

    private mutating func readRenewals() throws {
        try readUsedRenewals()
        if taken("credit_counts", as: \.boolValue) == false { _ = taken("credit") }
        if let precision = taken("precision", as: \.stringValue) {
            guard precision == "date" || precision.hasPrefix("exact") else {
                throw NotExpressed("what given.precision means by \(precision) is not in the table")
            }
            for name in ["no_renewal_before_days", "no_auto_renewal_before_days"] where precision.hasPrefix("exact") {
                guard let days = taken(name, as: \.integerValue) else { continue }
                set("rule.renew_not_before", .string("\(24 * days) hours"))
            }
        }
        if let days = taken("hard_limit_in_days", as: \.integerValue) {
            let today = left.given["now"]?.stringValue.map { String($0.prefix(10)) } ?? "2026-05-20"
            guard let last = try? CivilDate(parsing: today).adding(days: days) else {
                throw NotExpressed("no such day")
            }
            set("auto_renew_last", .string(last.description))
        }
        if let days = taken("offset_days_from_today", as: \.integerValue, from: \.expect) {
            expect["last_auto_renewal"] = .string("today + \(days) days")
        }
        // How many days a renewal adds: before the due time, from that; after it, from the day of the renewal.
        for (name, at, more) in [
            ("extension_days_if_not_overdue", "due - 1 days", Int64(1)),
            ("extension_days_if_overdue", "due + 2 days", 0),
        ] {
            guard let days = taken(name, as: \.integerValue, from: \.expect) else { continue }
            subject = subject ?? steps.count - 1
            steps.append(["op": "renew", "at": .string(at), "expect": ["loan_days": .integer(days + more)]])
        }
    }
}
