import Circulation
import Desk
import TextFormats

extension StepOutcome {
    /// Does the operation once.
    func perform() throws {
        switch operation {
        case "checkout", "ask_checkout", "checkout_at_once", "renew", "auto_renew", "last_auto_renewal", "set_due":
            try lend()
        case "return", "find_lost", "fine", "declare_lost", "claim_returned": try takeBack()
        case "charge", "pay", "forgive", "refund": try settle()
        case "block", "unblock", "ask_standing": try changeStanding()
        case "place_hold", "cancel_hold", "move_hold", "arrange_holds", "suspend_hold": try queue()
        case "sweep", "sweep_daily", "next_notice", "look", "fail_notice", "remind": try sweep()
        case "ask_rule", "accept_rules": try askRules()
        default: try askCalendar()
        }
    }

    // MARK: Loans

    private func lend() throws {
        switch operation {
        case "checkout", "ask_checkout": try checkout()
        case "checkout_at_once": try checkoutAtOnce()
        case "renew":
            let loan = try knownLoan()
            let isForced = values.flag("override") ?? false
            let outcome = try desk(values).write {
                try $0.loans.renew(.id(loan.id), override: isForced, reason: isForced ? "as the fact says" : nil)
            }
            try kept("the loan of \(try knownBarcode()) is to be renewed", outcome) { "due \(self.library.due($0))" }
        case "auto_renew":
            let loan = try knownLoan()
            let asked = try library.desk(channel: .job).rehearse { try $0.loans.renew(.id(loan.id)) }
            try library.sweep()
            try kept("the loan renews by itself", asked) { "due \(self.library.due($0))" }
            if let renewed = asked.value, try self.loan()?.renewals == before?.renewals { promised = renewed }
        case "last_auto_renewal": try findLastRenewal()
        default:
            guard let due = try scenario.moment(values, "due", of: barcode) else { throw missing("due") }
            let loan = try knownLoan()
            let outcome = try library.desk.write { session in
                try due.isDate
                    ? session.loans.setDue(.id(loan.id), date: due.date, reason: "as the fact says")
                    : session.loans.setDue(.id(loan.id), instant: due.instant, reason: "as the fact says")
            }
            try kept("staff set the due time", outcome)
        }
    }

    func request() throws -> CheckoutRequest {
        let isForced = values.flag("override") ?? false
        return CheckoutRequest(
            patron: .username(patron), wanted: .barcode(try knownBarcode()), onSite: values.flag("on_site") ?? false,
            override: isForced, reason: isForced ? "as the fact says" : nil)
    }

    private func checkout() throws {
        let request = try request()
        guard operation == "checkout" else {
            let outcome = try desk(values).rehearse { try $0.loans.mayCheckout(request) }
            refusal = outcome.refusal ?? outcome.value?.lazy.compactMap(\.decision.refusal).first
            return library.note("asked beforehand whether a copy would be lent: \(refusal?.code ?? "yes")")
        }
        let outcome = try desk(values).write { try $0.loans.checkout(request) }
        guard let loan = try kept("\(patron) asks for \(try knownBarcode())", outcome)?.first else { return }
        scenario.loans[try knownBarcode()] = loan.id
        hold = try library.desk.read { session in
            try self.scenario.holds.last { entry in try session.holds.get(entry.id)?.hold.loan == loan.id }?.id
        }
    }

    private func checkoutAtOnce() throws {
        let count = values.count("times") ?? 2
        let barcodes = try (1...count).map { try library.addTitle("at-once-\($0)").barcodes.first ?? "" }
        let refusals = try SimultaneousRequests.checkouts(barcodes, library, values.text("branch"), by: patron)
        library.note("\(count) requests at the same time: \(refusals.count) refused")
        refusal = refusals.first
        answers["granted"] = .integer(Int64(count - refusals.count))
        answers["refused"] = .integer(Int64(refusals.count))
    }

    /// The day of the last moment at which the loan still renews by itself, found by asking.
    private func findLastRenewal() throws {
        let loan = try knownLoan()
        let now = library.now
        defer { library.travel(to: now) }
        func isTooLate(_ instant: Instant) throws -> Bool {
            library.travel(to: instant)
            let outcome = try library.desk(channel: .job).rehearse { try $0.loans.renew(.id(loan.id)) }
            return outcome.refusal?.code == Refusal.Code.renewals
        }
        let high = try now.adding(hours: 24 * 400)
        guard try isTooLate(high) else { throw NotExpressed("the loan renews by itself without end") }
        // Before the first step the rules are not in force yet.
        try answer(between: isTooLate(now) ? loan.lentAt : now, high, isTooLate)
    }

