import Circulation
import TextFormats

/// Facts about notices.
enum NoticeRowFacts {
    static let outside: [(key: String, reason: String)] = [
        ("digest", "merging a patron's notices is for the sweep"),
        ("pending_checkin_message", "receipts of a check-in are no notices of a loan"),
        ("loan", "the sweep asks about open loans alone"), ("item_status", "the sweep asks about open loans alone"),
        ("batch_limit", "batches are for the sweep"), ("transport", "sending is for the outbox"),
    ]

    static func answer(_ fact: Fact) throws -> FactAnswer {
        if fact.operation == "send an overdue notice by hand" { return try byHand(fact) }
        if let reason = fact.outside(outside) { return .outside(reason) }
        if fact.given["reminders"] != nil { return try reminders(fact) }
        if fact.given["notice"] != nil { return try scheduled(fact) }
        switch fact.operation {
        case "upcoming_due": return try upcoming(fact)
        case "overdue job": return try overdueJob(fact)
        case "is_due_soon", "is_late": return try lateness(fact)
        case let operation: throw UnreadableFact(description: operation)
        }
    }

    private static let noon = "2026-05-20T12:00:00Z"

    private static func row(
        _ stage: String, before: Period? = nil, after: Period? = nil, every: Period? = nil
    ) -> NoticeRow {
        NoticeRow(
            stage: stage, before: before, after: after, every: every, channel: "email", subject: "S", body: "B",
            place: Sample.place(1))
    }

    private static func question(due: Instant, now: Instant, calendar: OpeningCalendar = .alwaysOpen) throws -> Case {
        var question = try Sample.checkout(zone: "Etc/UTC", calendar: calendar)
        question.now = now
        question.loan = LoanFacts(id: 1, lentAt: due, dueAt: due, originalDueAt: due)
        return question
    }

    /// What a sweep sends, and records with what it passes over.
    private static func sweep(_ rows: [NoticeRow], _ question: inout Case) throws -> [String] {
        let orders = try PolicyTables(notices: rows).compiled().noticesDue(for: question, when: Sample.noCondition)
        question.loan?.notices += orders.map {
            NoticeFacts(stage: $0.stage, repetition: $0.repetition, at: question.now)
        }
        return orders.filter { !$0.isSuperseded }.map(\.stage)
    }

    // MARK: Kinds of facts

    /// Loans due in so many days, at the end of their day.
    private static func upcoming(_ fact: Fact) throws -> FactAnswer {
        let now = try Instant(parsing: noon)
        let rows = [row("soon", before: .days(fact.number("look_ahead_days") ?? 0))]
        let days = (fact.given["loans_due_in_days"]?.arrayValue ?? []).compactMap(\.integerValue)
        let count = try days.count { days in
            var question = try question(due: now.adding(hours: 24 * days + 11), now: now)
            return try !sweep(rows, &question).isEmpty
        }
        return fact.compared([("loans", .integer(Int64(count)))])
    }

    private static func overdueJob(_ fact: Fact) throws -> FactAnswer {
        let now = try Instant(parsing: noon)
        let every = Period.days(fact.number("overdue_repeat_days") ?? 1)
        let days = (fact.given["loans_overdue_days"]?.arrayValue ?? []).compactMap(\.integerValue)
        var sent = 0
        for days in days {
            var question = try question(due: now.adding(hours: -24 * days), now: now)
            sent += try sweep([row("overdue", after: every, every: every)], &question).count
        }
        return fact.compared([("sent", .integer(Int64(sent)))])
    }

    private static func lateness(_ fact: Fact) throws -> FactAnswer {
        let due = try Instant(parsing: noon)
        let days = fact.number("due_soon_days")
        let now = try days.map { try due.adding(hours: -24 * $0) } ?? due.adding(seconds: 2)
        var question = try question(due: due, now: now)
        let isLate = question.isPastDue
        let soon = try days.map { try sweep([row("soon", before: .days($0))], &question) }
        return fact.compared([("result", .bool(soon.map { !$0.isEmpty } ?? isLate))])
    }

