import Circulation
import Desk
import TextFormats

/// Facts about holds: whether one may be placed, and what becomes of the copy that is set aside.
enum HoldFactAdapter {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.begins(
            "place hold", "place a hold", "place request", "place a request", "check in again", "expiry job",
            "fill hold", "fill the hold")
            || (operation.begins("check in", "checkin") && operation.text.contains(" at "))
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readDesk()
        switch reading.operation {
        case let operation where operation.begins("place"): try place(reading, plan)
        case let operation where operation.begins("expiry job"): try expiry(reading, plan)
        case let operation where operation.begins("fill"): try fill(reading, plan)
        case let operation where operation.begins("check in again"): try again(reading, plan)
        default: try arrival(reading, plan)
        }
    }

    // MARK: Placing

    private static func place(_ reading: FactReading, _ plan: FactPlan) throws {
        let pickup = try reading.when.text("pickup") ?? plan.branch
        if let pickup { plan.branches.append(pickup) }
        let (library, title) = try plan.openLibrary()
        try plan.addLateLoan(library)
        try plan.beginOperation(library, title)
        let outcome = try library.placeHold(.title(.id(title.id)), pickup: pickup)
        reading.answer("allowed", flag: outcome.refusal == nil)
        if let fee = try plan.readHoldFee(), fee.mode != "any_time_is_collected", fee.amount.isPositive {
            throw NotExpressed("no policy charges when a hold is placed")
        }
        reading.answer("charged", money: try library.owed())
        guard let refusal = outcome.refusal else {
            for key in ["reason", "limit"] { reading.answer(key, found: .string("placed")) }
            return
        }
        reading.answer("reason", word: plan.names(of: refusal, at: .hold), own: refusal.code)
        let figures = refusal.reasons.first?.figures ?? [:]
        for key in ["limit", "max_allowed"] { reading.answer(key, found: figures["limit"] ?? .null) }
        reading.answer("count", found: figures["count"] ?? .null)
    }

    /// The reader fetches what was set aside for them.
    private static func fill(_ reading: FactReading, _ plan: FactPlan) throws {
        _ = try plan.readHoldFee()
        let (library, title, queued) = try shelved(plan, at: plan.now)
        _ = try library.checkout(title.barcodes.first ?? "", at: FactLibrary.branch).done("the loan")
        let state = try hold(queued, in: library).state
        library.note("the hold is \(state.rawValue)")
        reading.answer("charged", money: try library.owed())
        reading.answer("status", word: state == .filled ? ["filled", "fulfilled"] : [], own: state.rawValue)
    }

    // MARK: The shelf

    /// A copy that comes back at the pickup branch, for a hold that waits.
    private static func shelved(_ plan: FactPlan, at instant: Instant) throws -> (FactLibrary, FactTitle, QueuedHold) {
        let (library, title) = try plan.openLibrary()
        library.travel(to: instant)
        try library.activate(plan.policy)
        let hold = try library.placeHold(.title(.id(title.id)), pickup: FactLibrary.branch).done("the hold")
        _ = try library.scan(title.barcodes.first ?? "", at: FactLibrary.branch).done("the scan")
        return (library, title, hold)
    }

    private static func hold(_ hold: QueuedHold, in library: FactLibrary) throws -> Hold {
        guard let current = try library.desk.read({ try $0.holds.get(hold.hold.id) }) else {
            throw NotExpressed("the hold is gone")
        }
        return current.hold
    }

    /// A second scan at the pickup branch. The fact calls the end of the shelf time by a letter.
    private static func again(_ reading: FactReading, _ plan: FactPlan) throws {
        if let state = try reading.given.text("state"), !state.contains("awaiting pickup") {
            throw reading.given.unreadable("state")
        }
        let name = reading.given["expires"] ?? .null
        if plan.policy.everything["hold_shelf"] == nil { plan.policy.everything["hold_shelf"] = "days(7)" }
        let (library, title, queued) = try shelved(plan, at: plan.now)
        let before = try hold(queued, in: library)
        library.travel(to: try plan.now.adding(hours: 24))
        _ = try library.scan(title.barcodes.first ?? "", at: FactLibrary.branch).done("the second scan")
        let after = try hold(queued, in: library)
        let isSame = after.shelfUntil == before.shelfUntil
        reading.answer("expires", found: isSame ? name : .string(after.shelfUntil.map { library.words($0) } ?? ""))
        reading.answer("changed", flag: after != before)
    }

    /// A copy that arrives where it is to be picked up, or elsewhere.
    private static func arrival(_ reading: FactReading, _ plan: FactPlan) throws {
        let pickup = try reading.given.text("pickup_branch") ?? "P"
        let words = reading.operation.original.split(separator: " ").map(String.init)
        let place = words.lastIndex(of: "at").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? pickup
        plan.branches += [pickup, place]
        let state = try reading.given.text("hold_status") ?? "in transit"
        guard state == "in transit" else { throw reading.given.unreadable("hold_status") }
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        let hold = try library.placeHold(.title(.id(title.id)), pickup: pickup).done("the hold")
        _ = try library.scan(title.barcodes.first ?? "", at: FactLibrary.branch).done("the first scan")
        guard try Self.hold(hold, in: library).state == .transit else {
            throw NotExpressed("the copy does not have to travel")
        }
        _ = try library.scan(title.barcodes.first ?? "", at: place).done("the scan on arrival")
        let found = try Self.hold(hold, in: library).state
        let names: [Hold.State: [String]] = [
            .shelf: ["waiting", "awaiting pickup", "shelf"], .transit: ["in transit", "transit"],
            .waiting: ["in queue", "not filled"],
        ]
        for key in ["status", "state"] { reading.answer(key, word: names[found] ?? [], own: found.rawValue) }
    }

    // MARK: Expiry

    private static func expiry(_ reading: FactReading, _ plan: FactPlan) throws {
        guard let ends = try plan.moment("request_expires", of: reading.given) else {
            throw NotExpressed("the fact does not say when the request expires")
        }
        let (library, title) = try plan.openLibrary()
        let placed = try min(plan.now, ends.instant).adding(hours: -48)
        library.travel(to: placed)
        try library.activate(plan.policy)
        _ = try library.addPatron("borrower")
        _ = try library.lend(title.barcodes.first ?? "", to: "borrower")
        let queued = try library.placeHold(.title(.id(title.id)), expires: ends.date).done("the request")
        library.travel(to: plan.now)
        try library.sweep()
        let state = try hold(queued, in: library).state
        let names: [Hold.State: [String]] = [
            .waiting: ["kept", "pending", "PENDING", "open"],
            .expired: ["expired", "cancelled", "CANCELLED", "removed", "deleted"],
        ]
        for key in ["state", "status"] { reading.answer(key, word: names[state] ?? [], own: state.rawValue) }
    }
}

extension FactPlan {
    /// What a hold costs, and when. A fee for fetching is what the loan of a copy from the hold shelf costs.
    func readHoldFee() throws -> (amount: Money, mode: String)? {
        guard let amount = try given.money("hold_fee") else { return nil }
        let mode = try given.text("fee_mode") ?? "any_time_is_placed"
        guard ["any_time_is_placed", "any_time_is_collected", "not_always"].contains(mode) else {
            throw given.unreadable("fee_mode")
        }
        if mode == "any_time_is_collected", amount.isPositive, !policy.rules.contains(where: { $0["rental"] != nil }) {
            policy.rules.append(
                PolicyText.Row([
                    "when": "function(case) return case.copy ~= nil and case.copy.status == \"on_hold_shelf\" end",
                    "rental": LuaText.money(amount),
                ]))
        }
        return (amount, mode)
    }

    /// A loan of the reader's that is late, where the fact names its due time.
    func addLateLoan(_ library: FactLibrary) throws {
        guard let due = loan.due else { return }
        let other = try library.addTitle("late")
        _ = try library.lend(other.barcodes.first ?? "", due: try asDue(due))
    }
}
