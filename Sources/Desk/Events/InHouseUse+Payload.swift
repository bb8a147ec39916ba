import Circulation
import TextFormats

extension EventPayload {
    func inHouseUse() throws -> InHouseUse {
        InHouseUse(
            id: try integer("id"), copy: try optionalInteger("copy"), title: try optionalInteger("title"),
            itemType: try optionalText("item_type"), branch: try optionalText("branch"),
            usedAt: try instant("used_at"))
    }
}

extension JSONWriter {
    mutating func members(of use: InHouseUse) {
        member("id", use.id)
        member("copy", use.copy)
        member("title", use.title)
        member("item_type", use.itemType)
        member("branch", use.branch)
        member("used_at", use.usedAt)
    }
}
