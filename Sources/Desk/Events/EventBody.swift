package import Circulation

/// What an event says. Tables change through ``Applier`` alone, which reads these, so that applying the log from its
/// beginning gives the same tables again.
///
/// A body carries whole records while it is applied. Written to the log it loses what is personal: names, addresses,
/// birth date, `extra`, the texts of notices and the reasons of blocks; read back, these are blank.
package enum EventBody: Hashable, Sendable {
    /// The version of the payloads written here.
    package static let version: Int64 = 1

    case libraryChanged(LibrarySettings)
    case branchAdded(Branch)
    case branchUpdated(Branch)
    case branchRemoved(code: String)
    case categoryAdded(Category)
    case categoryUpdated(Category)
    case categoryRemoved(code: String)
    case itemTypeAdded(ItemType)
    case itemTypeUpdated(ItemType)
    case itemTypeRemoved(code: String)
    case titleAdded(Title)
    case titleUpdated(Title)
    /// The title and its copies.
    case titleRemoved(id: Int64)
    case copyAdded(Copy)
    case copyUpdated(Copy)
    case copyWithdrawn(Copy)
    case copyUsedInHouse(InHouseUse)
    /// `fields` are the names of the personal fields that were set or changed.
    case patronAdded(Patron, fields: [String])
    case patronUpdated(Patron, fields: [String])
    case patronRemoved(id: Int64)
    /// All that belonged to one record belongs to another; the removal of the first follows.
    case patronMerged(PatronMerge)
    case patronBlocked(PatronBlock)
    case patronUnblocked(PatronBlock)
    case loanMade(Loan)
    case loanRenewed(LoanChange)
    case loanReturned(LoanReturn)
    case loanDueSet(LoanChange)
    case loanImported(Loan)
    /// One of the renewals that an imported loan counts already, at the moment when it was made.
    case loanRenewalImported(PastRenewal)
    /// Its due time was brought forward, since others wait.
    case loanRecalled(LoanChange)
    /// Its copy was declared lost.
    case loanLost(LoanChange)
    /// The patron says that the copy was returned.
    case loanClaimed(LoanChange)
    case hold(HoldChange)
    /// The holds of one queue whose place was changed by hand.
    case holdsMoved([Hold])
    case market(MarketEvent)
    case policyOverridden(PolicyOverride)
    /// `bundle` is what was activated; the log keeps its name, SHA-256, alone.
    case policyActivated(PolicyActivation, bundle: PolicyBundle?)
    /// An activation that was taken back before its day.
    case policyWithdrawn(PolicyActivation)
    case policyFailed(FailedDecision)
    /// The decision log was shortened; what was decided stays as it is.
    case decisionsPruned(DecisionPruning)
    /// A password was set, or a key issued or revoked.
    case accountChanged(AccountChange)
    /// Payloads were cleared of a removed patron's personal data.
    case eventsCleared(EventClearing)
    case requestRefused(RefusedRequest)
    case noticeRecorded([Notice])
    case noticeChanged(NoticeChange)
    case ledgerPosted([LedgerEntry])
}

/// A loan's new due time, with what else a renewal changes.
package struct LoanChange: Hashable, Sendable {
    /// The loan as it is from now on.
    package var loan: Loan
    package var previousDueAt: Instant?
    /// Why, for a due time set by hand.
    package var reason: String?

    package init(loan: Loan, previousDueAt: Instant?, reason: String? = nil) {
        self.loan = loan
        self.previousDueAt = previousDueAt
        self.reason = reason
    }
}

/// A renewal of an imported loan: that there was one then, and no more.
package struct PastRenewal: Hashable, Sendable {
    package var loan: Int64
    package var copy: Int64?
    package var patron: Int64?
    package var renewedAt: Instant

    package init(loan: Int64, copy: Int64?, patron: Int64?, renewedAt: Instant) {
        self.loan = loan
        self.copy = copy
        self.patron = patron
        self.renewedAt = renewedAt
    }
}

/// A copy that came back.
package struct LoanReturn: Hashable, Sendable {
    package var loan: Int64
    package var copy: Int64?
    package var patron: Int64?
    package var returnedAt: Instant

    package init(loan: Int64, copy: Int64?, patron: Int64?, returnedAt: Instant) {
        self.loan = loan
        self.copy = copy
        self.patron = patron
        self.returnedAt = returnedAt
    }
}

/// A refusal that staff went on in spite of.
package struct PolicyOverride: Hashable, Sendable {
    package var patron: Int64
    package var title: Int64?
    package var copy: Int64?
    package var loan: Int64?
    package var codes: [String]
    package var policy: String
    package var reason: String

    package init(
        patron: Int64, title: Int64? = nil, copy: Int64? = nil, loan: Int64? = nil, codes: [String], policy: String,
        reason: String
    ) {
        self.patron = patron
        self.title = title
        self.copy = copy
        self.loan = loan
        self.codes = codes
        self.policy = policy
        self.reason = reason
    }
}

/// A decision that a policy failed to make.
package struct FailedDecision: Hashable, Sendable {
    package var point: DecisionPoint
    package var policy: String
    package var failure: PolicyFailure
    package var patron: Int64?
    package var title: Int64?
    package var copy: Int64?
    package var loan: Int64?

    package init(
        point: DecisionPoint, policy: String, failure: PolicyFailure, patron: Int64? = nil, title: Int64? = nil,
        copy: Int64? = nil, loan: Int64? = nil
    ) {
        self.point = point
        self.policy = policy
        self.failure = failure
        self.patron = patron
        self.title = title
        self.copy = copy
        self.loan = loan
    }
}

/// A request that was answered with no.
package struct RefusedRequest: Hashable, Sendable {
    /// What was asked for: `checkout`, `renew`, `patrons.remove` and the like.
    package var request: String
    package var patron: Int64?
    /// Ids of the titles asked for; an unknown one is 0.
    package var titles: [Int64]
    package var copy: Int64?
    package var loan: Int64?
    /// The refusal, its message a template still where the policy words it.
    package var refusal: Refusal

    package init(
        request: String, patron: Int64? = nil, titles: [Int64] = [], copy: Int64? = nil, loan: Int64? = nil,
        refusal: Refusal
    ) {
        self.request = request
        self.patron = patron
        self.titles = titles
        self.copy = copy
        self.loan = loan
        self.refusal = refusal
    }
}

/// A notice's new state.
package struct NoticeChange: Hashable, Sendable {
    package var notice: Int64
    package var patron: Int64
    package var loan: Int64?
    package var state: Notice.State
    package var sentAt: Instant?
    package var readAt: Instant?
    package var tries: Int64
    package var carriedBy: Int64?
    package var failure: String?

    package init(
        notice: Int64, patron: Int64, loan: Int64? = nil, state: Notice.State, sentAt: Instant? = nil,
        readAt: Instant? = nil, tries: Int64, carriedBy: Int64? = nil, failure: String? = nil
    ) {
        self.notice = notice
        self.patron = patron
        self.loan = loan
        self.state = state
        self.sentAt = sentAt
        self.readAt = readAt
        self.tries = tries
        self.carriedBy = carriedBy
        self.failure = failure
    }

    package init(_ notice: Notice) {
        self.notice = notice.id
        patron = notice.patron
        loan = notice.loan
        state = notice.state
        sentAt = notice.sentAt
        readAt = notice.readAt
        tries = notice.tries
        carriedBy = notice.carriedBy
        failure = notice.failure
    }
}
