import Circulation
import Desk
import TextFormats

/// Facts about what patrons are told, and when.
enum NoticeFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        (operation.begins(
            "pre-due job", "schedule", "run", "notice job", "is_due_soon", "is_late",
            "send an overdue notice") && !operation.names("charging job"))
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try readTimes(reading, plan)
        switch reading.operation {
        case let operation where operation.begins("is_due_soon", "is_late"): try state(reading, plan)
        case let operation where operation.begins("notice job"): try ReminderFacts.job(reading, plan)
        case let operation where operation.begins("pre-due job"): try DigestFacts.answer(reading, plan)
        case let operation where operation.begins("send"):
            throw NotExpressed(
                "a notice is queued by the sweep or written by staff; none is asked for one loan by hand")
        default:
            if reading.given.has("due_notices_in_the_past") { return try BatchFacts.answer(reading, plan) }
            if reading.given.has("transport") { return try transport(reading, plan) }
            try run(reading, plan)
        }
    }

    private static func readTimes(_ reading: FactReading, _ plan: FactPlan) throws {
        try plan.readCalendar()
        // A moment that is told by the due time needs one.
        if reading.given.object["now"]?.stringValue?.hasPrefix("due") ?? false {
            plan.loan.due = try plan.asDue(plan.daysFromNow(20))
        }
        try plan.readTime()
        try plan.readLoanTerms()
    }

    // MARK: One loan, one notice

    private static func run(_ reading: FactReading, _ plan: FactPlan) throws {
        try plan.readNotice()
        guard let due = plan.loan.due, !plan.policy.notices.isEmpty else {
            throw NotExpressed("the fact names no due time, or no notice")
        }
        plan.loan.isUnderPolicy = true
        plan.now = plan.loan.lentAt ?? plan.now
        let moment = try moment(reading, plan, due.instant)
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        try bring(reading, library, loan)
        guard let moment else {
            return reading.answer("next_run", at: try next(after: library.now, due.instant, library), in: plan.zone)
        }
        library.travel(to: moment)
        let report = try library.sweep()
        let following = try next(after: moment.adding(seconds: 1), due.instant, library)
        reading.answer("sent", number: report.notices)
        reading.answer("next_run", at: following, in: plan.zone)
        reading.answer("discarded", flag: report.notices == 0 && following == nil)
    }

    /// When the job runs; nil for a question about the first run.
    private static func moment(_ reading: FactReading, _ plan: FactPlan, _ due: Instant) throws -> Instant? {
        let text = reading.operation.text
        if text == "schedule" { return nil }
        reading.given.ignore("due_already_passed")
        var words = MomentWords(zone: plan.zone, calendar: plan.calendar, now: plan.now, due: due)
        words.lent = plan.loan.lentAt
        if let at = reading.operation.original.components(after: "run at ") { return try words.moment(at).instant }
        if text == "run one second before the due time" { return try due.adding(seconds: -1) }
        if text == "run after the due date" || text == "run after the due time" { return try due.adding(hours: 24) }
        if text == "run before the due date" { return try due.adding(hours: -1) }
        guard text == "run" || text == "run once" else { throw NotExpressed("when \"\(text)\" is, is not known") }
        if try reading.given.flag("due_already_passed") ?? false { return try due.adding(hours: 24) }
        let notice = try reading.given.part("notice")
        let minutes = try notice?.period("by")?.elapsedMinutes ?? 0
        let isBefore = try notice?.text("timing") == "before"
        return try due.adding(minutes: isBefore ? -minutes : minutes).adding(seconds: 1)
    }

    /// What has become of the loan before the job runs.
    private static func bring(_ reading: FactReading, _ library: FactLibrary, _ loan: Loan) throws {
        if let state = reading.given.object["loan"]?.stringValue {
            reading.given.ignore("loan")
            guard state == "closed" || state == "returned" else { throw reading.given.unreadable("loan") }
            library.travel(to: try loan.lentAt.adding(hours: 1))
            _ = try library.checkin(loan).done("the return")
        }
        if let status = try reading.given.text("item_status") { try library.bring(loan, to: status) }
    }

    /// The first moment at which a sweep would send something: before the due time, or else after it.
    static func next(after start: Instant, _ due: Instant, _ library: FactLibrary) throws -> Instant? {
        let moment = library.now
        defer { library.travel(to: moment) }
        func sends(_ instant: Instant) throws -> Bool {
            library.travel(to: instant)
            return try library.desk.rehearse { try $0.notices.sweep() }.notices > 0
        }
        let spans = [(start, try due.adding(seconds: -1)), (max(start, due), try due.adding(hours: 24 * 400))]
        for (first, last) in spans where first <= last {
            if try sends(first) { return first }
            guard try sends(last) else { continue }
            var (low, high) = (first.seconds, last.seconds)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if try sends(Instant(seconds: middle)) { high = middle } else { low = middle }
            }
            return Instant(seconds: high)
        }
        return nil
    }

    // MARK: States

    private static func state(_ reading: FactReading, _ plan: FactPlan) throws {
        if let days = try reading.given.number("due_soon_days") {
            plan.addNotice("due_soon", "before", "days(\(days))")
        }
        let (library, title) = try plan.openLibrary()
        if plan.loan.due == nil { throw NotExpressed("the fact names no due time") }
        _ = try plan.beginWithLoan(library, title)
        let isLate = reading.operation.begins("is_late")
        let found = try isLate ? library.overdueLoans() > 0 : library.sweep().notices > 0
        for key in ["result", "late", "due_soon"] { reading.answer(key, flag: found) }
    }

    /// A notice that cannot be sent stays, is tried again, and is on record as failed.
    private static func transport(_ reading: FactReading, _ plan: FactPlan) throws {
        guard try reading.given.text("transport") == "fails" else { throw reading.given.unreadable("transport") }
        plan.addNotice("late", "after", "days(1)")
        let (library, _) = try plan.openLibrary()
        let title = try library.addTitle("late")
        _ = try library.lend(title.barcodes.first ?? "", due: try plan.asDue(plan.daysFromNow(-2)))
        try plan.beginOperation(library, title)
        try library.sweep()
        guard let notice = try library.desk.read({ try $0.notices.outbox() }).first else {
            throw NotExpressed("the sweep queued nothing")
        }
        let outcome = try library.desk.write { try $0.notices.markFailed(notice.id, givenUp: false) }
        let failed = try library.noted("the mail server fails", outcome) { $0.state.rawValue }.done("the failure")
        let waits = try library.desk.read { try $0.notices.outbox() }.contains { $0.id == notice.id }
        reading.answer("notice_deleted", flag: try library.desk.read { try $0.notices.get(notice.id) } == nil)
        reading.answer("retried", flag: waits)
        reading.answer("error_logged", flag: failed.tries > 0)
    }
}

extension String {
    /// What follows a text.
    func components(after start: String) -> String? {
        firstRange(of: start).map { String(self[$0.upperBound...]) }
    }
}
