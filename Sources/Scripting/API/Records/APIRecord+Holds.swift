import Circulation
import Desk
import LuaRuntime

extension APIRecord<QueuedHold> {
    static let hold = APIRecord(
        "hold", "A patron's claim on a title, or on one copy of it.",
        [
            always("id", .id, "") { .integer($0.hold.id) },
            maybe("title", .id, "the title's id; nil once the title is removed") { .whole($0.hold.title) },
            maybe("copy", .id, "the id of the one copy that will do; nil: any copy") { .whole($0.hold.copy) },
            maybe("patron", .id, "the patron's id; nil once the patron is removed") { .whole($0.hold.patron) },
            always("pickup_branch", .text, "") { .string($0.hold.pickupBranch) },
            always("state", .choice(Hold.State.allCases.map(\.rawValue)), "") { .string($0.hold.state.rawValue) },
            maybe("position", .count, "the place among those that wait, 1 being the first") { .whole($0.position) },
            always("priority", .integer, "a greater one goes first; 0 is ordinary") { .integer($0.hold.priority) },
            always("placed_at", .instant, "") { .instant($0.hold.placedAt) },
            maybe("expires_on", .date, "the last day on which it is wanted") { $0.hold.expiresOn.map(LuaValue.date) },
            maybe("suspended_until", .date, "the last day on which it is passed over") {
                $0.hold.suspendedUntil.map(LuaValue.date)
            },
            maybe("held_copy", .id, "the copy that is set aside, or by which it was filled") {
                .whole($0.hold.heldCopy)
            },
            maybe("shelved_at", .instant, "since when the copy is on the shelf") {
                $0.hold.shelvedAt.map(LuaValue.instant)
            },
            maybe("shelf_until", .instant, "after this moment the next in line gets the copy") {
                $0.hold.shelfUntil.map(LuaValue.instant)
            },
            maybe("closed_at", .instant, "when it was filled, expired or cancelled") {
                $0.hold.closedAt.map(LuaValue.instant)
            },
            maybe("loan", .id, "the loan that filled it") { .whole($0.hold.loan) },
            maybe("channel", .text, "`desk`, `self`, `web` or `job`") { .text($0.hold.channel?.rawValue) },
            maybe("policy", .text, "SHA-256 of the policy that allowed it") { .text($0.hold.policy) },
        ])
}

extension APIRecord<PullItem> {
    static let pullItem = APIRecord(
        "pull_item", "A copy to be fetched from the open shelves for a hold.",
        [
            always("barcode", .text, "") { .string($0.copy.barcode) },
            always("branch", .text, "where the copy stands") { .string($0.copy.branch) },
            always("item_type", .text, "") { .string($0.copy.itemType) },
            always("title", .id, "the title's id") { .integer($0.title.id) },
            always("name", .text, "the title's name") { .string($0.title.title) },
            always("hold", .id, "the hold it is for") { .integer($0.hold.id) },
            always("pickup_branch", .text, "where it is wanted") { .string($0.hold.pickupBranch) },
            always("placed_at", .instant, "") { .instant($0.hold.placedAt) },
        ])
}

extension APIRecord<InHouseUse> {
    static let inHouseUse = APIRecord(
        "in_house_use", "A use of a copy in the house.",
        [
            always("id", .id, "") { .integer($0.id) },
            maybe("copy", .id, "the copy's id") { .whole($0.copy) },
            maybe("title", .id, "the title's id") { .whole($0.title) },
            maybe("item_type", .text, "") { .text($0.itemType) },
            maybe("branch", .text, "where it was used") { .text($0.branch) },
            always("used_at", .instant, "") { .instant($0.usedAt) },
        ])
}
