import Circulation
import TextFormats

/// Facts about renewals.
enum RenewalFacts {
    static let outside: [(key: String, reason: String)] = [
        ("overdue_policy", "the number of overdue loans is for a renew function"),
        ("max_owed", "fees owed are for a renew function"), ("penalty", "fees owed are for a renew function"),
        ("latest_auto_renew_date", "the last day of automatic renewal is checked, not told"),
        ("renewal_would_reach", "there are no bookings"),
    ]

    static func answer(_ fact: Fact) throws -> FactAnswer {
        if let reason = fact.outside(outside) { return .outside(reason) }
        if fact.flag("renew_if_other_items_can_fill") {
            return .outside("whether other copies can fill the holds is for a renew function")
        }
        if fact.flag("allow_renewal_for_expired") && fact.operation == "renew" {
            return .outside("an expired patron renews by override")
        }
        switch fact.operation {
        case "checkout, then check out again to the same patron": return try again(fact)
        case "renew three times": return try repeated(fact, times: 3)
        default: return try renewal(fact)
        }
    }

    /// A loan of a week and the renewals after it, each from the due date before.
    private static func again(_ fact: Fact) throws -> FactAnswer {
        let dates = try dueDates(fact, renewals: 1)
        return fact.compared([("due_dates", .array(dates.map { .string($0.description) }))])
    }

    private static func repeated(_ fact: Fact, times: Int) throws -> FactAnswer {
        let expected = try Instant(parsing: fact.expect["due"]?.stringValue ?? "")
        let last = try dueDates(fact, renewals: times).last
        return .compared([
            ("due", .string(Zone.utc.date(of: expected).description), last.map { .string($0.description) } ?? .null)
        ])
    }

    private static func dueDates(_ fact: Fact, renewals: Int) throws -> [CivilDate] {
        var fields = try DueDateFacts.fields(fact)
        fields["renewals"] = .unlimited
        fields["renew_from"] = .text("due")
        let rule = try MatchedRule(fields: fields)
        var question = try Sample.checkout(zone: "Etc/UTC", calendar: .alwaysOpen)
        question.now = try fact.instant(fact.given["loan_at"] == nil ? "now" : "loan_at")
        guard let due = try CompiledTables.empty.dueTime(for: question, rule: rule) else { return [] }
        var dates = [due.date]
        question.loan = LoanFacts(
            id: 1, lentAt: question.now, dueAt: due.instant, originalDueAt: due.instant)
        for _ in 0..<renewals {
            guard case .renewed(let next) = try CompiledTables.empty.renewal(for: question, rule: rule) else { break }
            dates.append(next.date)
            question.loan?.dueAt = next.instant
        }
        return dates
    }

    // MARK: One renewal

    private static func renewal(_ fact: Fact) throws -> FactAnswer {
        let question = try question(fact)
        let rule = try Sample.tables(rows(fact)).rule(for: question)
        let blocks = CompiledTables.empty.patronChecks(for: question)
        let answer = try CompiledTables.empty.renewal(for: question, rule: rule)
        let first = (blocks + answer.reasons).first
        if case .renewed(let due) = answer, let expected = fact.expect["due"]?.stringValue {
            let expected = try Instant(parsing: expected).description
            return .compared([("due", .string(expected), .string(due.instant.description))])
        }
        var found: [(String, JSON)] = [
            ("allowed", .bool(first == nil)),
            ("reason", foreignReason(first, expected: fact.expect["reason"]?.stringValue)),
        ]
        if let soonest = first?.figures["soonest"]?.stringValue, fact.expect["soonest"] != nil {
            let instant = try Instant(parsing: soonest, in: .utc)
            let local = Zone.utc.local(of: instant)
            found.append(("soonest", .string("\(local.date)T\(local.time)")))
        }
        return fact.compared(found)
    }

    private static func question(_ fact: Fact) throws -> Case {
        var question = try Sample.checkout(zone: "Etc/UTC", calendar: OpeningCalendar(of: fact))
        question.point = fact.operation == "checkout" ? .checkout : .renew
        if fact.given["now"] != nil { question.now = try fact.instant("now") }
        var lent = try question.now.adding(hours: -24 * (fact.number("issued_days_ago") ?? 1))
        var due = try question.now.adding(hours: 24 * (fact.number("due_in_days") ?? 2))
        if fact.given["due"] != nil { due = try fact.instant("due") }
        if fact.given["loan_at"] != nil {
            lent = try fact.instant("loan_at")
            question.now = lent
            due = try fact.period("period").added(to: lent, in: .utc, calendar: .alwaysOpen)
        }
        question.loan = LoanFacts(
            id: 1, lentAt: lent, dueAt: due, originalDueAt: due, renewals: fact.number("renewals_used") ?? 0,
            unseenRenewals: fact.number("unseen_used") ?? 0, onSite: fact.given["loan"] == "on-site")
        question.title?.holdsWaiting =
            (fact.number("title_level_holds") ?? 0) + (fact.number("item_level_hold_on_this_item") ?? 0)
        if fact.operation == "auto-renew job" { question.actor = ActorFacts(role: .job, channel: .job) }
        if fact.operation == "renew without seeing the item" { question.actor.channel = .web }
        if fact.flag("restriction_blocks_renewal") { question.patron.blocks = [BlockFacts(kind: "manual")] }
        if fact.given["patron"] == "expired" { question.patron.expiresOn = try question.today.adding(days: -1) }
        return question
    }

    private static func rows(_ fact: Fact) throws -> [RuleRow] {
        var fields = try DueDateFacts.fields(fact)
        fields["loan"] = fields["loan"] ?? .period(.days(60))
        fields["renewals"] = fact.number("renewals_allowed").map { .integer($0) } ?? .unlimited
        fields["unseen_renewals"] = fact.number("unseen_allowed").map { .integer($0) }
        fields["auto_renew"] = .boolean(true)
        if fact.given["renew_from"] == "current due date" { fields["renew_from"] = .text("due") }
        if let days = fact.number("no_renewal_before_days") ?? fact.number("no_auto_renewal_before_days") {
            let period = Period.days(days)
            fields["renew_not_before"] = .period(fact.given["precision"] == "exact time" ? period.elapsed : period)
        }
        if let days = fact.number("no_auto_renewal_after_days") {
            fields["auto_renew_until"] = .period(.days(days))
        }
        let onSite = Sample.row(["renewals": .integer(0)], where: RowConditions(onSite: true))
        return [onSite, Sample.row(fields)]
    }

    private static func foreignReason(_ reason: Refusal.Reason?, expected: String?) -> JSON {
        guard let expected else { return .null }
        let words: [String: [String]] = [
            "holds_waiting": ["on_reserve"], "too_soon": ["too_soon", "auto_too_soon"],
            "renewals": ["too_unseen", "onsite_checkout", "loan at maximum renewal number"],
            "blocked": ["restriction"], "expired": ["PATRON_ACCOUNT_EXPIRED"],
            "": ["auto_renew", "auto_renew_final"],
        ]
        let isTooLate = reason?.code == "renewals" && reason?.figures["until"] != nil
        if isTooLate { return expected == "auto_too_late" ? "auto_too_late" : "renewals" }
        return words[reason?.code ?? ""]?.contains(expected) ?? false
            ? .string(expected) : .string(reason?.code ?? "allowed")
    }
}
