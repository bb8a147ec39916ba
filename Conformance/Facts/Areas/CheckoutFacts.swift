import Circulation
import Desk
import TextFormats

/// Facts about a copy that is asked for: whether it is lent, and until when.
enum CheckoutFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.begins("checkout", "check out", "circ_test", "apply_closed_strategy")
    }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        if reading.operation.text == "apply_closed_strategy" { return try closedStrategy(reading) }
        let plan = reading.plan()
        try plan.readDesk()
        if reading.operation.names("twice") || reading.operation.times > 1 { return try several(reading, plan) }
        if reading.operation.names("again") { return try RenewalFacts.checkoutAgain(reading, plan) }
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        guard let barcode = title.barcodes.first else { throw NotExpressed("there is no copy to lend") }
        let outcome: Outcome<Loan>
        if reading.operation.begins("circ_test") {
            outcome = try mayCheckout(barcode, library, plan).map { .refused($0) } ?? .done(Loan(lentAt: plan.now))
            try library.noted("asked beforehand whether \(barcode) would be lent", outcome)
        } else {
            outcome = try library.checkout(barcode, onSite: plan.onSite, at: plan.branch)
        }
        try answerPermission(reading, plan, library, outcome)
        if case .done(let loan) = outcome { try answerDue(reading, plan, library, title, loan) }
        if case .refused(let refusal) = outcome { answerRefusedDue(reading, refusal) }
    }

    /// What the policy says, without lending.
    private static func mayCheckout(_ barcode: String, _ library: FactLibrary, _ plan: FactPlan) throws -> Refusal? {
        let desk = library.desk(branch: plan.branch)
        let outcome = try desk.rehearse { session in
            try session.loans.mayCheckout(
                CheckoutRequest(
                    patron: .username(FactLibrary.reader), wanted: .barcode(barcode), onSite: plan.onSite))
        }
        return outcome.refusal ?? outcome.value?.lazy.compactMap(\.decision.refusal).first
    }

    // MARK: Whether

    private static func answerPermission(
        _ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ outcome: Outcome<Loan>
    ) throws {
        guard let refusal = outcome.refusal else {
            reading.answer("allowed", flag: true)
            for key in ["reason", "fail_part"] { reading.answer(key, found: .string("allowed")) }
            return
        }
        reading.answer("allowed", found: refusal.mayBeOverridden ? "with confirmation" : false)
        let names = plan.names(of: refusal, at: .checkout)
        for key in ["reason", "fail_part", "code"] { reading.answer(key, word: names, own: refusal.code) }
        let figures = refusal.reasons.first?.figures ?? [:]
        let counted = refusal.code == Refusal.Code.overdue ? try library.overdueLoans() : nil
        reading.answer("count", found: figures["count"] ?? counted.map { .integer($0) } ?? .null)
        for key in ["max_allowed", "limit", "max"] { reading.answer(key, found: figures["limit"] ?? .null) }
        reading.answer("until", found: figures["until"] ?? .null)
    }

    private static func several(_ reading: FactReading, _ plan: FactPlan) throws {
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        var results: [JSON] = []
        var refused: Refusal?
        for number in 1...max(2, reading.operation.times) {
            let other = try library.addTitle("further\(number)", itemType: plan.itemType)
            let outcome = try library.checkout(other.barcodes.first ?? "", onSite: plan.onSite, at: plan.branch)
            refused = outcome.refusal
            let names = outcome.refusal.map { plan.names(of: $0, at: .checkout) }
            let expected = reading.expect.object["results"]?.arrayValue ?? []
            let place = results.count
            let word = place < expected.count ? expected[place].stringValue ?? "" : ""
            results.append(.string(names.map { $0.contains(word) ? word : $0.last ?? "" } ?? "SUCCESS"))
        }
        reading.answer("results", found: .array(results))
        // There is no mark on the patron: a limit that is reached holds until something comes back.
        let next = try library.addTitle("next", itemType: plan.itemType)
        let still = try mayCheckout(next.barcodes.first ?? "", library, plan)
        reading.answer("standing_penalty_added", flag: still?.code == Refusal.Code.limit)
        reading.answer("allowed", flag: refused == nil)
    }

    // MARK: Until when

    private static func answerRefusedDue(_ reading: FactReading, _ refusal: Refusal) {
        for key in ["due", "due_date", "loan_days", "shortened", "rental"] {
            reading.answer(key, found: .string("refused: \(refusal.message)"))
        }
    }

    private static func answerDue(
        _ reading: FactReading, _ plan: FactPlan, _ library: FactLibrary, _ title: FactTitle, _ loan: Loan
    ) throws {
        reading.answer("due", due: loan.due, in: plan.zone)
        reading.answer("due_date", found: loan.due.map { .string($0.date.description) } ?? .null)
        let days = loan.due.map { Int64($0.date.days(since: plan.today)) } ?? 0
        reading.answer("loan_days", number: days)
        if reading.given.has("shortened_loan_days") {
            reading.answer("shortened", flag: days == (try reading.given.number("shortened_loan_days")))
        }
        if reading.expect.has("flag") { try answerFlag(reading, plan, loan) }
        try RentalFacts.answerRental(reading, library)
        for key in reading.expect.object.keys where key.hasPrefix("extension_days") {
            try answerExtension(reading, key, plan, library, loan)
        }
    }

    /// Whether the due date is another because the membership ends: the same loan of somebody whose membership does not.
    private static func answerFlag(_ reading: FactReading, _ plan: FactPlan, _ loan: Loan) throws {
        let other = reading.plan()
        try other.readDesk()
        let (library, title) = try other.openLibrary()
        try library.change { $0.expiresOn = nil }
        try other.beginOperation(library, title)
        let without = try library.checkout(title.barcodes.first ?? "", at: other.branch).done("the loan without end")
        let isCapped = without.due?.instant != loan.due?.instant
        let words = ["due date changed because the membership is about to end"]
        reading.answer(
            "flag", word: isCapped ? words : [], own: "the due date is the same without an end of membership")
    }

    /// How many days a renewal adds: before the due time, or after it.
    private static func answerExtension(
        _ reading: FactReading, _ key: String, _ plan: FactPlan, _ library: FactLibrary, _ loan: Loan
    ) throws {
        guard let due = loan.due else { return }
        let isOverdue = key == "extension_days_if_overdue"
        library.travel(to: try due.instant.adding(hours: isOverdue ? 48 : -24))
        let renewed = try library.renew(loan).done("the renewal")
        let start = isOverdue ? library.zone.date(of: library.now) : due.date
        reading.answer(key, found: renewed.due.map { .integer(Int64($0.date.days(since: start))) } ?? .null)
    }

    /// A due time that was reckoned already, put to the rule about closed days.
    private static func closedStrategy(_ reading: FactReading) throws {
        let plan = reading.plan()
        try plan.readCalendar()
        if try reading.given.text("closed_strategy")?.contains("hours") ?? false {
            throw NotExpressed("opening hours move a due time when a copy is lent, not afterwards")
        }
        guard let computed = try plan.moment("computed_due", of: reading.given) else {
            throw NotExpressed("the fact names no due time that was reckoned")
        }
        plan.now = try computed.instant.adding(hours: -24)
        try plan.readLoanTerms()
        plan.policy.everything["loan"] = "hours(24)"
        if plan.policy.everything["due_time"] == "\"end_of_day\"" {
            // What the hours come to is a date to the rule.
            let move = plan.policy.everything["closed"] ?? "\"keep\""
            let moved = ["\"next_open\"": "next_open", "\"previous_open\"": "previous_open"][move]
            let day = "date(case.now + hours(24))"
            plan.policy.add(to: "due", "return \(moved.map { "case.calendar.\($0)(\(day))" } ?? day)")
        }
        let (library, title) = try plan.openLibrary()
        try plan.beginOperation(library, title)
        let loan = try library.checkout(title.barcodes.first ?? "").done("the loan")
        reading.answer("due", due: loan.due, in: plan.zone)
    }
}

extension FactPlan {
    /// What other systems call a refusal under this policy.
    func names(of refusal: Refusal, at point: DecisionPoint, by job: Bool = false) -> [String] {
        let lines = policy.text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = refusal.origin.map { $0.line } ?? 0
        let row = lines.indices.contains(line - 1) ? String(lines[line - 1]) : ""
        var names = ForeignReason.names(of: refusal, at: point, row: row, by: job)
        if refusal.code == Refusal.Code.limit, let limit = refusal.reasons.first?.figures["limit"]?.integerValue {
            names.append(contentsOf: limitSentences(limit))
        }
        return names
    }

    /// FOLIO's sentence about a limit names what the loans have in common.
    private func limitSentences(_ limit: Int64) -> [String] {
        let given = (self.given.object["rule_criteria"]?.arrayValue ?? []).compactMap(\.stringValue)
        let start = "Patron has reached maximum limit of \(limit) items for "
        switch given.count {
        case 0: return ["material type", "loan type"].map { start + $0 }
        case 1: return [start + given[0]]
        default:
            let list = given.dropLast().joined(separator: ", ") + " and " + (given.last ?? "")
            return [start + "combination of " + list]
        }
    }
}
