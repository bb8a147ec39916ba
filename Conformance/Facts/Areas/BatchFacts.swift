import Circulation
import Desk
import TextFormats

/// Facts about a run that does so many at a time.
enum BatchFacts {
    private struct Enough: Error {}

    /// Loans whose notices are overdue, and a sweep that stops after its first page.
    static func answer(_ reading: FactReading, _ plan: FactPlan) throws {
        guard let count = try reading.given.count("due_notices_in_the_past"), (1...500).contains(count),
            let size = try reading.given.number("batch_limit"), (1...500).contains(size)
        else { throw NotExpressed("so many notices, or so few at a time, are not tried") }
        plan.addNotice("late", "after", "days(1)")
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        try lend(Int(count), library, plan)
        var processed: Int64 = 0
        do {
            _ = try library.desk.sweep(pageSize: size) { report in
                processed = report.notices
                throw Enough()
            }
        } catch is Enough {}
        let told = try library.desk.read { try $0.notices.outbox() }.compactMap(\.dueAt)
        library.note("a sweep of one page: \(processed) notices")
        let all = try library.desk.read { try $0.loans.active(of: .username(FactLibrary.reader)) }.compactMap(
            \.due?.instant)
        let oldest = all.sorted().prefix(told.count)
        reading.answer("processed", number: processed)
        reading.answer("left", number: count - processed)
        reading.answer("order", word: told.sorted() == Array(oldest) ? ["oldest first"] : [], own: "another order")
    }

    /// Loans that are late by one minute more each, the latest of them lent first.
    private static func lend(_ count: Int, _ library: FactLibrary, _ plan: FactPlan) throws {
        let titles = try (1...count).map { try library.addTitle("late\($0)").id }
        library.travel(to: try plan.now.adding(hours: -24 * 30))
        try library.desk.write { session in
            let loans = try session.loans.checkout(
                CheckoutRequest(patron: .username(FactLibrary.reader), wanted: .titles(titles.map { .id($0) }))
            ).done("the loans")
            for (index, loan) in loans.enumerated() {
                let due = try plan.now.adding(minutes: -60 * 24 * 5 + Int64(count - index))
                _ = try session.loans.setDue(.id(loan.id), instant: due, reason: "late").done("the due time")
            }
        }
        library.travel(to: plan.now)
    }
}
