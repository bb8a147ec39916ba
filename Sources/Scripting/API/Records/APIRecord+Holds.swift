import Circulation
import Desk
import LuaRuntime

extension APIRecord<QueuedHold> {
    static let hold = APIRecord(
        "hold", "A patron's claim on a title, or on one copy of it.",
        APIRecord.declared { $0.hold } + [
            maybe("position", .count, "the place among those that wait, 1 being the first") { .whole($0.position) }
        ])
}

extension APIRecord<PullItem> {
    static let pullItem = APIRecord(
        "pull_item", "A copy to be fetched from the open shelves for a hold.",
        [
            always("barcode", .text, "") { .string($0.copy.barcode) },
            always("branch", .text, "where the copy stands") { .string($0.copy.branch) },
            maybe("location", .text, "the code of where it stands in its branch") { .text($0.copy.location) },
            maybe("call_number", .text, "the mark by which it stands there") { .text($0.copy.callNumber) },
            always("item_type", .text, "") { .string($0.copy.itemType) },
            always("title", .id, "the title's id") { .integer($0.title.id) },
            always("name", .text, "the title's name") { .string($0.title.title) },
            always("authors", .list(.text), "the title's authors") { .texts($0.title.authors) },
            always("hold", .id, "the hold it is for") { .integer($0.hold.id) },
            always("pickup_branch", .text, "where it is wanted") { .string($0.hold.pickupBranch) },
            always("placed_at", .instant, "") { .instant($0.hold.placedAt) },
        ])
}

extension APIRecord<InHouseUse> {
    static let inHouseUse = APIRecord("in_house_use", "A use of a copy in the house.")
}
