package import Circulation

/// The rows of one kind of what a library declares under codes, in the order in which they were added.
package struct CodeRows<Entry: DeclaredCode>: Sendable {
    fileprivate let table: RecordTable<Entry>
    fileprivate let all: Query
    fileprivate let insertion: Query

    fileprivate init() {
        table = RecordTable()
        let columns = table.columnNames.joined(separator: ", ")
        let values = table.columnNames.map { _ in "?" }.joined(separator: ", ")
        all = Query("SELECT \(table.columns) FROM \(table.name) ORDER BY position, code")
        insertion = Query(
            """
            INSERT INTO \(table.name) (\(columns), position)
            VALUES (\(values), (SELECT COALESCE(MAX(position), 0) + 1 FROM \(table.name)))
            """)
    }
}

/// What a library declares under codes, with its rows.
package protocol StoredCode: DeclaredCode {
    static var rows: CodeRows<Self> { get }
}

extension Branch: StoredCode { package static let rows = CodeRows<Branch>() }
extension Category: StoredCode { package static let rows = CodeRows<Category>() }
extension ItemType: StoredCode { package static let rows = CodeRows<ItemType>() }
extension ShelvingLocation: StoredCode { package static let rows = CodeRows<ShelvingLocation>() }

extension SettingsRepository {
    /// All kinds of what a library declares under codes.
    package static let kinds: [any StoredCode.Type] = [
        Branch.self, Category.self, ItemType.self, ShelvingLocation.self,
    ]
}

// Branches, categories of patrons, types of items and locations.
extension SettingsRepository {
    /// In the order in which they were added: the first is where requests without one are made.
    package func branches() throws(StoreError) -> [Branch] { try all() }
    /// The categories of patrons, by their codes.
    package func categories() throws(StoreError) -> [Category] { try all() }
    /// The types of items, by their codes.
    package func itemTypes() throws(StoreError) -> [ItemType] { try all() }
    /// The shelving locations that have names.
    package func locations() throws(StoreError) -> [ShelvingLocation] { try all() }

    /// The branch of a code.
    package func branch(_ code: String) throws(StoreError) -> Branch? {
        try transaction.first(Branch.rows.table.byKey, [.text(code)], Branch.rows.table.read)
    }

    /// All of a kind, in the order in which they were added.
    package func all<Entry: StoredCode>(_ type: Entry.Type = Entry.self) throws(StoreError) -> [Entry] {
        try transaction.all(Entry.rows.all, [], Entry.rows.table.read)
    }

    /// - Throws: ``StoreError/Code/constraint`` if the code is taken or there is no such parent.
    package func insert<Entry: StoredCode>(_ entry: Entry) throws(StoreError) {
        try transaction.execute(Entry.rows.insertion, Entry.rows.table.values(entry))
        try changed()
    }

    /// - Returns: false if there is none of that code.
    @discardableResult
    package func update<Entry: StoredCode>(_ entry: Entry) throws(StoreError) -> Bool {
        let isThere = try Entry.rows.table.update(entry, in: transaction)
        try changed()
        return isThere
    }

    /// - Returns: false if there is none of that code.
    /// - Throws: ``StoreError/Code/constraint`` while a copy, a patron or another of its kind refers to it.
    @discardableResult
    package func remove<Entry: StoredCode>(_ type: Entry.Type, _ code: String) throws(StoreError) -> Bool {
        let changes = try transaction.execute(Entry.rows.table.removal, [.text(code)])
        try changed()
        return changes == 1
    }
}
