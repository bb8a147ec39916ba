package import Circulation
import Storage

extension SettingsService {
    package func itemTypes() throws -> [ItemType] {
        try session.settingsSnapshot().itemTypes
    }

    package func itemType(_ code: String) throws -> ItemType? {
        try itemTypes().first { $0.code == code }
    }

    /// Refused with `exists`, `unknown_item_type` (the parent) or `cycle`.
    package func addItemType(_ itemType: ItemType) throws -> Outcome<ItemType> {
        try session.request("item_types.add") {
            try Self.check(code: itemType.code)
            guard try self.itemType(itemType.code) == nil else { throw Self.exists("item type", itemType.code) }
            try checkParent(of: itemType)
            try session.record(.itemTypeAdded(itemType))
            return itemType
        }
    }

    package func updateItemType(
        _ code: String, _ change: (inout ItemType) throws -> Void
    ) throws -> Outcome<ItemType> {
        try session.request("item_types.update") {
            var itemType = try known(itemType: code)
            let before = itemType
            try change(&itemType)
            itemType.code = code
            try checkParent(of: itemType)
            if itemType != before { try session.record(.itemTypeUpdated(itemType)) }
            return itemType
        }
    }

    /// Refused with `in_use` while a copy is of that type, or a type has it as its parent.
    package func removeItemType(_ code: String) throws -> Outcome<ItemType> {
        try session.request("item_types.remove") {
            let itemType = try known(itemType: code)
            try unlessReferred("item type", code) { try session.record(.itemTypeRemoved(code: code)) }
            return itemType
        }
    }

    /// A type that were its own ancestor would meet every condition of its ring, and never end.
    func checkParent(of itemType: ItemType) throws {
        guard let parent = itemType.parent else { return }
        let itself = parent == itemType.code
        if !itself { _ = try known(itemType: parent) }
        if try itself || session.settingsSnapshot().itemTypes(from: parent).contains(itemType.code) {
            throw Refused("cycle", "\"\(itemType.code)\" would be its own ancestor by way of \"\(parent)\".")
        }
    }
}