    private func answer(between low: Instant, _ high: Instant, _ isTooLate: (Instant) throws -> Bool) throws {
        var (low, high) = (low, high)
        while high.microseconds(since: low) > 1_000_000 {
            let middle = Instant(microseconds: low.microseconds + high.microseconds(since: low) / 2)
            if try isTooLate(middle) { high = middle } else { low = middle }
        }
        answers["last_auto_renewal"] = .string(scenario.zone.date(of: low).description)
    }

    // MARK: Returns

    private func takeBack() throws {
        let dated = try scenario.instant(values, "dated", of: barcode)
        switch operation {
        case "fine":
            let loan = try knownLoan()
            lines = try library.desk.rehearse { session in
                _ = try session.loans.checkin(.id(loan.id), at: dated).done("the return that is asked about")
                return try session.fees.ledger(of: .username(self.patron))
            }
        case "return":
            let barcode = try knownBarcode()
            let key: LoanKey = try loan().flatMap { $0.returnedAt == nil ? .id($0.id) : nil } ?? .barcode(barcode)
            let outcome = try desk(values).write { try $0.loans.checkin(key, at: dated) }
            try keep(kept("\(barcode) comes back", outcome) { $0.hold.map { "hold \($0.id)" } ?? "done" })
        case "find_lost":
            let loan = try knownLoan()
            try keep(kept("the copy is found", library.desk.write { try $0.loans.markFound(.id(loan.id), at: dated) }))
        case "declare_lost":
            let loan = try knownLoan()
            let outcome = try library.desk.write { try $0.loans.markLost(.id(loan.id)) }
            try fail(kept("the copy is declared lost", outcome)?.failures)
        default:
            let loan = try knownLoan()
            let outcome = try library.desk.write { try $0.loans.claimReturned(.id(loan.id), at: dated) }
            try fail(kept("the patron says that it was returned", outcome)?.failures)
        }
    }

    private func keep(_ found: Checkin?) throws {
        checkin = found
        try fail(found?.failures)
        if let id = found?.hold?.id { hold = id }
    }

    private func fail(_ failures: [PolicyFailure]?) throws {
        if let failure = failures?.first { throw NotExpressed("the policy failed: \(failure.message)") }
    }

    func missing(_ operand: String) -> NotExpressed { NotExpressed("\(operation) needs \"\(operand)\"") }

    // MARK: Accounts

    private func settle() throws {
        let key = PatronKey.username(patron)
        if operation == "forgive", let what = values.text("what") {
            let loan = try knownLoan()
            let line = try library.ledger(of: patron).last { line in
                line.loan == loan.id && (what == "fine" ? line.kind == .fine : line.key == "lost:\(loan.id)")
            }
            guard let line else { throw NotExpressed("the account has no such line") }
            try kept("\(patron) is let off a line", library.desk.write { try $0.fees.waive(key, entry: line.id) })
            return
        }
        guard let amount = values.money("amount") else { throw missing("amount") }
        let outcome = try library.desk.write { session in
            switch operation {
            case "charge": try session.fees.charge(key, amount: amount, label: "Charge")
            case "pay": try session.fees.pay(key, amount: amount)
            case "forgive": try session.fees.waive(key, amount: amount)
            default: try session.fees.refund(key, amount: amount)
            }
        }
        try kept("\(operation): \(patron), \(amount)", outcome)
    }

    // MARK: Standing

    private func changeStanding() throws {
        let kind = values.text("kind") ?? "restriction"
        switch operation {
        case "block":
            let outcome = try library.desk.write {
                try $0.patrons.block(
                    .username(patron), kind: kind, actions: Scenario.actions([]), ends: values.date("until"))
            }
            try kept("\(patron) is blocked", outcome)
        case "unblock":
            try kept(
                "the block is lifted", library.desk.write { try $0.patrons.unblock(.username(patron), kind: kind) })
        default: try askStanding()
        }
    }

