package import Circulation
import Storage

extension ImportService {
    /// Takes in a hold under its own key, at its own instant.
    ///
    /// An open hold needs its patron and its title; one whose copy is not at hand to be set aside waits again. The store
    /// asks no policy, and nothing is recalled.
    ///
    /// - Parameter hold: with its ``Hold/importKey``; the key that was seen before changes nothing.
    package func hold(_ hold: Hold) throws -> Imported<Hold> {
        guard let key = hold.importKey, !key.isEmpty else {
            throw DeskError.input("import_key", "An imported hold needs a key.")
        }
        return try rejecting {
            if let before = try self.hold(called: key) { return .unchanged(before) }
            let hold = try completed(hold)
            let change = HoldChange(.imported, hold)
            guard let added = try session.record(change, at: hold.placedAt)?.content else {
                throw Refused("exists", "There is such a hold already.")
            }
            return .added(added.hold)
        }
    }

    private func completed(_ hold: Hold) throws -> Hold {
        var hold = hold
        let transaction = session.transaction
        if try hold.id <= 0 || transaction.holds.get(hold.id) != nil { hold.id = 0 }
        // Under the id that its key names it goes on as the hold that it was.
        if let key = hold.importKey, let (id, at) = ExportKey.parts(of: key, "hold"), id == hold.id, at == hold.placedAt
        {
            hold.importKey = nil
        }
        // A policy that was not in force here when the hold was placed did not decide it.
        hold.policy = try session.policies.wasInForce(hold.policy, from: hold.placedAt)
        let copy = try hold.copy.flatMap { try transaction.copies.get($0) }
        hold.title = copy?.title ?? hold.title
        _ = try session.settings.known(branch: hold.pickupBranch)
        guard hold.isOpen else {
            hold.closedAt = hold.closedAt ?? hold.placedAt
            return hold
        }
        hold.closedAt = nil
        guard let patron = hold.patron else {
            throw Refused(Refusal.Code.unknownPatron, "An open hold needs its patron.")
        }
        guard let title = hold.title else { throw Refused(Refusal.Code.unknownTitle, "An open hold needs its title.") }
        try session.holds.checkNew(patron, title, copy)
        let held = try hold.heldCopy.flatMap { try transaction.copies.get($0) }
        let isAtHand = held.map { held in
            (held.status == .available || held.status == .inTransit) && held.title == title
                && (hold.copy == nil || hold.copy == held.id)
        }
        let isFree = try held.map { try transaction.holds.setAside(copy: $0.id) == nil } ?? false
        guard hold.isSetAside, isAtHand == true, isFree else { return waiting(hold) }
        if hold.state == .shelf { hold.shelvedAt = hold.shelvedAt ?? session.now }
        return hold
    }

    private func waiting(_ hold: Hold) -> Hold {
        var hold = hold
        hold.state = .waiting
        hold.heldCopy = nil
        hold.shelvedAt = nil
        hold.shelfUntil = nil
        return hold
    }
}
