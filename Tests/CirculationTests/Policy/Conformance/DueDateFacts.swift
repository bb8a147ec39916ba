import Circulation
import TextFormats

/// Facts about due dates.
enum DueDateFacts {
    static let outside: [(key: String, reason: String)] = [
        ("shortened_loan_days", "a loan shortened by the number of holds is for a due function"),
        ("recall", "recalls are for a recall function"), ("recall (second one)", "recalls are for a recall function"),
        ("recall_at", "recalls are for a recall function"),
    ]

    static func answer(_ fact: Fact) throws -> FactAnswer {
        if let reason = fact.outside(outside) ?? unusual(fact) { return .outside(reason) }
        switch fact.operation {
        case "match", "all_matches": return try match(fact)
        case "apply_closed_strategy": return try keptDate(fact)
        default: break
        }
        if fact.given["rules"] != nil { return try scopedLoan(fact) }
        if fact.given["item_circulation_restriction"] != nil { return try restrictedLoan(fact) }
        return try due(fact)
    }

    private static func unusual(_ fact: Fact) -> String? {
        if let expires = fact.given["patron_expires"]?.stringValue {
            if expires.contains("T") { return "a membership ends with a day, not at an instant" }
            if let start = fact.given["start"]?.stringValue, expires < start {
                return "a loan is never due before it begins; the desk refuses an expired patron"
            }
        }
        if fact.given["closed_strategy"] == "move to end of current open hours" {
            return "the opening hours at the time of lending are for a due function"
        }
        return nil
    }

    // MARK: Due dates

    private static let modes = [
        "Calendar": "open_days", "Datedue": "next_open", "Dayweek": "same_weekday", "Days": "keep",
        "move to end of next open day": "next_open", "end of next open day": "next_open",
        "end of previous open day": "previous_open", "move to end of previous open day": "previous_open",
        "move to beginning of next open hours": "next_open", "keep the current due date": "keep",
    ]

    /// The period fields that a fact gives.
    static func fields(_ fact: Fact) throws -> [String: RuleValue] {
        var fields: [String: RuleValue] = [:]
        if let days = fact.number("loan_days") { fields["loan"] = .period(.days(days)) }
        if let hours = fact.number("loan_hours") { fields["loan"] = .period(.hours(hours)) }
        for key in ["duration", "period", "loan_period"] where fact.given[key] != nil {
            fields["loan"] = .period(try fact.period(key))
        }
        if let days = fact.number("renewal_days") { fields["renewal_period"] = .period(.days(days)) }
        if fact.given["renewal_period"] != nil { fields["renewal_period"] = .period(try fact.period("renewal_period")) }
        if let mode = (fact.given["days_mode"] ?? fact.given["closed_strategy"])?.stringValue {
            guard let closed = modes[mode] else { throw UnreadableFact(description: mode) }
            fields["closed"] = .text(closed)
            if mode.contains("end of") { fields["due_time"] = .text("end_of_day") }
            if mode.contains("open hours") { fields["closed_hours"] = .text("next_open") }
        }
        if let hours = fact.given["hours_policy"] {
            fields["closed_hours"] = .text(hours == "close" ? "previous_close" : "next_open")
        }
        if let limit = fact.given["limit_due"]?.stringValue {
            fields["due_limit"] = .date(try CivilDate(parsing: limit.prefix(10)))
        }
        if let time = fact.given["due_time_local"]?.stringValue { fields["due_time"] = .text(time) }
        return fields
    }

    private static func due(_ fact: Fact) throws -> FactAnswer {
        var question = try Sample.checkout(calendar: OpeningCalendar(of: fact))
        question.zone = try fact.given["calendar"]?["tz"]?.stringValue.map { try Zone(named: $0) } ?? fact.zone
        let start = ["from", "at", "now", "loan_at", "start"].first { fact.when[$0] != nil || fact.given[$0] != nil }
        guard let start else { throw UnreadableFact(description: "no start") }
        question.now = try Instant(parsing: fact.text(start), in: question.zone)
        var fields = try fields(fact)
        let due: DueTime?
        if fact.operation == "renew" {
            fields["renewals"] = .unlimited
            question.loan = LoanFacts(
                id: 1, lentAt: question.now, dueAt: question.now, originalDueAt: question.now)
            let answer = try CompiledTables.empty.renewal(for: question, rule: MatchedRule(fields: fields))
            guard case .renewed(let renewed) = answer else { return fact.compared([("due_date", "refused")]) }
            due = renewed
        } else {
            due = try CompiledTables.empty.dueTime(for: question, rule: MatchedRule(fields: fields))
        }
        guard let due else { throw UnreadableFact(description: "no period") }
        return try compared(fact, due, in: question.zone)
    }

    /// A system that keeps the time of day of lending for periods of days is compared by the date alone; one that adds an
    /// offset to the next opening, as a due function would.
    private static func compared(_ fact: Fact, _ due: DueTime, in zone: Zone) throws -> FactAnswer {
        if fact.expect["due_date"] != nil { return fact.compared([("due_date", .string(due.date.description))]) }
        guard let text = fact.expect["due"]?.stringValue else { throw UnreadableFact(description: "no due") }
        let expected = try Instant(parsing: text, in: zone)
        if !due.isExact && fact.given["profile"] == "rolling" && fact.given["closed_strategy"] == nil {
            return .compared([
                ("due", .string(zone.date(of: expected).description), .string(due.date.description))
            ])
        }
        var instant = due.instant
        if fact.given["offset"] != nil {
            instant = try fact.period("offset").added(to: instant, in: zone, calendar: .alwaysOpen)
        }
        return .compared([("due", .string(expected.description), .string(instant.description))])
    }

