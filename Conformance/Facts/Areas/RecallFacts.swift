import Circulation
import Desk
import TextFormats

/// Facts about loans that are asked back because somebody waits.
enum RecallFacts {
    static let knows: @Sendable (Operation) -> Bool = { $0.begins("recall") }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        try plan.readRecallTerms()
        try readTimes(reading, plan)
        let (library, title) = try plan.openLibrary()
        plan.loan.isUnderPolicy = true
        let loan = try plan.beginWithLoan(library, title)
        if try reading.given.flag("already_recalled") ?? false {
            try recall(library, title, by: "first")
        }
        let before = try library.loan(loan)
        try recall(library, title, by: "second")
        let after = try library.loan(loan)
        reading.answer("due", due: after.due, in: plan.zone)
        reading.answer("due_date", found: after.due.map { .string($0.date.description) } ?? .null)
        reading.answer("changed", flag: after.due != before.due)
        reading.answer("recalled", flag: after.recalledAt != nil)
    }

    private static func readTimes(_ reading: FactReading, _ plan: FactPlan) throws {
        plan.loan.lentAt = plan.loan.lentAt ?? plan.now
        if let at = try plan.moment("recall_at", of: reading.given) ?? plan.moment("at", of: reading.when) {
            plan.now = at.instant
        }
        // What is due by now, after a first recall, the first recall itself brings about.
        if try reading.given.flag("already_recalled") ?? false { plan.loan.due = nil }
        guard let state = try reading.given.text("state") else { return }
        guard state.hasPrefix("overdue by "), let late = PeriodWords.period(String(state.dropFirst(11))) else {
            throw reading.given.unreadable("state")
        }
        let due = try late.negated().added(to: plan.now, in: plan.zone, calendar: plan.calendar)
        plan.loan.due = Moment(due, in: plan.zone)
        plan.loan.lentAt = try due.adding(hours: -24 * 21)
    }

    private static func recall(_ library: FactLibrary, _ title: FactTitle, by patron: String) throws {
        try library.addPatron(patron)
        _ = try library.placeHold(.title(.id(title.id)), by: patron).done("the request of another")
    }
}

extension FactPlan {
    /// A recall leaves a loan its guaranteed time, and then so long from the day of the recall; it never lengthens one,
    /// and asks for each loan once.
    func readRecallTerms() throws {
        let guaranteed = try given.period("min_guaranteed")
        let interval = try given.period("return_interval")
        policy.add(to: "recall", "if case.loan.recalled_at or case.loan.due_at <= case.now then return nil end")
        let base = guaranteed.map { "exact(case.loan.lent_at + \(LuaText.period($0)))" } ?? "exact(case.now)"
        policy.add(to: "recall", "local due = \(base)")
        if let interval {
            policy.add(
                to: "recall", "local returned = exact(case.now + \(LuaText.period(interval)))",
                "if returned > due then due = returned end")
        }
        policy.add(to: "recall", "if due < case.loan.due_at then return due end")
    }
}
