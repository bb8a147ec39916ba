import Circulation
import Desk
import TextFormats

/// Facts about reminders in stages.
enum ReminderFacts {
    static let knows: @Sendable (Operation) -> Bool = { $0.begins("reminder fees", "reminders") }

    /// Stages after the due time with a fee each, and a job on each of some days.
    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        var distance: Int64 = 0
        for (index, reminder) in (try reading.given.parts("reminders") ?? []).enumerated() {
            guard let days = try reminder.number("after_days"), (0...400).contains(days) else {
                throw reading.given.unreadable("reminders")
            }
            // Each is counted from the one before, in whole days of 24 hours.
            distance += days
            plan.addNotice(
                "reminder \(index + 1)", "after", "hours(\(24 * distance))", charge: try reminder.money("fee"))
        }
        let days = try reading.given.text("job").map(jobDays) ?? []
        guard let last = days.last else { throw NotExpressed("the fact does not say when the job runs") }
        plan.loan.isUnderPolicy = true
        plan.loan.due = try plan.asDue(Moment(plan.today, in: plan.zone))
        let (library, title) = try plan.openLibrary()
        _ = try plan.beginWithLoan(library, title)
        var sent: [JSON] = []
        for day in days.first.map({ $0...last }) ?? 0...0 {
            library.travel(to: try plan.now.adding(hours: 24 * day))
            try library.sweep()
            sent.append(.integer(Int64(try library.desk.read { try $0.notices.outbox() }.count)))
        }
        reading.answer("notices_cumulative", found: .array(sent))
        let charges = try library.ledger().filter { $0.kind == .charge }
        reading.answer("fees_charged", found: .array(charges.map { .string($0.amount.amountText) }))
    }

    /// The first and the last day of `runs once a day from due+1 to due+6`.
    private static func jobDays(_ words: String) throws -> [Int64] {
        guard words.contains("once a day") else { throw NotExpressed("how often the job runs is not known") }
        let days = words.split { !$0.isNumber }.compactMap { Int64($0) }
        guard days.count == 2, days[0] <= days[1], days[1] < 400 else {
            throw NotExpressed("on which days the job runs is not known")
        }
        return days
    }

    // MARK: A job

    /// Reminders before and after the due time, by the day or the open day; the job runs once for each step.
    static func job(_ reading: FactReading, _ plan: FactPlan) throws {
        let stages = try plan.readReminders()
        guard let due = plan.loan.due else { throw NotExpressed("the fact names no due time") }
        let end = try plan.asDue(due)
        let operation = plan.now
        plan.loan = PlannedLoan(lentAt: try end.instant.adding(hours: -24 * 20), due: end, isUnderPolicy: true)
        plan.now = try end.instant.adding(hours: -24 * 19)
        let (library, title) = try plan.openLibrary()
        _ = try plan.beginWithLoan(library, title)
        for stage in try reading.given.texts("already_sent") ?? [] {
            guard let index = stages.firstIndex(of: stage) else { throw reading.given.unreadable("already_sent") }
            library.travel(to: try plan.reached(plan.policy.notices[index], due.date))
            try library.sweep()
        }
        let before = try sent(library)
        library.travel(to: operation)
        for _ in reading.operation.steps { try library.sweep() }
        let all = try sent(library)
        let new = all.filter { !before.contains($0) }
        for key in ["sent", "new"] { reading.answer(key, found: .array(new.map { .string($0) })) }
        reading.answer("sent_total_overdue", number: Int64(all.count { $0.hasPrefix("overdue") }))
        reading.answer("sent_total", number: Int64(all.count))
    }

    /// The stages that a patron was told of, superseded ones left out.
    private static func sent(_ library: FactLibrary) throws -> [String] {
        let notices = try library.desk.read { try $0.notices.list(NoticeQuery()) }
        return notices.filter { $0.state != .superseded && $0.kind != "due_moved" }.map(\.stage)
    }
}

extension FactPlan {
    /// Noon of the day on which a stage is reached.
    fileprivate func reached(_ row: PolicyText.Row, _ due: CivilDate) throws -> Instant {
        func period(_ text: String?) -> Period? {
            guard let text, let open = text.firstIndex(of: "("),
                let count = Int64(text[text.index(after: open)...].dropLast()),
                let unit = Period.Unit(rawValue: String(text[..<open]))
            else { return nil }
            return Period(count, unit)
        }
        guard let distance = try period(row["after"]) ?? period(row["before"])?.negated() else {
            throw NotExpressed("when a reminder is sent is not known")
        }
        return try zone.startOfDay(distance.added(to: due, calendar: calendar)).adding(hours: 12)
    }
}
