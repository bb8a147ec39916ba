import Circulation
import TextFormats

extension NativeRecords {
    static func hold(_ reader: inout MemberReader) -> [ImportedRecord] {
        reader.allow(only: [
            "key", "isbn", "title", "authors", "username", "barcode", "held_barcode", "pickup_branch", "state",
            "placed_at", "queued_at", "priority", "expires_on", "suspended_until", "shelved_at", "shelf_until",
            "closed_at", "id", "title_id", "year", "loan", "channel", "policy",
        ])
        let work = work(&reader)
        let placedAt = reader.instant("placed_at")
        let key = reader.requiredText("key")
        guard let key, let branch = reader.requiredText("pickup_branch") else { return [] }
        guard let placedAt else {
            if !reader.isRejected { reader.reject("placed_at", "missing", "a hold needs the moment it was placed") }
            return []
        }
        var hold = Hold(
            title: nil, patron: nil, pickupBranch: branch, placedAt: placedAt, queuedAt: reader.instant("queued_at"),
            priority: reader.integer("priority") ?? 0, expiresOn: reader.date("expires_on"),
            suspendedUntil: reader.date("suspended_until"), importKey: key)
        if let text = reader.text("state") {
            if let state = Hold.State(rawValue: text) {
                hold.state = state
            } else {
                reader.reject("state", "bad_value", "'\(text)' is not a state of a hold")
            }
        }
        hold.shelvedAt = reader.instant("shelved_at")
        hold.shelfUntil = reader.instant("shelf_until")
        hold.closedAt = reader.instant("closed_at")
        hold.id = reader.integer("id") ?? 0
        hold.channel = reader.choice("channel")
        hold.policy = reader.text("policy")
        let imported = ImportedHold(
            work: work, username: reader.text("username"), barcode: reader.text("barcode"),
            heldBarcode: reader.text("held_barcode"), loan: reader.text("loan"), hold: hold)
        return reader.isRejected ? [] : [.hold(imported)]
    }
}
