import Circulation
import TextFormats

/// Facts about fines and suspensions.
enum FineFacts {
    static let outside: [(key: String, reason: String)] = [
        ("item_type_default_price", "an item type has no price"),
        ("lost_charge", "lost copies are for the point lost"), ("lost_set_cost", "lost copies are for the point lost"),
        ("fine_line", "lines of an account are the ledger's"),
        ("rental_charge", "rental charges are for the point price"),
        ("rental_per_day", "rental charges are for the point price"),
        ("rental_per_hour", "rental charges are for the point price"),
        ("return_dated", "a return in the future is refused by the desk"),
        ("reminders", "stages that count from the last notice sent are for an overdue function"),
    ]

    static func answer(_ fact: Fact) throws -> FactAnswer {
        if let reason = fact.outside(outside) { return .outside(reason) }
        if fact.given["suspension_days_per_interval"] != nil || fact.given["suspension_days_per_late_day"] != nil {
            return try suspension(fact)
        }
        if fact.given["intervals"] != nil { return try stepped(fact) }
        if fact.given["intervals_late"] != nil { return try intervals(fact) }
        switch fact.operation {
        case "overdue_minutes": return try overdueMinutes(fact)
        case "chargeable_minutes": return try chargeableMinutes(fact)
        default: return try fine(fact)
        }
    }

    /// A cent a minute: the fine's cents are minutes.
    private static let centAMinute: [String: RuleValue] = [
        "fine": .money(Money(minorUnits: 1, currency: .eur)), "per": .period(.minutes(1)),
    ]

    private static func question(_ fact: Fact, due: Instant, now: Instant) throws -> Case {
        var question = try Sample.checkout(zone: "Etc/UTC", calendar: OpeningCalendar(of: fact))
        question.zone = try fact.zone
        question.now = now
        question.loan = LoanFacts(
            id: 1, lentAt: try due.adding(hours: -240), dueAt: due, originalDueAt: due,
            recalledAt: fact.flag("recalled") ? due : nil)
        return question
    }

    /// Rows with the fines of recalled loans before the others, by a `when` function.
    private static func cents(_ rows: [RuleRow], _ question: Case) throws -> Money? {
        let tables = try Sample.tables(rows)
        let rule = try tables.matchedRule(for: question) { _ in question.loan?.recalledAt != nil }
        return try tables.fine(for: question, rule: rule)
    }

    // MARK: Fines

    private static func fine(_ fact: Fact) throws -> FactAnswer {
        let noon = try Instant(parsing: "2026-05-20T12:00:00Z")
        var due = try fact.given["due"] == nil ? noon : fact.instant("due")
        var now = due
        if let days = fact.number("days_late") { now = try due.adding(hours: 24 * days) }
        if fact.given["returned"] != nil || fact.when["dated"] != nil {
            now = try fact.instant(fact.given["returned"] != nil ? "returned" : "dated")
        }
        if let days = fact.number("loan_days"), let ago = fact.given["checked_out"]?.stringValue {
            now = noon
            due = try noon.adding(hours: 24 * (days - Period(foreign: String(ago.dropLast(4))).count))
        }
        let question = try question(fact, due: due, now: now)
        let fine = try cents(fineRows(fact), question)
        return fact.compared([
            ("fine", fine.map { .string($0.amountText) } ?? .null),
            ("fine_lines", .integer((fine?.minorUnits ?? 0) / 100)),
        ])
    }

    private static func fineRows(_ fact: Fact) throws -> [RuleRow] {
        var rows: [RuleRow] = []
        func add(_ fine: Money?, _ conditions: RowConditions) throws {
            guard let fine else { return }
            var fields: [String: RuleValue] = ["fine": .money(fine)]
            if fact.given["interval"] != nil { fields["per"] = .period(try fact.period("interval")) }
            if let cap = try fact.money("max_fine") { fields["fine_cap"] = .money(cap) }
            rows.append(Sample.row(fields, where: conditions))
        }
        try add(fact.money("recall_fine_per_interval"), RowConditions(when: 0))
        for rule in fact.given["rules"]?.arrayValue ?? [] {
            // The branch that decides is the copy's own: rows name it by `copy_branch`.
            let branch = rule["branch"]?.stringValue == "item \(fact.given["branch_that_decides"]?.stringValue ?? "")"
            let amount = try Money(parsing: rule["fine_per_day"]?.stringValue ?? "", currency: .eur)
            try add(amount, RowConditions(copyBranches: [branch ? "main" : "elsewhere"]))
        }
        let plain = try fact.money("fine_per_interval") ?? fact.money("fine_per_day")
        try add(plain ?? (rows.isEmpty ? Money(minorUnits: 100, currency: .eur) : nil), RowConditions())
        return rows
    }

    /// The same number of intervals late, for each length of interval.
    private static func intervals(_ fact: Fact) throws -> FactAnswer {
        let lengths = (fact.given["interval_minutes"]?.objectValue ?? [:]).compactMap(\.value.integerValue)
        var found: [(name: String, expected: JSON, found: JSON)] = []
        for minutes in lengths {
            let due = try Instant(parsing: "2026-05-20T12:00:00Z")
            let now = try due.adding(minutes: minutes * (fact.number("intervals_late") ?? 0))
            let fields: [String: RuleValue] = [
                "fine": .money(try fact.money("fine_per_interval") ?? .zero(.eur)), "per": .period(.minutes(minutes)),
                "fine_cap": .money(try fact.money("max_fine") ?? .zero(.eur)),
            ]
            let fine = try cents([Sample.row(fields)], question(fact, due: due, now: now))
            found.append(
                ("fine", fact.expect["fine"] ?? .null, fine.map { .string($0.amountText) } ?? .null))
        }
        return .compared(found)
    }

