package import Circulation

/// The lists that patrons make. With a list go its titles.
package struct TitleListRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<TitleList>()
    private static let ofPatron = Query("SELECT \(columns) FROM title_lists WHERE patron = ? ORDER BY id LIMIT ?")

    private static let withTitle = Query(
        """
        SELECT \(columns) FROM title_lists WHERE patron = ? AND EXISTS (
            SELECT 1 FROM listed_titles AS held WHERE held.list = title_lists.id AND held.title = ?)
        ORDER BY id LIMIT ?
        """)

    private static let ofAll = Query(
        "SELECT \(columns) FROM title_lists WHERE is_public = 1 ORDER BY id DESC LIMIT ? OFFSET ?")
    // The index has no lists without a key, which SQLite has to be told.
    private static let byKey = Query(
        "SELECT \(columns) FROM title_lists WHERE link_key IS NOT NULL AND link_key = ?")

    private static let ofAllBefore = Query(
        "SELECT \(columns) FROM title_lists WHERE is_public = 1 AND id < ? ORDER BY id DESC LIMIT ?")
    private static let takenDown = Query(
        "SELECT \(columns) FROM title_lists WHERE taken_down_at IS NOT NULL ORDER BY id DESC LIMIT ? OFFSET ?")

    /// The lists that everyone may see with smaller ids than one, the latest first.
    package func ofAll(before id: Int64, limit: Int64) throws(StoreError) -> [TitleList] {
        try all(Self.ofAllBefore, [.integer(id), .integer(limit)])
    }

    /// The lists that staff took down, the latest first.
    package func takenDown(_ part: ListPart) throws(StoreError) -> [TitleList] {
        try all(Self.takenDown, part.values)
    }

    /// The lists that everyone may see, the latest first.
    package func ofAll(_ part: ListPart) throws(StoreError) -> [TitleList] { try all(Self.ofAll, part.values) }

    /// The list that is shared by a link with this key in it.
    package func find(linkKey: String) throws(StoreError) -> TitleList? { try first(Self.byKey, [.text(linkKey)]) }

    /// A patron's lists in the order in which they were made.
    package func of(patron: Int64, limit: Int64) throws(StoreError) -> [TitleList] {
        try all(Self.ofPatron, [.integer(patron), .integer(limit)])
    }

    /// Those of a patron's lists that hold a title.
    package func holding(_ title: Int64, of patron: Int64, limit: Int64) throws(StoreError) -> [TitleList] {
        try all(Self.withTitle, [.integer(patron), .integer(title), .integer(limit)])
    }
}

/// The titles of lists.
package struct ListedTitleRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<ListedTitle>()
    private static let ofList = Query(
        "SELECT \(columns) FROM listed_titles WHERE list = ? ORDER BY id LIMIT ? OFFSET ?")
    private static let one = Query("SELECT \(columns) FROM listed_titles WHERE list = ? AND title = ?")
    private static let counted = Query("SELECT COUNT(*) FROM listed_titles WHERE list = ?")

    /// The titles of a list in the order in which they were added.
    package func of(list: Int64, _ part: ListPart) throws(StoreError) -> [ListedTitle] {
        try all(Self.ofList, [.integer(list)] + part.values)
    }

    /// What a list says of a title; nil: it is not on it.
    package func find(list: Int64, title: Int64) throws(StoreError) -> ListedTitle? {
        try first(Self.one, [.integer(list), .integer(title)])
    }

    /// How many titles a list has.
    package func count(list: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.counted, [.integer(list)])
    }
}
