package import Circulation
import Storage

extension EventKinds {
    static let holds: [any AnyEventKind] = HoldChange.Step.allCases.map { EventKind.hold($0) } + [EventKind.holdsMoved]
}

extension EventKind where Content == HoldChange {
    /// A hold was placed, shelved, cancelled and so on: `hold.placed`.
    package static func hold(_ step: HoldChange.Step) -> Self {
        EventKind(HoldChange.kindPrefix + step.rawValue, step.summary, follow: { $1.forget($0.hold) }) {
            change, transaction in
            try change.applied(to: transaction)
        }
    }
}

extension EventKind where Content == [Hold] {
    /// The holds of one queue whose place was changed by hand.
    package static var holdsMoved: Self {
        EventKind(
            writing: "hold.moved", "The order of a queue was changed by hand.",
            follow: { for hold in $0 { $1.forget(hold) } }
        ) { for hold in $0 { try $1.holds.update(hold) } }
    }
}

extension Hold: EventListElement {
    package static let listName = "holds"
    package static let eventMembers = declaredMembers(.hold)
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A step in the life of a hold, with the hold as it is from then on.
package struct HoldChange: EventStep {
    /// What became of the hold; the name of the event's kind ends with it.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case placed, suspended, resumed
        case pickupSet = "pickup_set"
        /// A copy was set aside and is on its way to the pickup branch.
        case inTransit = "in_transit"
        case shelved
        /// Its copy stays on the shelf for longer, since the branch is closed.
        case shelfExtended = "shelf_extended"
        /// Back to its place in the queue, since the copy is gone.
        case returned
        case filled, expired, cancelled, imported

        /// When it is taken, as a sentence.
        var summary: String {
            switch self {
            case .placed: "A hold was placed."
            case .suspended: "A hold was suspended: it is passed over for a while."
            case .resumed: "A suspended hold counts again."
            case .pickupSet: "A hold is to be picked up at another branch."
            case .inTransit: "A copy was set aside for a hold and is on its way to the pickup branch."
            case .shelved: "A copy lies on the hold shelf, ready to be picked up."
            case .shelfExtended: "A copy stays on the hold shelf for longer, since the branch is closed."
            case .returned: "A hold waits again in its place in the queue, since the copy set aside for it is gone."
            case .filled: "A hold was filled: its copy was lent to who had placed it."
            case .expired: "A hold ended: it was no longer wanted, or its copy was not picked up in time."
            case .cancelled: "A hold was cancelled."
            case .imported: "A hold came from another system."
            }
        }
    }

    fileprivate static let kindPrefix = "hold."

    package var step: Step
    package var hold: Hold
    /// Why, where staff or the desk say so.
    package var reason: String?

    package init(_ step: Step, _ hold: Hold, reason: String? = nil) {
        self.step = step
        self.hold = hold
        self.reason = reason
    }

    package static let blank = HoldChange(.placed, .blank)
    package static let eventMembers: [EventMember<Self>] =
        [.step(\.step, after: kindPrefix)] + EventMember.record(\HoldChange.hold, Hold.eventMembers)
        + [EventMember("reason", \.reason, "why, where staff or the desk say so")]

    package var kind: EventKind<HoldChange> { .hold(step) }

    package var subjects: EventSubjects {
        EventSubjects(patron: hold.patron, copy: hold.heldCopy ?? hold.copy, loan: hold.loan)
    }

    /// Makes a step of a hold, and puts the copies it concerns where the hold says: a copy that it lets go is available
    /// again, one that it takes is on the shelf or in transit. A copy that has moved on by itself (was lent, lost or
    /// withdrawn) stays what it is.
    fileprivate func applied(to transaction: Transaction) throws -> HoldChange {
        var change = self
        let before = hold.id == 0 ? nil : try transaction.holds.get(hold.id)
        if before == nil {
            change.hold.id = try transaction.holds.insert(hold)
        } else {
            try transaction.holds.update(hold)
        }
        if let before, before.isSetAside, let copy = before.heldCopy {
            let keeps = hold.isSetAside && hold.heldCopy == copy
            if !keeps { try Self.letGo(copy, in: transaction) }
        }
        if hold.isSetAside, let copy = hold.heldCopy {
            try transaction.copies.setStatus(hold.state == .shelf ? .onHoldShelf : .inTransit, of: copy)
        }
        return change
    }

    private static func letGo(_ copy: Int64, in transaction: Transaction) throws {
        guard let status = try transaction.copies.get(copy)?.status, status.isSetAside else { return }
        try transaction.copies.setStatus(.available, of: copy)
    }
}

extension CopyStatus {
    /// Whether a hold may keep a copy in this status.
    package var isSetAside: Bool { self == .onHoldShelf || self == .inTransit }
}
