import Circulation
import Desk
import TextFormats

/// Facts about copies that are lost, what that costs, and what is taken back when they are found.
enum LostFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.names("charging job") || operation.names("lost")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        plan.loan.isUnderPolicy = true
        if reading.operation.names("charging job") { return try charging(reading, plan) }
        try found(reading, plan)
    }

    // MARK: Found again

    /// A copy that was declared lost so many days ago comes back.
    static func found(_ reading: FactReading, _ plan: FactPlan) throws {
        let days = try reading.given.number("lost_for_days") ?? 1
        guard (0...4_000).contains(days) else { throw reading.given.unreadable("lost_for_days") }
        try plan.readLostTerms()
        let end = plan.now
        plan.now = try end.adding(hours: -24 * days)
        if plan.loan.due == nil { plan.loan.due = try plan.asDue(plan.daysFromNow(-1)) }
        let (library, title) = try plan.openLibrary()
        let loan = try plan.beginWithLoan(library, title)
        try library.lose(loan)
        if let paid = try reading.given.money("paid"), paid.isPositive {
            let outcome = try library.desk.write { try $0.fees.pay(.username(FactLibrary.reader), amount: paid) }
            _ = try library.noted("\(paid) is paid", outcome).done("the payment")
        }
        library.travel(to: end)
        let checkin = try library.checkin(loan).done("the return")
        if let failure = checkin.failures.first { throw NotExpressed("the policy failed: \(failure.message)") }
        for key in ["owed", "balance"] { reading.answer(key, money: try library.owed()) }
        reading.answer("fine", money: try library.fines(of: loan))
    }

    // MARK: The job

    /// Loans that age to lost in the sweep, which charges for them.
    private static func charging(_ reading: FactReading, _ plan: FactPlan) throws {
        guard let fee = try reading.given.money("lost_set_cost") ?? reading.given.money("lost_charge") else {
            throw NotExpressed("the fact does not say what a lost copy costs")
        }
        if let item = try reading.given.text("item"), !item.hasPrefix("aged to lost") {
            throw reading.given.unreadable("item")
        }
        plan.policy.everything["lost_after"] = "days(7)"
        plan.policy.everything["lost_fee"] = LuaText.money(fee)
        let elapsed = try delayed(reading, plan)
        plan.loan.due = try plan.asDue(Moment(elapsed, in: plan.zone))
        let (library, title) = try plan.openLibrary()
        _ = try plan.beginWithLoan(library, title)
        for _ in 0..<reading.operation.times { try library.sweep() }
        let charges = try library.ledger().filter { $0.kind == .charge }
        reading.answer("charges", number: Int64(charges.count))
        reading.answer("amount", money: try Money.sum(charges.map(\.amount), currency: .eur))
    }

    /// When the loan was due, so that it has aged, and the delay of the bill has passed or not.
    private static func delayed(_ reading: FactReading, _ plan: FactPlan) throws -> Instant {
        let aged = try plan.now.adding(hours: -24 * 8)
        guard let words = try reading.given.text("billing_delay") else { return aged }
        guard let (delay, _) = PeriodWords.leading(words) else { throw reading.given.unreadable("billing_delay") }
        plan.policy.add(
            to: "lost", "local aged = date(case.loan.due_at) + days(7)",
            "if date(case.now) < aged + \(LuaText.period(delay)) then return {} end")
        let elapsed = try reading.given.text("elapsed") ?? ""
        let back = try delay.negated().added(to: aged, in: plan.zone, calendar: .alwaysOpen)
        if elapsed.hasPrefix("less than") { return try back.adding(hours: 24 * 3) }
        if elapsed.hasPrefix("more than") || elapsed.isEmpty { return try back.adding(hours: -24 * 3) }
        guard let exact = PeriodWords.period(elapsed) else { throw reading.given.unreadable("elapsed") }
        return try exact.negated().added(to: aged, in: plan.zone, calendar: .alwaysOpen)
    }
}

extension FactPlan {
    /// What a loss costs, and when that is taken back.
    fileprivate func readLostTerms() throws {
        if let fee = try given.money("lost_charge") ?? given.money("lost_set_cost") {
            policy.everything["lost_fee"] = LuaText.money(fee)
        }
        // The loan is a day late when its copy is declared lost.
        if let fine = try given.money("overdue_fine"), policy.everything["fine"] == nil {
            policy.everything["fine"] = LuaText.money(fine)
        }
        for key in ["forgive_fine", "fine_forgiven"] where try given.flag(key) == true {
            policy.everything["lost_fine"] = "\"forgive\""
        }
        let words = try given.text("lost_return_policy") ?? policyNamed
        if ["no refund", "none", "0", "keep"].contains(words) {
            given.ignore("no_refund_after_days")
            return
        }
        let within = try given.number("no_refund_after_days").map { "days(\($0))" }
        policy.everything["lost_refund_within"] = within ?? "unlimited"
        switch words {
        case "refund", "refund policy", "1": break
        case "refund_unpaid": policy.everything["lost_refund"] = "\"unpaid\""
        case "restore":
            policy.everything["lost_fine"] = "\"forgive\""
            policy.everything["lost_found_fine"] = "\"restore\""
        case "charge": policy.everything["lost_found_fine"] = "\"charge\""
        default: throw NotExpressed("what a return takes back by \"\(words)\" is not known")
        }
    }

    /// What the operation says of it: `return of a lost item, restore policy`.
    private var policyNamed: String {
        let operation = reading.operation
        if operation.names("no refund") { return "no refund" }
        if operation.names("unpaid") { return "refund_unpaid" }
        return ["restore", "charge"].first { operation.names("\($0) policy") } ?? "refund"
    }

    /// Copies that the reader has lost.
    func loseBefore(_ count: Int) throws {
        guard count > 0 else { return }
        before.append { library, _ in
            let title = try library.addTitle("lost", copies: count)
            for barcode in title.barcodes { try library.lose(try library.lend(barcode)) }
        }
    }
}

extension FactLibrary {
    func lose(_ loan: Loan) throws {
        let outcome = try desk.write { try $0.loans.markLost(.id(loan.id)) }
        let stopped = try noted("the copy of loan \(loan.id) is declared lost", outcome).done("the loss")
        if let failure = stopped.failures.first { throw NotExpressed("the policy failed: \(failure.message)") }
    }

    /// Brings about a status of a copy that is lent.
    func bring(_ loan: Loan, to status: String) throws {
        switch status {
        case "claimed returned":
            let outcome = try desk.write { try $0.loans.claimReturned(.id(loan.id)) }
            _ = try noted("the reader claims to have returned it", outcome).done("the claim")
        case "declared lost", "aged to lost", "lost", "lost and paid": try lose(loan)
        case "checked out": break
        default: throw NotExpressed("a copy that is lent cannot be \(status)")
        }
    }
}
