/// A loan, open or past.
///
/// An imported loan may lack patron, copy, due date and policy; it then counts in statistics only.
package struct Loan: Hashable, Sendable {
    package var id: Int64
    package var copy: Int64?
    package var title: Int64?
    package var patron: Int64?
    /// As they were when it was lent; they stay when the patron is removed.
    package var category: String?
    package var homeBranch: String?
    package var itemType: String?
    /// Where it was lent.
    package var branch: String?
    package var lentAt: Instant
    package var due: DueTime?
    package var originalDueAt: Instant?
    package var returnedAt: Instant?
    package var renewals: Int64
    package var unseenRenewals: Int64
    package var renewedAt: Instant?
    package var recalledAt: Instant?
    /// When its copy was declared lost; the loan stays open until the copy is found or written off.
    package var lostAt: Instant?
    /// When the patron says that the copy was returned; it stays as a mark after the copy was seen again.
    package var claimedAt: Instant?
    package var onSite: Bool
    package var channel: ActorFacts.Channel?
    /// SHA-256 of the policy version that decided it, or its last renewal.
    package var policy: String?
    /// Set for imported history: its key, unique in the store.
    package var importKey: String?
    /// Of a loan that came from another system: what was to be said of its due time before this moment is said already.
    package var noticesSentUntil: Instant?

    package init(
        id: Int64 = 0, copy: Int64? = nil, title: Int64? = nil, patron: Int64? = nil, category: String? = nil,
        homeBranch: String? = nil, itemType: String? = nil, branch: String? = nil, lentAt: Instant,
        due: DueTime? = nil, originalDueAt: Instant? = nil, returnedAt: Instant? = nil, renewals: Int64 = 0,
        unseenRenewals: Int64 = 0, renewedAt: Instant? = nil, recalledAt: Instant? = nil, lostAt: Instant? = nil,
        claimedAt: Instant? = nil, onSite: Bool = false, channel: ActorFacts.Channel? = nil, policy: String? = nil,
        importKey: String? = nil, noticesSentUntil: Instant? = nil
    ) {
        self.id = id
        self.copy = copy
        self.title = title
        self.patron = patron
        self.category = category
        self.homeBranch = homeBranch
        self.itemType = itemType
        self.branch = branch
        self.lentAt = lentAt
        self.due = due
        self.originalDueAt = originalDueAt
        self.returnedAt = returnedAt
        self.renewals = renewals
        self.unseenRenewals = unseenRenewals
        self.renewedAt = renewedAt
        self.recalledAt = recalledAt
        self.lostAt = lostAt
        self.claimedAt = claimedAt
        self.onSite = onSite
        self.channel = channel
        self.policy = policy
        self.importKey = importKey
        self.noticesSentUntil = noticesSentUntil
    }
}
