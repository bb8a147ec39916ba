import Circulation
import Desk
import TextFormats

/// A hold as exports write it: by the keys that another store knows, never by ids.
struct HoldColumns {
    let session: DeskSession

    func json(_ hold: Hold) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(hold.id), "key": .string(hold.exportKey)]
        TitleColumns.name(try hold.title.flatMap { try session.catalogue.get(.id($0)) }, in: &object)
        object["username"] = try hold.patron.flatMap { try session.patrons.get(.id($0)) }.map { .string($0.username) }
        object["barcode"] = try barcode(hold.copy)
        object["held_barcode"] = try barcode(hold.heldCopy)
        object["pickup_branch"] = .string(hold.pickupBranch)
        object["state"] = .string(hold.state.rawValue)
        object["placed_at"] = .string(hold.placedAt.description)
        if hold.queuedAt != hold.placedAt { object["queued_at"] = .string(hold.queuedAt.description) }
        if hold.priority != 0 { object["priority"] = .integer(hold.priority) }
        object["expires_on"] = hold.expiresOn.map { .string($0.description) }
        object["suspended_until"] = hold.suspendedUntil.map { .string($0.description) }
        object["shelved_at"] = hold.shelvedAt.map { .string($0.description) }
        object["shelf_until"] = hold.shelfUntil.map { .string($0.description) }
        object["closed_at"] = hold.closedAt.map { .string($0.description) }
        object["loan"] = try hold.loan.flatMap { try session.exports.loan($0) }.map { .string($0.exportKey) }
        object["channel"] = hold.channel.map { .string($0.rawValue) }
        object["policy"] = hold.policy.map { .string($0) }
        return object
    }

    private func barcode(_ copy: Int64?) throws -> JSON? {
        try copy.flatMap { try session.catalogue.copy(id: $0)?.barcode }.map { .string($0) }
    }
}
