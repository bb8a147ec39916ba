package import Circulation
import Storage

extension HoldService {
    /// Ends a hold; a copy that was set aside goes to the next in line. Refused with `unknown_hold`, `closed`,
    /// `not_owner`.
    package func cancel(_ id: Int64, reason: String? = nil) throws -> Outcome<QueuedHold> {
        let trail = RequestTrail("holds.cancel")
        return try session.request(trail) {
            QueuedHold(hold: try close(try knownOpen(id, trail), .cancelled, reason: reason))
        }
    }

    /// Gives a waiting hold another place in its queue, 1 being the first; beyond the last it is the last. It takes the
    /// priority that belongs there.
    ///
    /// Refused with `unknown_hold`, `closed`, `not_waiting`.
    package func move(_ id: Int64, to position: Int64) throws -> Outcome<QueuedHold> {
        guard position >= 1 else { throw DeskError.input("position", "The first place is 1.") }
        let trail = RequestTrail("holds.move")
        return try session.request(trail) {
            let hold = try knownWaiting(id, trail)
            guard let title = hold.title else { return QueuedHold(hold: hold) }
            try transaction.holds.lockQueue(title: title)
            let before = try transaction.holds.waiting(title: title)
            let changed = try HoldQueue(before).moving(id, to: Int(clamping: position))
            if !changed.isEmpty { try session.record(.holdsMoved, changed) }
            return try placed(changed.first { $0.id == id } ?? hold)
        }
    }

    /// Passes a waiting hold over until the end of a day, its place kept; without a day until it is resumed.
    ///
    /// Refused with `unknown_hold`, `closed`, `not_waiting`, `not_owner`, `past`.
    package func suspend(_ id: Int64, until: CivilDate? = nil) throws -> Outcome<QueuedHold> {
        let trail = RequestTrail("holds.suspend")
        return try session.request(trail) {
            var hold = try knownWaiting(id, trail)
            let end = until ?? .latest
            guard end >= (try today(at: hold.pickupBranch)) else {
                throw Refused("past", "A hold cannot be paused until \(end), because that day has passed.")
            }
            guard hold.suspendedUntil != end else { return try placed(hold) }
            hold.suspendedUntil = end
            return try placed(try record(.suspended, hold).hold)
        }
    }

    /// Ends a suspension; a hold that is not suspended stays as it is.
    package func resume(_ id: Int64) throws -> Outcome<QueuedHold> {
        let trail = RequestTrail("holds.resume")
        return try session.request(trail) {
            var hold = try knownOpen(id, trail)
            guard hold.suspendedUntil != nil else { return try placed(hold) }
            hold.suspendedUntil = nil
            return try placed(try record(.resumed, hold).hold)
        }
    }

    /// Changes where a hold is picked up; a copy that is on the shelf elsewhere travels there.
    ///
    /// Refused with `unknown_hold`, `closed`, `not_owner`, `unknown_branch`.
    package func setPickup(_ id: Int64, branch: String) throws -> Outcome<QueuedHold> {
        let trail = RequestTrail("holds.set_pickup")
        return try session.request(trail) {
            var hold = try knownOpen(id, trail)
            _ = try session.settings.known(branch: branch)
            guard hold.pickupBranch != branch else { return try placed(hold) }
            hold.pickupBranch = branch
            if hold.state == .shelf {
                hold.state = .transit
                hold.shelvedAt = nil
                hold.shelfUntil = nil
            }
            return try placed(try record(.pickupSet, hold).hold)
        }
    }

    private func knownWaiting(_ id: Int64, _ trail: RequestTrail) throws -> Hold {
        let hold = try knownOpen(id, trail)
        guard hold.state == .waiting else {
            throw Refused("not_waiting", "A copy has already been set aside for hold \(id).")
        }
        return hold
    }
}
