package import Circulation

/// What a library says of the open loans that come along from another system.
package struct ArrivalTerms: Hashable, Sendable {
    /// SHA-256 of the version that decides them from now on; nil: none, they are never fined.
    package var decidedBy: String?
    /// What was to be said to their patrons before this moment is said already; nil: nothing was.
    package var noticesSentUntil: Instant?
    /// What the other system itself says that it told of the loan.
    package var told: Told = .unknown
    /// Whether the loan may take a copy that is lost without a loan: one of which the other system knew that it is out, and
    /// not with whom.
    package var takesLost = false

    /// What another system says that it told the patron of a loan.
    package enum Told: Hashable, Sendable {
        /// It does not say.
        case unknown
        /// Nothing so far.
        case nothing
        /// That it is late, if it was so by then.
        case late(by: Instant)
    }

    package init(decidedBy: String? = nil, noticesSentUntil: Instant? = nil) {
        self.decidedBy = decidedBy
        self.noticesSentUntil = noticesSentUntil
    }
}

/// A loan that was taken in, and what a policy says of it.
package struct ArrivedLoan {
    package var loan: Imported<Loan>
    /// What the version that decides it from now on was asked; nil: none was.
    package var asked: AskedDecision?
    /// Whether its due time is the policy's, since the file has none.
    package var isDueByPolicy = false
}

extension AskedDecision {
    /// Why the policy would not have lent it; nil where it would. The loan was made all the same.
    package var refusal: Refusal? {
        switch decision.answer {
        case .allow, .review: nil
        case .confirm, .deny, .failed:
            decision.refusal
                ?? Refusal(
                    code: Refusal.Code.policyFailed, message: decision.failure?.message ?? "The policy failed.")
        }
    }
}
