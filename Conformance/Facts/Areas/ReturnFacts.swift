import Circulation
import Desk
import TextFormats

/// Facts about copies that come back: what is fined, what is suspended, and what a return of an earlier day takes off.
enum ReturnFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.begins("return", "fine", "check in", "checkin", "accrue")
            && !operation.text.hasPrefix("fine for") && !operation.names("lost")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        plan.loan.isUnderPolicy = true
        if reading.operation.begins("accrue") { return try AccrualFacts.answer(reading, plan) }
        if reading.given.has("lost_for_days") { return try LostFacts.found(reading, plan) }
        if reading.given.has("loans_due") { return try several(reading, plan) }
        if reading.given.has("intervals_late") { return try intervals(reading, plan) }
        try plan.readBranchesOfFine()
        try plan.readReturn()
        if reading.operation.names("back-dated") || reading.given.has("fine_charged") {
            return try backDated(reading, plan)
        }
        try single(reading, plan)
    }

    private static func single(_ reading: FactReading, _ plan: FactPlan) throws {
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithRecall(library, title)
        if reading.expect.has("fine_lines") { return try daily(reading, plan, library, loan) }
        if reading.when.has("dated") { try library.sweep() }
        let outcome = try library.checkin(loan, at: plan.returnedAt)
        let checkin = try checked(outcome, reading)
        guard let checkin else { return }
        reading.answer("fine", money: try library.fines(of: loan))
        reading.answer("owed", money: try library.owed())
        reading.answer("balance", money: try library.owed())
        try answerSuspension(reading, plan, checkin)
        reading.answer("return_recorded_as", found: recorded(try library.loan(loan), plan))
    }

    /// A return that the desk refuses answers all that is expected with that.
    private static func checked(_ outcome: Outcome<Checkin>, _ reading: FactReading) throws -> Checkin? {
        if let refusal = outcome.refusal {
            for key in reading.expect.object.keys { reading.answer(key, found: .string("refused: \(refusal.message)")) }
        }
        if let failure = outcome.value?.failures.first { throw NotExpressed("the policy failed: \(failure.message)") }
        return outcome.value
    }

    private static func recorded(_ loan: Loan, _ plan: FactPlan) -> JSON {
        let date = loan.returnedAt.map { plan.zone.date(of: $0) }
        return date == plan.today ? "today" : date.map { .string($0.description) } ?? .null
    }

    private static func answerSuspension(_ reading: FactReading, _ plan: FactPlan, _ checkin: Checkin) throws {
        let end = checkin.suspension?.ends
        reading.answer("suspended", flag: end != nil)
        reading.answer("suspended_until", found: end.map { .string($0.description) } ?? .null)
        let days = end.map { Int64($0.days(since: plan.today)) } ?? 0
        reading.answer("suspension_days", number: days)
    }

    /// Loans that come back one after the other, each with its suspension.
    private static func several(_ reading: FactReading, _ plan: FactPlan) throws {
        let dues = try (reading.given.texts("loans_due") ?? []).map { try plan.moments.moment($0) }
        let (library, _) = try plan.openLibrary()
        guard let first = dues.map(\.instant).min() else { throw reading.given.unreadable("loans_due") }
        try library.travel(to: first.adding(hours: -24 * 20))
        try library.activate(plan.policy)
        let loans = try dues.enumerated().map { index, due in
            let title = try library.addTitle("loan\(index + 1)")
            return try library.lend(title.barcodes.first ?? "", due: try plan.asDue(due))
        }
        try plan.beginOperation(library, FactTitle(id: 0, barcodes: []), isInForce: true)
        for (loan, word) in zip(loans, ["first", "second", "third", "fourth"]) {
            guard let checkin = try checked(library.checkin(loan), reading) else { return }
            let end = checkin.suspension?.ends
            reading.answer("suspended_until_after_\(word)", found: end.map { .string($0.description) } ?? .null)
        }
    }

    /// So many intervals late, for each length of interval that the fact names; all must cost the same.
    private static func intervals(_ reading: FactReading, _ plan: FactPlan) throws {
        let count = try reading.given.number("intervals_late") ?? 0
        let lengths = try reading.given.part("interval_minutes")
        let minutes = try lengths?.object.keys.compactMap { try lengths?.number($0) } ?? [1440]
        var fines: Set<Money> = []
        for length in minutes {
            let plan = reading.plan()
            try plan.readDesk()
            plan.policy.everything["per"] = "minutes(\(length))"
            for index in plan.policy.rules.indices { plan.policy.rules[index]["per"] = "minutes(\(length))" }
            plan.loan.isUnderPolicy = true
            let late = length.multipliedReportingOverflow(by: count)
            guard !late.overflow else { throw reading.given.unreadable("intervals_late") }
            let due = try plan.now.adding(minutes: -late.partialValue)
            plan.loan.due = Moment(due, in: plan.zone)
            plan.loan.lentAt = try due.adding(hours: -24 * 20)
            let (library, title) = try plan.openLibrary()
            let loan = try plan.beginWithRecall(library, title)
            guard try checked(library.checkin(loan), reading) != nil else { return }
            fines.insert(try library.fines(of: loan))
        }
        guard let fine = fines.first, fines.count == 1 else {
            return reading.answer("fine", found: .string("\(fines.map(\.amountText).sorted())"))
        }
        reading.answer("fine", money: fine)
    }

    /// A sweep a day until the copy comes back: a line for each day that costs something.
    private static func daily(_ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ loan: Loan) throws {
        let end = plan.now
        var day = try (loan.due?.instant ?? end).adding(hours: 12)
        guard end.microseconds(since: day) < 1_000 * 86_400 * 1_000_000 else {
            throw NotExpressed("more than a thousand nights are not swept")
        }
        while day < end {
            library.travel(to: day)
            try library.sweep()
            day = try day.adding(hours: 24)
        }
        library.travel(to: end)
        guard try checked(library.checkin(loan), reading) != nil else { return }
        let lines = try library.ledger().count { $0.kind == .fine }
        reading.answer("fine_lines", number: Int64(lines))
        reading.answer("fine", money: try library.fines(of: loan))
    }

    /// A copy that comes back with the day of its due time, after it was fined and perhaps paid for.
    private static func backDated(_ reading: FactReading, _ plan: FactPlan) throws {
        let charged = try reading.given.money("fine_charged")
        if let charged, plan.policy.everything["fine"] == nil {
            plan.policy.everything["fine"] = LuaText.money(charged)
        }
        if plan.loan.due == nil { plan.loan.due = try plan.daysFromNow(-1) }
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        try library.sweep()
        let fined = try library.fines(of: loan)
        if let charged, fined != charged {
            throw NotExpressed("the sweep charges \(fined.amountText) where the fact says \(charged.amountText)")
        }
        let paid = try reading.given.money("paid") ?? .zero(.eur)
        if paid.isPositive {
            let outcome = try library.desk.write { try $0.fees.pay(.username(FactLibrary.reader), amount: paid) }
            _ = try library.noted("\(paid) is paid", outcome).done("the payment")
        }
        let moment = plan.returnedAt ?? loan.due?.instant
        guard try checked(library.checkin(loan, at: moment), reading) != nil else { return }
        let left = try library.fines(of: loan)
        reading.answer("fine", money: left)
        reading.answer("balance", money: try library.owed())
        reading.answer("owed", money: try library.owed())
        // Lines of an account are never removed; one that an adjustment takes off whole counts for nothing.
        reading.answer("fine_line_removed", flag: left.isZero && paid.isZero)
    }
}