    /// A source that closes an all-day opening at 23:59 loses a minute each midnight; ours does not.
    private static func overdueMinutes(_ fact: Fact) throws -> FactAnswer {
        let fields = centAMinute.merging(["fine_closed_days": .boolean(fact.flag("count_closed"))]) { $1 }
        let question = try question(fact, due: fact.instant("due"), now: fact.instant("returned"))
        let minutes = try cents([Sample.row(fields)], question)?.minorUnits
        let allDay = fact.given["hours"]?.stringValue?.hasPrefix("open all day") ?? false
        let lost = try (0..<question.daysOverdue).count { day in
            let date = try question.zone.date(of: fact.instant("due")).adding(days: day)
            return allDay || fact.given["hours"]?[date.description] == "all day"
        }
        return fact.compared([("minutes", .integer((minutes ?? 0) - Int64(lost)))])
    }

    /// Days of grace are elapsed time there.
    private static func chargeableMinutes(_ fact: Fact) throws -> FactAnswer {
        var rows = [
            Sample.row(centAMinute.merging(["grace": .period(try fact.period("grace").elapsed)]) { $1 })
        ]
        if fact.flag("ignore_grace_if_recalled") {
            rows.insert(Sample.row(centAMinute, where: RowConditions(when: 0)), at: 0)
        }
        let due = try Instant(parsing: "2026-05-20T12:00:00Z")
        let now = try due.adding(minutes: fact.number("overdue_minutes") ?? 0)
        let minutes = try cents(rows, question(fact, due: due, now: now))?.minorUnits
        return fact.compared([("minutes", .integer(minutes ?? -1))])
    }

    /// Steps over open days, on a calendar without weekends.
    private static func stepped(_ fact: Fact) throws -> FactAnswer {
        let steps = try (fact.given["intervals"]?.arrayValue ?? []).map { step in
            FineStep(
                from: .days(step["from"]?.integerValue ?? 0), to: step["to"]?.integerValue.map(Period.days),
                fine: try Money(parsing: step["per_day"]?.stringValue ?? "", currency: .eur))
        }
        var fields: [String: RuleValue] = ["fine_steps": .fineSteps(steps), "fine_closed_days": .boolean(false)]
        if let cap = try fact.money("max_total") { fields["fine_cap"] = .money(cap) }
        let calendar = try Sample.calendar()
        let due = try Instant(parsing: "2026-05-20T12:00:00Z")
        var found: [(name: String, expected: JSON, found: JSON)] = []
        for entry in fact.expect["fine_by_open_days_late"]?.objectValue ?? [:] {
            let late = try calendar.addOpenDays(Zone.utc.date(of: due), Int64(entry.key) ?? 0)
            var question = try question(fact, due: due, now: Zone.utc.startOfDay(late))
            question.calendar = calendar
            let fine = try cents([Sample.row(fields)], question)
            found.append((entry.key, entry.value, fine.map { .string($0.amountText) } ?? .null))
        }
        return .compared(found)
    }

    // MARK: Suspensions

    private static func suspension(_ fact: Fact) throws -> FactAnswer {
        let length = fact.number("suspension_days_per_interval") ?? fact.number("suspension_days_per_late_day") ?? 0
        let countsClosed = fact.given["count_closed"]?.boolValue ?? true
        var fields: [String: RuleValue] = [
            "suspension": .period(countsClosed ? .days(length) : .openDays(length)),
            "suspension_per": .period(.days(fact.number("interval_days") ?? 1)),
            "suspension_mode": .text(fact.given["mode"] == "cumulative" ? "add" : "longest"),
            "fine_closed_days": .boolean(countsClosed), "grace_mode": .text("deduct"),
        ]
        if let grace = fact.number("grace_days") { fields["grace"] = .period(.days(grace)) }
        if let cap = fact.number("max_suspension_days") { fields["suspension_cap"] = .period(.days(cap)) }
        let rule = try MatchedRule(fields: fields)
        let now = try fact.given["now"] == nil ? Instant(parsing: "2026-05-20T12:00:00Z") : fact.instant("now")
        var dues = (fact.given["loans_due"]?.arrayValue ?? []).compactMap(\.stringValue)
        if let late = fact.number("days_late") { dues = [try Zone.utc.date(of: now).adding(days: -late).description] }
        var ends: [CivilDate?] = []
        for due in dues {
            var question = try question(fact, due: Instant(parsing: due, in: .utc), now: now)
            question.patron.suspendedUntil = ends.last ?? nil
            ends.append(try CompiledTables.empty.suspensionEnd(for: question, rule: rule))
        }
        func words(_ index: Int) -> JSON {
            guard index < ends.count, let end = ends[index] else { return .null }
            return .string(end.description)
        }
        let days = (ends.last ?? nil).map { Int64($0.days(since: Zone.utc.date(of: now))) }
        return fact.compared([
            ("suspension_days", days.map(JSON.integer) ?? .null), ("suspended_until", words(0)),
            ("suspended_until_after_first", words(0)), ("suspended_until_after_second", words(1)),
        ])
    }
}
