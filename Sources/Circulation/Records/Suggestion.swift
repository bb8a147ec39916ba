/// A title that a patron asks the library to add to its catalogue.
package struct Suggestion: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It waits for a decision of staff.
        case review
        case approved, rejected
    }

    package var id: Int64
    /// nil: staff, or a patron who was removed.
    package var patron: Int64?
    package var proposal: TitleProposal
    /// The proposer's own words; no event repeats them.
    package var note: String
    package var state: State
    package var submittedAt: Instant
    package var decidedAt: Instant?
    /// What was said with the decision, or why it is reviewed.
    package var decision: String?
    /// What became of it in the catalogue; nil once that was removed.
    package var title: Int64?
    /// SHA-256 of the policy version that was asked first.
    package var policy: String?
    /// Set for a suggestion from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, patron: Int64?, proposal: TitleProposal, note: String = "", state: State = .review,
        submittedAt: Instant, decidedAt: Instant? = nil, decision: String? = nil, title: Int64? = nil,
        policy: String? = nil, importKey: String? = nil
    ) {
        self.id = id
        self.patron = patron
        self.proposal = proposal
        self.note = note
        self.state = state
        self.submittedAt = submittedAt
        self.decidedAt = decidedAt
        self.decision = decision
        self.title = title
        self.policy = policy
        self.importKey = importKey
    }
}
