import Circulation
import Storage

/// What was fined for one due time of a loan so far.
struct FinesCharged {
    /// In minor units.
    var total: Int64 = 0
    /// The moment up to which the last line charged.
    var upTo: Instant?
    var keys: Set<String> = []
}

/// The line that brings a loan's fine to what the policy says it comes to.
struct FineDifference {
    let loan: Loan
    let due: DueTime
    let patron: Int64
    let charged: FinesCharged
    /// From when on another version decides about the loan than the one that charged for it first.
    var versionChanged: Instant?

    /// - Returns: nil if nothing is to be posted.
    /// - Throws: ``Refused`` with the failure if the policy failed, or says less than was charged already, unless the copy
    ///   came back before that was charged, or another version decides about the loan since.
    func entry(after asked: AskedDecision, at moment: Instant) throws -> LedgerEntry? {
        guard asked.decision.answer != .failed else { throw Refused(asked, title: loan.title, loan: loan.id) }
        let accrued = try total(of: asked)
        let (difference, overflow) = accrued.subtractingReportingOverflow(charged.total)
        guard !overflow else { throw failed(asked, "A fine of \(accrued) is too large.") }
        guard difference != 0 else { return nil }
        let isEarlier = charged.upTo.map { moment < $0 } ?? false
        let isDecidedAnew = versionChanged.map { changed in charged.upTo.map { $0 <= changed } ?? true } ?? false
        guard difference > 0 || isEarlier || isDecidedAnew else {
            throw failed(asked, "The fine of \(accrued) is below the \(charged.total) already charged (minor units).")
        }
        return LedgerEntry(
            key: key(asked.question, accrued), patron: patron, loan: loan.id,
            kind: difference > 0 ? .fine : .adjustment,
            amount: Money(minorUnits: difference, currency: asked.question.currency),
            label: difference > 0 ? "Fine" : isEarlier ? "Fine, returned earlier" : "Fine, under another policy",
            at: moment)
    }

    static func prefix(_ loan: Int64, _ dueAt: Instant) -> String { "fine:\(loan):\(dueAt):" }

    /// The due time in the key of a fine for a loan, or of what took one off; nil: the key is of neither.
    static func dueAt(in key: String, of loan: Int64) -> Instant? {
        let name = key.hasPrefix("back:") ? key.dropFirst("back:".count) : Substring(key)
        let start = "fine:\(loan):"
        guard name.hasPrefix(start), let end = name.firstRange(of: "Z:") else { return nil }
        return try? Instant(parsing: name.dropFirst(start.count).prefix(upTo: end.lowerBound) + "Z")
    }

    /// Loan, due time and day; on a day with several lines also what had accrued.
    private func key(_ question: Case, _ accrued: Int64) -> String {
        let day = Self.prefix(loan.id, due.instant) + question.today.description
        if !charged.keys.contains(day) { return day }
        var key = "\(day):\(accrued)"
        while charged.keys.contains(key) { key += "+" }
        return key
    }

    private func total(of asked: AskedDecision) throws -> Int64 {
        var total: Int64 = 0
        for case .fine(let money, _) in asked.decision.effects {
            guard money.currency == asked.question.currency, !money.isNegative else {
                throw failed(asked, "A fine must be an amount in \(asked.question.currency) and cannot be negative.")
            }
            total = money.minorUnits
        }
        return total
    }

    private func failed(_ asked: AskedDecision, _ message: String) -> Refused {
        var failed = asked
        failed.decision.answer = .failed
        failed.decision.failure = PolicyFailure(code: "bad_answer", message: message)
        failed.decision.refusal = Refusal(code: Refusal.Code.policyFailed, message: message)
        return Refused(failed, title: loan.title, loan: loan.id)
    }
}
