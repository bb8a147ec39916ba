import Circulation
import Desk
import TextFormats

/// Facts about renewals, asked for and automatic.
enum RenewalFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.begins("renew", "auto-renew", "auto_renew", "automatic renewal", "latest_auto_renew_date")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        if reading.when.has("from") {
            plan.loan.lentAt = try plan.now.adding(hours: -24 * 10)
            plan.loan.due = Moment(plan.now, in: plan.zone)
        } else if plan.loan.lentAt != nil, plan.loan.due == nil, !reading.given.has("issued_days_ago") {
            plan.loan.isUnderPolicy = true
        } else if plan.loan.due == nil {
            plan.loan.due = try plan.daysFromNow(2)
        }
        if let due = plan.loan.due { plan.loan.due = try plan.asDue(due) }
        if try reading.given.list("loans") != nil { return try each(reading, plan) }
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        if reading.operation.begins("latest_auto_renew_date") { return try latest(reading, plan, library, loan) }
        if reading.operation.text.hasPrefix("auto") { return try automatic(reading, plan, library, loan) }
        let isUnseen = reading.operation.names("without seeing") || reading.operation.names("unseen")
        try renewed(reading, plan, library, loan, channel: isUnseen ? .web : .desk)
    }

    private static func renewed(
        _ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ loan: Loan, channel: ActorFacts.Channel
    ) throws {
        var current = loan
        var outcome: Outcome<Loan> = .done(loan)
        for _ in 0..<reading.operation.times {
            outcome = try library.renew(current, channel: channel, at: plan.branch)
            guard let renewed = outcome.value else { break }
            current = renewed
        }
        try answerPermission(reading, plan, outcome, by: channel == .job)
        if let refusal = outcome.refusal {
            for key in ["due", "due_date"] { reading.answer(key, found: .string("refused: \(refusal.message)")) }
        }
        reading.answer("due", due: current.due, in: plan.zone)
        reading.answer("due_date", found: current.due.map { .string($0.date.description) } ?? .null)
        reading.answer("renewals", number: current.renewals)
        reading.answer("changed", flag: current.due != loan.due)
    }

    private static func answerPermission(
        _ reading: FactReading, _ plan: FactPlan, _ outcome: Outcome<Loan>, by job: Bool
    ) throws {
        reading.answer("allowed", flag: outcome.refusal == nil)
        guard let refusal = outcome.refusal else {
            for key in ["reason", "code"] {
                try reading.answer(key, word: granted(plan, outcome.value), own: "renewed")
            }
            return
        }
        let names = plan.names(of: refusal, at: .renew, by: job)
        for key in ["reason", "code", "error"] { reading.answer(key, word: names, own: refusal.code) }
        let figures = refusal.reasons.first?.figures ?? [:]
        reading.answer("count", found: figures["count"] ?? .null)
        reading.answer("limit", found: figures["limit"] ?? .null)
        let soonest = figures["soonest"]?.stringValue.flatMap { try? Instant(parsing: $0, in: plan.zone) }
        reading.answer("soonest", at: soonest, in: plan.zone)
    }

    /// What a renewal that was granted is called: the last one that the rule allows has a name of its own.
    private static func granted(_ plan: FactPlan, _ loan: Loan?) throws -> [String] {
        let most = try plan.given.number("renewals_allowed")
        let isLast = most.map { (loan?.renewals ?? 0) >= $0 } ?? false
        return isLast ? ["auto_renew_final"] : ["auto_renew", "renewed"]
    }

    // MARK: By themselves

    /// The job's own renewal, and the sweep's, which must agree.
    private static func automatic(
        _ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ loan: Loan
    ) throws {
        let asked = try library.desk(channel: .job).rehearse { try $0.loans.renew(.id(loan.id)) }
        let report = try library.sweep()
        let current = try library.loan(loan)
        try library.noted("the loan renews by itself", asked)
        if report.renewed > 0 && asked.refusal != nil {
            throw NotExpressed("the sweep renewed what the job may not renew")
        }
        try answerPermission(reading, plan, asked.map { _ in current }.renumbered(asked.value), by: true)
        reading.answer("due", due: (asked.value ?? current).due, in: plan.zone)
        reading.answer("renewed", flag: report.renewed > 0)
    }

    /// The day of the last moment at which the loan still renews by itself, found by asking.
    private static func latest(
        _ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ loan: Loan
    ) throws {
        func isTooLate(_ instant: Instant) throws -> Bool {
            library.travel(to: instant)
            let outcome = try library.desk(channel: .job).rehearse { try $0.loans.renew(.id(loan.id)) }
            guard let refusal = outcome.refusal else { return false }
            return plan.names(of: refusal, at: .renew, by: true).contains("auto_too_late")
        }
        var low = loan.lentAt
        var high = try plan.now.adding(hours: 24 * 400)
        guard try isTooLate(high) else { throw NotExpressed("the loan renews by itself without end") }
        while high.microseconds(since: low) > 1_000_000 {
            let middle = Instant(microseconds: low.microseconds + high.microseconds(since: low) / 2)
            if try isTooLate(middle) { high = middle } else { low = middle }
        }
        let last = library.zone.date(of: low)
        library.travel(to: plan.now)
        library.note("asked at every moment: it renews by itself until \(library.words(low))")
        reading.answer("offset_days_from_today", number: Int64(last.days(since: plan.today)))
        for key in ["date", "latest"] { reading.answer(key, found: .string(last.description)) }
    }

    // MARK: Several

    /// Loans that are overdue and loans that are not, each to be renewed.
    private static func each(_ reading: FactReading, _ plan: FactPlan) throws {
        let states = try reading.given.texts("loans") ?? []
        var loans: [(state: String, loan: Loan)] = []
        let (library, _) = try plan.openLibrary()
        try library.travel(to: plan.now.adding(hours: -24 * 20))
        for (index, state) in states.enumerated() {
            guard state == "overdue" || state == "not overdue" else { throw reading.given.unreadable("loans") }
            let title = try library.addTitle("loan\(index + 1)")
            let due = try plan.asDue(plan.daysFromNow(state == "overdue" ? -2 : 5))
            loans.append((state, try library.lend(title.barcodes.first ?? "", due: due)))
        }
        try plan.beginOperation(library, FactTitle(id: 0, barcodes: []))
        let outcomes = try loans.map { (state: $0.state, outcome: try library.renew($0.loan)) }
        for (key, state) in [("overdue_item", "overdue"), ("other_item", "not overdue")] {
            guard let outcome = outcomes.first(where: { $0.state == state })?.outcome else { continue }
            let names = outcome.refusal.map { plan.names(of: $0, at: .renew) } ?? ["allowed"]
            reading.answer(key, word: names, own: outcome.refusal?.code ?? "allowed")
        }
    }

    /// A second checkout of what the reader has already is a renewal.
    static func checkoutAgain(_ reading: FactReading, _ plan: FactPlan) throws {
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        let barcode = title.barcodes.first ?? ""
        var dates: [JSON] = []
        var last: Outcome<Loan>?
        for _ in reading.operation.steps {
            let outcome = try library.checkout(barcode, onSite: plan.onSite, at: plan.branch)
            dates.append(outcome.value?.due.map { .string($0.date.description) } ?? .string("refused"))
            last = outcome
        }
        reading.answer("due_dates", found: .array(dates))
        reading.answer("due", due: last?.value?.due, in: plan.zone)
        reading.answer("due_date", found: dates.last ?? .null)
        reading.answer("renewals", found: last?.value.map { .integer($0.renewals) } ?? .null)
        reading.answer("allowed", flag: last?.refusal == nil)
    }
}

extension Outcome<Loan> {
    /// The same loan, with the number of renewals that another has.
    fileprivate func renumbered(_ other: Loan?) -> Outcome<Loan> {
        map { loan in
            var loan = loan
            loan.renewals = other?.renewals ?? loan.renewals
            return loan
        }
    }
}
