/// A kind of notice that a library may have put together with others into one message. In the order in which a message has them.
///
/// Any other kind goes alone: what people write to each other (`contact`), what was paid (`order`), and messages of scripts
/// and of staff (`message`), which may be about anything.
package enum GatheredKind: String, Hashable, Sendable, CaseIterable {
    case overdue
    case recalled
    case dueSoon = "due_soon"
    case holdReady = "hold_ready"
    case dueMoved = "due_moved"
    case renewed
    case returned
    case rentalDue = "rental_due"
    case fee
    case sold
    case listing
    case suggestion

    /// What stands above the notices of this kind.
    package var words: String {
        switch self {
        case .overdue: "Overdue"
        case .recalled: "Recalled items"
        case .dueSoon: "Due soon"
        case .holdReady: "Ready for pickup"
        case .dueMoved: "New due dates"
        case .renewed: "Renewed"
        case .returned: "Returned"
        case .rentalDue: "Rentals ending soon"
        case .fee: "Charges to the account"
        case .sold: "Offers taken"
        case .listing: "Decisions on offers"
        case .suggestion: "Decisions on suggestions"
        }
    }

    /// The reminders of one stage that the policy merges are what their parts are: before or after the due time.
    private static let merged = (kind: "digest", of: [GatheredKind.overdue, .dueSoon])

    /// The kinds, as notices have them, that some of these gather.
    package static func names(_ kinds: Set<GatheredKind>) -> Set<String> {
        var names = Set(kinds.map(\.rawValue))
        if !kinds.isDisjoint(with: merged.of) { names.insert(merged.kind) }
        return names
    }
}
