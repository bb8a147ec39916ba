/// A patron's claim on a title, or on one copy of it.
///
/// Those that wait form the queue of a title: a greater ``priority`` goes first, then the earlier ``queuedAt``, then the
/// smaller ``id``.
package struct Hold: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// In the queue.
        case waiting
        /// A copy is on its way to the pickup branch.
        case transit
        /// A copy waits there for the patron.
        case shelf
        /// The patron has borrowed it.
        case filled
        /// Its time, or that of the copy on the shelf, ran out.
        case expired
        case cancelled
    }

    package var id: Int64
    /// nil once the title was removed.
    package var title: Int64?
    /// The one copy that will do; nil: any copy of the title.
    package var copy: Int64?
    /// nil once the patron was removed.
    package var patron: Int64?
    package var pickupBranch: String
    package var placedAt: Instant
    /// The moment that counts for the place in the queue: ``placedAt``, until staff move the hold.
    package var queuedAt: Instant
    /// 0 unless the policy, or staff by moving it, say otherwise.
    package var priority: Int64
    /// The last day on which the patron still wants it; nil: until it is cancelled.
    package var expiresOn: CivilDate?
    /// The last day on which it is passed over; nil: it is not suspended.
    package var suspendedUntil: CivilDate?
    package var state: State
    /// The copy that is set aside for it, or by which it was filled.
    package var heldCopy: Int64?
    /// Since when the copy is on the shelf.
    package var shelvedAt: Instant?
    /// After this moment the copy is given to the next in line; nil: it waits until the hold is cancelled.
    package var shelfUntil: Instant?
    /// When it was filled, expired or cancelled.
    package var closedAt: Instant?
    /// The loan that filled it.
    package var loan: Int64?
    package var channel: ActorFacts.Channel?
    /// SHA-256 of the policy version that allowed it.
    package var policy: String?
    /// Set for a hold from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, title: Int64?, copy: Int64? = nil, patron: Int64?, pickupBranch: String, placedAt: Instant,
        queuedAt: Instant? = nil, priority: Int64 = 0, expiresOn: CivilDate? = nil, suspendedUntil: CivilDate? = nil,
        state: State = .waiting, heldCopy: Int64? = nil, shelvedAt: Instant? = nil, shelfUntil: Instant? = nil,
        closedAt: Instant? = nil, loan: Int64? = nil, channel: ActorFacts.Channel? = nil, policy: String? = nil,
        importKey: String? = nil
    ) {
        self.id = id
        self.title = title
        self.copy = copy
        self.patron = patron
        self.pickupBranch = pickupBranch
        self.placedAt = placedAt
        self.queuedAt = queuedAt ?? placedAt
        self.priority = priority
        self.expiresOn = expiresOn
        self.suspendedUntil = suspendedUntil
        self.state = state
        self.heldCopy = heldCopy
        self.shelvedAt = shelvedAt
        self.shelfUntil = shelfUntil
        self.closedAt = closedAt
        self.loan = loan
        self.channel = channel
        self.policy = policy
        self.importKey = importKey
    }
}

extension Hold {
    /// Not filled, expired or cancelled.
    package var isOpen: Bool { state.isOpen }

    /// Whether a copy is kept for it.
    package var isSetAside: Bool { state.isSetAside }

    /// Whether a copy may be given to it on a date: it waits, is not suspended and has not run out.
    package func isActive(on today: CivilDate) -> Bool {
        guard state == .waiting else { return false }
        if let suspendedUntil, suspendedUntil >= today { return false }
        if let expiresOn, expiresOn < today { return false }
        return true
    }

    /// Whether it stands before another in the queue of a title.
    package func precedes(_ other: Hold) -> Bool {
        if priority != other.priority { return priority > other.priority }
        return (queuedAt, id) < (other.queuedAt, other.id)
    }
}

extension Hold.State {
    package var isOpen: Bool { self == .waiting || isSetAside }
    package var isSetAside: Bool { self == .transit || self == .shelf }
}
