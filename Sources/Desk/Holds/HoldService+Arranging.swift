import Circulation
import Storage

/// The place that a hold is to have, 1 being the first.
package struct HoldPlace: Hashable, Sendable {
    package var hold: Int64
    package var position: Int64

    package init(hold: Int64, position: Int64) {
        self.hold = hold
        self.position = position
    }
}

extension HoldService {
    /// Puts all who wait for a title in a new order, in one step.
    ///
    /// Refused with `unknown_title`; with `places` unless the places are 1 to the last, each once; with `queue_changed` unless
    /// the holds are those that wait now, each once: someone joined or left since the queue was looked at.
    ///
    /// - Parameter places: of all who wait, in whatever order.
    /// - Returns: the queue in its new order.
    package func arrange(_ key: TitleKey, _ places: [HoldPlace]) throws -> Outcome<[QueuedHold]> {
        let trail = RequestTrail("holds.arrange")
        return try session.request(trail) {
            let title = try session.catalogue.known(key)
            trail.titles = [title.id]
            try transaction.holds.lockQueue(title: title.id)
            let sorted = places.sorted { $0.position < $1.position }
            guard sorted.enumerated().allSatisfy({ $1.position == Int64($0) + 1 }) else {
                throw Refused("places", "The places must be the numbers from 1 to \(places.count), each used once.")
            }
            let queue = HoldQueue(try transaction.holds.waiting(title: title.id))
            guard sorted.count == queue.holds.count, Set(sorted.map(\.hold)) == Set(queue.holds.map(\.id)) else {
                throw Refused(
                    "queue_changed",
                    "These are not the \(queue.holds.count) holds now waiting for the title. "
                        + "Reload the queue and try again.")
            }
            let changed = try queue.arranged(sorted.map(\.hold))
            if !changed.isEmpty { try session.record(.holdsMoved, changed) }
            return Self.numbered(try transaction.holds.waiting(title: title.id))
        }
    }
}
