package import Circulation
import Storage

extension PatronService {
    /// Of how many patrons with something in common it is looked whether they are the same person.
    private static let lookedAt: Int64 = 50

    /// Patrons who are likely the same person as this one, and why; the surest first. Nothing is merged: ``merge(_:into:)`` does that.
    package func likelyDuplicates(of patron: Patron) throws -> [(patron: Patron, why: LikelyDuplicate)] {
        let order = LikelyDuplicate.allCases
        return try transaction.patrons.possibleDuplicates(of: patron, limit: Self.lookedAt)
            .compactMap { other in LikelyDuplicate.of(patron, other).map { (other, $0) } }
            .sorted { (order.firstIndex(of: $0.1) ?? 0, $0.0.id) < (order.firstIndex(of: $1.1) ?? 0, $1.0.id) }
    }
}
