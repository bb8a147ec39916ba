import Circulation
import Desk
import TextFormats

/// Facts about what a change of opening days does to loans.
enum CalendarFacts {
    static let knows: @Sendable (Operation) -> Bool = { $0.text == "apply_new_closures_to_open_loans" }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readCalendar()
        try closures(reading, plan)
    }

    /// The calendar changes after the loan began, and the desk moves what is due on days that are closed now.
    private static func closures(_ reading: FactReading, _ plan: FactPlan) throws {
        guard let loan = try reading.given.part("active_loan"), let due = try plan.moment("due", of: loan) else {
            throw NotExpressed("the fact names no loan")
        }
        let closures = plan.calendar.closed
        plan.calendar = try OpeningCalendar(
            weekly: plan.calendar.weekly, yearly: plan.calendar.yearly, opened: plan.calendar.opened)
        plan.now = try due.instant.adding(hours: -24 * 5)
        plan.loan.due = due
        try plan.readLoanTerms()
        let (library, title) = try plan.openLibrary()
        let lent = try plan.beginWithLoan(library, title)
        var moved = 0
        for closure in closures {
            let outcome = try library.desk.write {
                try $0.settings.close(FactLibrary.branch, closure, movingDue: true)
            }
            moved += try library.noted("closed from \(closure.first) to \(closure.last)", outcome) {
                "\($0) loans moved"
            }
            .done("the closure")
        }
        let current = try library.loan(lent)
        reading.answer("due", due: current.due, in: plan.zone)
        reading.answer("moved", flag: moved > 0)
        reading.answer("changed", flag: moved > 0)
        let messages = try library.desk.read { try $0.notices.outbox() }.count { $0.kind == "due_moved" }
        for key in ["messages_sent", "messages", "sent"] { reading.answer(key, number: Int64(messages)) }
    }
}
