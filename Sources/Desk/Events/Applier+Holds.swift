import Circulation
import Storage

extension Applier {
    /// Makes a step of a hold, and puts the copies it concerns where the hold says: a copy that it lets go is available
    /// again, one that it takes is on the shelf or in transit. A copy that has moved on by itself (was lent, lost or
    /// withdrawn) stays what it is.
    func apply(_ change: HoldChange) throws -> HoldChange {
        var change = change
        let before = change.hold.id == 0 ? nil : try transaction.holds.get(change.hold.id)
        if before == nil {
            change.hold.id = try transaction.holds.insert(change.hold)
        } else {
            try transaction.holds.update(change.hold)
        }
        if let before, before.isSetAside, let copy = before.heldCopy {
            let keeps = change.hold.isSetAside && change.hold.heldCopy == copy
            if !keeps { try letGo(copy) }
        }
        if change.hold.isSetAside, let copy = change.hold.heldCopy {
            try transaction.copies.setStatus(change.hold.state == .shelf ? .onHoldShelf : .inTransit, of: copy)
        }
        return change
    }

    private func letGo(_ copy: Int64) throws {
        guard let status = try transaction.copies.get(copy)?.status, status.isSetAside else { return }
        try transaction.copies.setStatus(.available, of: copy)
    }
}

extension CopyStatus {
    /// Whether a hold may keep a copy in this status.
    var isSetAside: Bool { self == .onHoldShelf || self == .inTransit }
}
