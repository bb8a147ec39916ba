import Circulation
import TextFormats

// What the library's settings look like in a payload. Records are written by their declarations.

extension JSONWriter {
    mutating func members(of library: LibrarySettings) {
        member("name", library.name)
        member("zone", library.zone.identifier)
        member("currency", library.currency.code)
    }

    mutating func members(of branch: Branch) {
        member("code", branch.code)
        member("name", branch.name)
        member("parent", branch.parent)
        member("zone", branch.zone?.identifier)
        key("calendar")
        value(branch.calendar.json)
    }

    mutating func members(of category: Category) {
        member("code", category.code)
        member("name", category.name)
        member("parent", category.parent)
    }

    mutating func members(of itemType: ItemType) {
        member("code", itemType.code)
        member("name", itemType.name)
        member("parent", itemType.parent)
    }
}