    private func askStanding() throws {
        let loans = try library.desk.read { try $0.loans.active(of: .username(patron)) }
        var renewable = loans.last { $0.lostAt == nil }
        if renewable == nil {
            try library.activate(scenario.policy.lenient)
            let own = try library.addTitle("to-renew").barcodes.first ?? ""
            renewable = try library.lend(
                own, to: patron, due: Moment(library.now.adding(hours: 48), in: scenario.zone))
            try library.activate(scenario.policy.text)
        }
        let wanted = try library.addTitle("wanted")
        var refused: [(String, Refusal)] = []
        let checkout = try library.desk.rehearse { session in
            try session.loans.checkout(
                CheckoutRequest(patron: .username(self.patron), wanted: .barcode(wanted.barcodes.first ?? "")))
        }
        let renewal = try library.desk.rehearse { session in try renewable.map { try session.loans.renew(.id($0.id)) } }
        let hold = try library.desk.rehearse { session in
            try session.holds.place(
                HoldRequest(
                    patron: .username(self.patron), wanted: .title(.id(wanted.id)), pickupBranch: FactLibrary.branch))
        }
        for (name, refusal) in [("checkout", checkout.refusal), ("renew", renewal?.refusal), ("hold", hold.refusal)] {
            if let refusal { refused.append((name, refusal)) }
        }
        refusal = refused.first?.1
        library.note("refused: \(refused.map { "\($0.0) (\($0.1.code))" }.joined(separator: ", "))")
        answers["blocked"] = .array(refused.map { .string($0.0) })
    }

    // MARK: Holds

    private func queue() throws {
        switch operation {
        case "place_hold":
            let copy = values.text("copy") != nil && values.text("title") == nil
            let title = try copy ? nil : scenario.title(values.text("title"))
            let wanted: HoldRequest.Wanted = try title.map { .title(.id($0)) } ?? .copy(knownBarcode())
            let isForced = values.flag("override") ?? false
            let request = HoldRequest(
                patron: .username(patron), wanted: wanted, pickupBranch: values.text("pickup") ?? values.text("branch"),
                expiresOn: values.date("expires"), override: isForced, reason: isForced ? "as the fact says" : nil)
            let placed = try kept("\(patron) places a hold", desk(values).write { try $0.holds.place(request) })
            guard let id = placed?.hold.id else { return }
            hold = id
            scenario.holds.append((patron, title ?? scenario.copies.first { $0.barcode == barcode }?.title ?? 0, id))
        case "cancel_hold": try change { try $0.holds.cancel($1) }
        case "move_hold":
            guard let place = values.number("to") else { throw missing("to") }
            guard place >= 1 else { return refusal = Refusal(code: "place", message: "The first place is 1.") }
            try change { try $0.holds.move($1, to: place) }
        case "arrange_holds":
            let title = try scenario.title(values.text("title"))
            let places = values.list("places").compactMap(\.integerValue)
            let waiting = try library.desk.read { try $0.holds.queue(of: .id(title)) }.filter { $0.position != nil }
            guard places.count == waiting.count else {
                throw NotExpressed("the places are not as many as those who wait")
            }
            let wanted = zip(waiting, places).map { HoldPlace(hold: $0.hold.id, position: $1) }
            try kept("the queue is put in order", library.desk.write { try $0.holds.arrange(.id(title), wanted) })
        default: try change { try $0.holds.suspend($1, until: self.values.date("until")) }
        }
    }

    private func change(_ body: (DeskSession, Int64) throws -> Outcome<QueuedHold>) throws {
        let id = try knownHold()
        hold = id
        try kept("\(operation): the hold of \(patron)", library.desk.write { try body($0, id) })
    }

    // MARK: The sweep

    private func sweep() throws {
        switch operation {
        case "sweep":
            guard let page = values.count("page") else { return _ = try library.sweep() }
            do {
                _ = try library.desk.sweep(pageSize: Int64(page)) { _ in throw BrokenOff() }
            } catch is BrokenOff {}
        case "sweep_daily":
            guard let last = try scenario.moment(values, "until_day", of: barcode) else { throw missing("until_day") }
            let end = last.isDate ? try Scenario.endOfDay(last.date, scenario.zone) : last.instant
            for _ in 0..<1_500 where library.now <= end {
                try library.sweep()
                let tomorrow = try library.now.adding(hours: 24)
                if tomorrow > end { break }
                library.travel(to: tomorrow)
            }
        case "next_notice":
            let loan = try knownLoan()
            moments["next_notice"] = try loan.due.flatMap {
                try NextNotice.next(after: library.now, $0.instant, library)
            }
        case "remind":
            let (loan, stage) = (try knownLoan(), values.text("stage"))
            try kept(
                "staff have a notice written", library.desk.write { try $0.notices.remind(.id(loan.id), stage: stage) })
        case "fail_notice":
            guard let notice = try lastNotice() else { throw NotExpressed("no message waits to be sent") }
            try kept(
                "the mail server fails", library.desk.write { try $0.notices.markFailed(notice.id, givenUp: false) })
        default: library.note("looked")
        }
    }

    private struct BrokenOff: Error {}
}
