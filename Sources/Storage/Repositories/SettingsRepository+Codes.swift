package import Circulation

// Categories of patrons and types of items.
extension SettingsRepository {
    private static let allCategories = Query(
        "SELECT code, name, parent FROM categories ORDER BY position, code")
    private static let category = Query("SELECT code, name, parent FROM categories WHERE code = ?")
    private static let categoryInsertion = Query(
        """
        INSERT INTO categories (code, position, name, parent)
        VALUES (?, (SELECT COALESCE(MAX(position), 0) + 1 FROM categories), ?, ?)
        """)
    private static let categoryChange = Query("UPDATE categories SET name = ?, parent = ? WHERE code = ?")
    private static let categoryRemoval = Query("DELETE FROM categories WHERE code = ?")

    /// The categories in the order in which they were added.
    package func categories() throws(StoreError) -> [Category] {
        try transaction.all(Self.allCategories) { row in
            Category(code: row.text(), name: row.text(), parent: row.optionalText())
        }
    }

    package func category(_ code: String) throws(StoreError) -> Category? {
        try transaction.first(Self.category, [.text(code)]) { row in
            Category(code: row.text(), name: row.text(), parent: row.optionalText())
        }
    }

    /// - Throws: ``StoreError/Code/constraint`` if the code is taken.
    package func insert(_ category: Category) throws(StoreError) {
        try transaction.execute(
            Self.categoryInsertion, [.text(category.code), .text(category.name), .optional(category.parent)])
        try changed()
    }

    /// - Returns: false if the category does not exist.
    @discardableResult
    package func update(_ category: Category) throws(StoreError) -> Bool {
        let changes = try transaction.execute(
            Self.categoryChange, [.text(category.name), .optional(category.parent), .text(category.code)])
        try changed()
        return changes == 1
    }

    /// - Throws: ``StoreError/Code/constraint`` while a patron has it or another category refers to it.
    @discardableResult
    package func removeCategory(_ code: String) throws(StoreError) -> Bool {
        let changes = try transaction.execute(Self.categoryRemoval, [.text(code)])
        try changed()
        return changes == 1
    }

    private static let allItemTypes = Query("SELECT code, name, parent FROM item_types ORDER BY position, code")
    private static let itemType = Query("SELECT code, name, parent FROM item_types WHERE code = ?")
    private static let itemTypeInsertion = Query(
        """
        INSERT INTO item_types (code, position, name, parent)
        VALUES (?, (SELECT COALESCE(MAX(position), 0) + 1 FROM item_types), ?, ?)
        """)
    private static let itemTypeChange = Query("UPDATE item_types SET name = ?, parent = ? WHERE code = ?")
    private static let itemTypeRemoval = Query("DELETE FROM item_types WHERE code = ?")

    /// The item types in the order in which they were added.
    package func itemTypes() throws(StoreError) -> [ItemType] {
        try transaction.all(Self.allItemTypes) { row in
            ItemType(code: row.text(), name: row.text(), parent: row.optionalText())
        }
    }

    package func itemType(_ code: String) throws(StoreError) -> ItemType? {
        try transaction.first(Self.itemType, [.text(code)]) { row in
            ItemType(code: row.text(), name: row.text(), parent: row.optionalText())
        }
    }

    /// - Throws: ``StoreError/Code/constraint`` if the code is taken or there is no such parent.
    package func insert(_ itemType: ItemType) throws(StoreError) {
        try transaction.execute(
            Self.itemTypeInsertion, [.text(itemType.code), .text(itemType.name), .optional(itemType.parent)])
        try changed()
    }

    /// - Returns: false if the item type does not exist.
    @discardableResult
    package func update(_ itemType: ItemType) throws(StoreError) -> Bool {
        let changes = try transaction.execute(
            Self.itemTypeChange, [.text(itemType.name), .optional(itemType.parent), .text(itemType.code)])
        try changed()
        return changes == 1
    }

    /// - Throws: ``StoreError/Code/constraint`` while a copy or another type refers to it.
    @discardableResult
    package func removeItemType(_ code: String) throws(StoreError) -> Bool {
        let changes = try transaction.execute(Self.itemTypeRemoval, [.text(code)])
        try changed()
        return changes == 1
    }
}