/// Facts about fines that grow from night to night.
enum AccrualFacts {
    /// `accrue 1.00 then 2.00 for the same loan`: a sweep for each amount.
    static func answer(_ reading: FactReading, _ plan: FactPlan) throws {
        let amounts = reading.operation.original.split { !"0123456789.".contains($0) }
            .compactMap { try? Money(parsing: String($0), currency: .eur) }
        guard !amounts.isEmpty, amounts.allSatisfy({ !$0.isNegative }) else {
            throw NotExpressed("\"\(reading.operation.original)\" names no amount")
        }
        reading.given.ignore("fine_line")
        plan.policy.everything["fine"] = LuaText.money(Money(minorUnits: 1, currency: .eur))
        plan.policy.add(
            to: "fine", "local nights = { \(amounts.map(LuaText.money).joined(separator: ", ")) }",
            "return nights[math.min(case.loan.days_overdue, #nights)]")
        plan.loan.due = Moment(plan.now, in: plan.zone)
        plan.loan.lentAt = try plan.now.adding(hours: -240)
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        for night in 1...amounts.count {
            try library.travel(to: plan.now.adding(hours: 24 * Int64(night)))
            try library.sweep()
            // The same night once more costs nothing.
            try library.sweep()
        }
        let amount = try library.fines(of: loan)
        let debts = Set(try library.ledger().filter { $0.kind == .fine && !$0.amount.isZero }.compactMap(\.loan))
        // All lines of one lateness are one debt: what accrued is their sum.
        reading.answer("lines", number: Int64(debts.count))
        reading.answer("amount", money: amount)
        reading.answer("fine", money: amount)
    }
}