    private static func byHand(_ fact: Fact) throws -> FactAnswer {
        let due = try Instant(parsing: noon)
        var question = try question(due: due, now: due.adding(hours: -1))
        let sent = try sweep([row("overdue", after: .hours(0))], &question)
        return fact.compared([("allowed", .bool(!sent.isEmpty))])
    }

    /// Reminders by days before and open days after, each a stage of its own.
    private static func reminders(_ fact: Fact) throws -> FactAnswer {
        var rows: [NoticeRow] = []
        for reminder in fact.given["reminders"]?.arrayValue ?? [] {
            let number = rows.count { $0.after != nil } + 1
            if let days = reminder["days_before"]?.integerValue { rows.append(row("due_soon", before: .days(days))) }
            if let days = reminder["open_days_after"]?.integerValue {
                rows.append(row("overdue#\(number)", after: .openDays(days)))
            }
        }
        let calendar = try OpeningCalendar(of: fact)
        let words = try fact.text("loan_due")
        let today = try CivilDate(parsing: fact.when["at"]?.stringValue?.prefix(10) ?? noon.prefix(10))
        let due: CivilDate
        if let count = words.split(separator: " ").first.flatMap({ Int64($0) }) {
            due = try words.contains("open days") ? calendar.addOpenDays(today, -count) : today.adding(days: -count)
        } else {
            due = try CivilDate(parsing: words.prefix(10))
        }
        var question = try question(
            due: try Zone.utc.startOfDay(due).adding(hours: 20), now: try Zone.utc.startOfDay(today).adding(hours: 6),
            calendar: calendar)
        let before = (fact.given["already_sent"]?.arrayValue ?? []).compactMap(\.stringValue)
        question.loan?.notices = before.map { NoticeFacts(stage: $0, repetition: 0, at: question.now) }
        var sent = try sweep(rows, &question)
        sent += try sweep(rows, &question)
        return fact.compared([
            ("sent", .array(sent.map(JSON.string))), ("new", .array(sent.map(JSON.string))),
            ("sent_total_overdue", .integer(Int64((before + sent).count { $0.hasPrefix("overdue") }))),
        ])
    }

    /// A notice at a moment before, upon or after the due time, in elapsed time, perhaps again and again.
    private static func scheduled(_ fact: Fact) throws -> FactAnswer {
        let notice = fact.given["notice"]?.objectValue ?? [:]
        func period(_ key: String) throws -> Period? {
            try notice[key]?.stringValue.map { try Period(foreign: $0).elapsed }
        }
        let timing = notice["timing"]?.stringValue
        let rows = [
            row(
                "notice", before: timing == "before" ? try period("by") : nil,
                after: timing == "after" ? try period("by") : nil, every: try period("repeat_every"))
        ]
        let due = try fact.instant("due")
        var now = try fact.instant("loan_at")
        switch fact.operation {
        case "schedule": break
        case "run one second before the due time": now = try due.adding(seconds: -1)
        case "run after the due date": now = try due.adding(seconds: 1)
        default: now = try Instant(parsing: String(fact.operation.split(separator: " ").last ?? ""))
        }
        var question = try question(due: due, now: now)
        let sent = try sweep(rows, &question)
        let next = try nextRun(rows, question, expected: fact.expect["next_run"]?.stringValue)
        return fact.compared([
            ("sent", .integer(Int64(sent.count))), ("next_run", next), ("discarded", .bool(sent.isEmpty)),
        ])
    }

    /// The moment expected, if a sweep a second earlier sends nothing and one then does; null if no later one ever does.
    private static func nextRun(_ rows: [NoticeRow], _ question: Case, expected: String?) throws -> JSON {
        guard let expected else {
            var later = question
            later.now = try question.now.adding(hours: 24 * 365)
            return try sweep(rows, &later).isEmpty ? .null : "later"
        }
        let moment = try Instant(parsing: expected)
        var early = question
        early.now = try moment.adding(seconds: -1)
        var then = question
        then.now = moment
        let isThen = try sweep(rows, &early).isEmpty && !sweep(rows, &then).isEmpty
        return isThen ? .string(expected) : "another time"
    }
}