    /// A computed time made a date stands at the end of its local day.
    private static func keptDate(_ fact: Fact) throws -> FactAnswer {
        var question = try Sample.checkout()
        question.zone = try fact.zone
        let computed = try fact.instant("computed_due")
        question.now = try computed.adding(hours: -24)
        let date = question.zone.date(of: computed)
        let rule = try MatchedRule(fields: ["due_time": .text("end_of_day")])
        let due = try CompiledTables.empty.dueTime(answered: date, for: question, rule: rule)
        let expected = try Instant(parsing: fact.expect["due"]?.stringValue ?? "")
        return .compared([("due", .string(expected.description), .string(due.instant.description))])
    }

    // MARK: Which rule holds

    /// Rows for everywhere and for groups of branches, the group's first.
    private static func scopedLoan(_ fact: Fact) throws -> FactAnswer {
        let rows = (fact.given["rules"]?.arrayValue ?? []).map { rule in
            let group = rule["scope"]?.stringValue?.split(separator: "{").dropFirst().first?.dropLast()
            let branches = group.map { $0.split(separator: ",").map(String.init) }
            return Sample.row(
                ["loan": .period(.days(rule["loan_days"]?.integerValue ?? 0))],
                where: RowConditions(branches: branches))
        }
        let tables = try Sample.tables(rows, match: MatchOrder(dimensions: ["branch"]))
        let question = try Sample.checkout(branch: fact.text("at_branch"))
        guard case .period(let loan) = try tables.rule(for: question)["loan"] else { return fact.compared([]) }
        return fact.compared([("loan_days", .integer(loan.count))])
    }

    private static func restrictedLoan(_ fact: Fact) throws -> FactAnswer {
        func row(_ type: String?, weeks: Int64) -> RuleRow {
            Sample.row(
                ["loan": .period(.weeks(weeks)), "renewals": .unlimited, "renew_from": .text("due")],
                where: RowConditions(itemTypes: type.map { [$0] }))
        }
        let rows = [
            row("ONE_WEEK", weeks: 1), row("TWO_WEEKS", weeks: 2), row("THREE_WEEKS", weeks: 3), row(nil, weeks: 4),
        ]
        let tables = try Sample.tables(rows)
        var question = try Sample.checkout(
            calendar: .alwaysOpen, itemTypes: [fact.text("item_circulation_restriction")])
        let rule = try tables.rule(for: question)
        guard let due = try tables.dueTime(for: question, rule: rule) else { return fact.compared([]) }
        question.loan = LoanFacts(
            id: 1, lentAt: question.now, dueAt: due.instant, originalDueAt: due.instant)
        guard case .renewed(let renewed) = try tables.renewal(for: question, rule: rule) else {
            return fact.compared([])
        }
        return fact.compared([
            ("loan_days", .integer(Int64(due.date.days(since: question.today)))),
            ("extension_days_if_not_overdue", .integer(Int64(renewed.date.days(since: due.date)))),
        ])
    }

    /// Criteria of the other system stand for conditions of ours; any four will do.
    private static func match(_ fact: Fact) throws -> FactAnswer {
        let names = [
            "material type": "item_type", "patron group": "category", "loan type": "home_branch",
            "institution": "branch",
        ]
        let priority = try fact.text("priority").split(separator: "(")[0].split(separator: ",")
        let match = MatchOrder(
            dimensions: priority.compactMap { names[$0.split(separator: " ").joined(separator: " ")] })
        var rows = (fact.given["rules"]?.arrayValue ?? []).map { rule in
            var conditions = RowConditions()
            func values(_ key: String) -> [String]? { rule["when"]?[key]?.stringValue.map { [$0] } }
            conditions.itemTypes = values("material")
            conditions.categories = values("group")
            conditions.homeBranches = values("loan_type")
            conditions.branches = values("institution")
            var row = Sample.row(["policy": .free(rule["policy"] ?? .null)], where: conditions)
            row.place = Sample.place(Int(rule["line"]?.integerValue ?? 0))
            return row
        }
        let location = fact.when["location"]?.stringValue.flatMap { fact.given["location_tree"]?[$0]?.stringValue }
        var question = try Sample.checkout(
            category: fact.when["group"]?.stringValue ?? "", itemTypes: [fact.text("material")],
            branch: location?.split(separator: " ").last.map(String.init) ?? "")
        question.patron.homeBranch = fact.when["loan_type"]?.stringValue ?? ""
        var matches: [JSON] = []
        while true {
            let rule = try PolicyTables(rules: rows, match: match).compiled().rule(for: question)
            guard case .free(let policy) = rule["policy"], let row = rule.row(setting: .free("policy")) else { break }
            matches.append(["loan_policy": policy, "line": .integer(Int64(rows[row].place.line))])
            rows.remove(at: row)
        }
        return fact.compared([("loan_policy", matches.first?["loan_policy"] ?? .null), ("matches", .array(matches))])
    }
}