extension FactLibrary {
    /// What the lateness of a loan costs, adjustments taken off, payments not.
    func fines(of loan: Loan) throws -> Money {
        let lines = try ledger().filter { $0.loan == loan.id && ($0.kind == .fine || $0.kind == .adjustment) }
        return try Money.sum(lines.map(\.amount), currency: .eur)
    }
}

extension FactPlan {
    /// When the copy comes back, and how late that is.
    func readReturn() throws {
        if let returned = try moment("returned", of: given) { now = returned.instant }
        if let days = try given.number("days_late") { loan.due = try daysFromNow(-days) }
        if let due = loan.due {
            loan.due = try asDue(due)
            if due.isDate, zone.date(of: now) == now.dateAtMidnight(zone) { now = try now.adding(hours: 12) }
        }
        returnedAt = try returnMoment()
        guard loan.lentAt == nil else { return }
        loan.lentAt = try min(loan.due?.instant ?? now, returnedAt ?? now).adding(hours: -24 * 20)
    }

    private func returnMoment() throws -> Instant? {
        let text = try when.text("dated") ?? given.text("return_dated")
        guard let text else { return nil }
        let moment = try moments.moment(text)
        return moment.isDate ? try moment.instant.adding(hours: 12) : moment.instant
    }

    /// A loan that was recalled, if it was, so that it is due when the fact says.
    func beginWithRecall(_ library: FactLibrary, _ title: FactTitle) throws -> Loan {
        guard loan.isRecalled else { return try beginWithLoan(library, title) }
        guard let due = loan.due, let lentAt = loan.lentAt else {
            throw NotExpressed("the recalled loan has no due time")
        }
        policy.everything["renewals"] = "unlimited"
        let (later, end) = (try due.instant.adding(hours: 24 * 30), now)
        policy.add(to: "recall", "return \(LuaText.exact(due.instant, in: zone))")
        library.travel(to: lentAt)
        try library.activate(policy)
        let lent = try library.lend(title.barcodes.first ?? "", due: Moment(later, in: zone))
        try library.addPatron("next")
        _ = try library.placeHold(.title(.id(title.id)), by: "next").done("the recall")
        let recalled = try library.loan(lent)
        guard recalled.recalledAt != nil else { throw NotExpressed("the loan could not be recalled") }
        library.travel(to: end)
        for step in after { try step(library, title) }
        return recalled
    }

    /// Rules by the branch that a copy belongs to, or the one that lent it.
    func readBranchesOfFine() throws {
        guard given.object["rules"]?.arrayValue?.first?["branch"] != nil else { return }
        let decides = try given.text("branch_that_decides") ?? "home branch"
        let condition = decides.contains("home") ? "copy_branch" : "branch"
        (copyBranch, branch) = ("home", "holding")
        branches += ["home", "holding"]
        for rule in try given.parts("rules") ?? [] {
            guard let name = try rule.text("branch"), let fine = try rule.money("fine_per_day") else {
                throw given.unreadable("rules")
            }
            let code = name.contains("home") ? "home" : name.contains("holding") ? "holding" : name
            policy.rules.append(
                PolicyText.Row([condition: LuaText.quoted(code), "fine": LuaText.money(fine), "per": "days(1)"]))
        }
    }
}

extension Instant {
    /// The date of a moment that is the first of its day; nil for any other.
    fileprivate func dateAtMidnight(_ zone: Zone) -> CivilDate? {
        let local = zone.local(of: self)
        return local.time == .midnight ? local.date : nil
    }
}
