import Circulation
import Storage

extension HoldService {
    /// Ends holds whose last day is over, and those whose copy was not fetched from the shelf in time: the copy goes to
    /// the next in line.
    ///
    /// - Returns: how many ended, at most `limit` of each kind; fewer than that: none is left.
    func expire(limit: Int64) throws -> Int64 {
        var ended: Int64 = 0
        for hold in try transaction.holds.unfetched(before: session.now, limit: limit) {
            // One that ended before it in this page may have given it another copy.
            guard let current = try transaction.holds.get(hold.id), current.state == .shelf,
                let until = current.shelfUntil, until < session.now
            else { continue }
            _ = try close(current, .expired, reason: "The copy was not picked up in time.")
            ended += 1
        }
        let library = try session.settingsSnapshot().library.zone.date(of: session.now)
        // A branch's day may have ended while the library's goes on.
        for hold in try transaction.holds.lapsed(before: try library.adding(days: 1), limit: limit) {
            guard let current = try transaction.holds.get(hold.id), current.state == .waiting,
                let end = current.expiresOn, end < (try today(at: current.pickupBranch))
            else { continue }
            _ = try close(current, .expired)
            ended += 1
        }
        return ended
    }
}
