package import Circulation
import TextFormats

/// A step in the life of a hold, with the hold as it is from then on.
package struct HoldChange: Hashable, Sendable {
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

        /// The event's kind.
        package var kind: EventKind {
            switch self {
            case .placed: .holdPlaced
            case .suspended: .holdSuspended
            case .resumed: .holdResumed
            case .pickupSet: .holdPickupSet
            case .inTransit: .holdInTransit
            case .shelved: .holdShelved
            case .shelfExtended: .holdShelfExtended
            case .returned: .holdReturned
            case .filled: .holdFilled
            case .expired: .holdExpired
            case .cancelled: .holdCancelled
            case .imported: .holdImported
            }
        }
    }

    package var step: Step
    package var hold: Hold
    /// Why, where staff or the desk say so.
    package var reason: String?

    package init(_ step: Step, _ hold: Hold, reason: String? = nil) {
        self.step = step
        self.hold = hold
        self.reason = reason
    }

    var subjects: EventSubjects {
        EventSubjects(patron: hold.patron, copy: hold.heldCopy ?? hold.copy, loan: hold.loan)
    }
}

extension HoldChange {
    func writeMembers(to writer: inout JSONWriter) {
        writer.members(of: hold)
        writer.member("reason", reason)
    }
}

extension EventPayload {
    func holdChange(_ kind: EventKind) throws -> HoldChange {
        guard let step = HoldChange.Step.allCases.first(where: { $0.kind == kind }) else {
            throw DeskError.event("The kind \(kind.rawValue) tells of no hold.")
        }
        return HoldChange(step, try record(), reason: try optionalText("reason"))
    }
}
