import Circulation

/// How much belongs to a patron, past loans and holds too.
package struct PatronBelongings: Hashable, Sendable {
    package var loans: Int64
    package var holds: Int64
    package var entries: Int64
    package var notices: Int64
    package var blocks: Int64
}

extension PatronRepository {
    private static let tables = ["loans", "holds", "ledger", "notices", "blocks"]
    // Whatever refers to a patron stays with the person if two records become one, but the words by which one is found.
    private static let moves = Schema.references(to: "patrons").filter { $0.table != "patron_words" }
        .map { Query("UPDATE \($0.table) SET \($0.column) = ? WHERE \($0.column) = ?") }
    private static let counts = Query(
        "SELECT " + tables.map { "(SELECT COUNT(*) FROM \($0) WHERE patron = ?)" }.joined(separator: ", "))

    /// Counts what belongs to a patron.
    package func belongings(of patron: Int64) throws(StoreError) -> PatronBelongings {
        let values = Array(repeating: StoredValue.integer(patron), count: Self.tables.count)
        let counts = try transaction.first(Self.counts, values) { row in
            PatronBelongings(
                loans: row.integer(), holds: row.integer(), entries: row.integer(), notices: row.integer(),
                blocks: row.integer())
        }
        return counts ?? PatronBelongings(loans: 0, holds: 0, entries: 0, notices: 0, blocks: 0)
    }

    /// Gives another patron all that belongs to one: loans and holds, past ones too, ledger lines, notices, blocks, and
    /// whatever else has a column that refers to patrons.
    /// What they are called by, the keys of notices and lines, stays as it is.
    package func moveBelongings(of patron: Int64, to other: Int64) throws(StoreError) {
        for query in Self.moves {
            try transaction.execute(query, [.integer(other), .integer(patron)])
        }
    }
}

extension LedgerRepository {
    private static let keyChange = Query("UPDATE ledger SET entry_key = ? WHERE id = ?")

    /// Gives a line another key, unless another line has it.
    ///
    /// - Returns: whether it has that key now.
    @discardableResult
    package func setKey(_ key: String, of id: Int64) throws(StoreError) -> Bool {
        if let taken = try find(key: key) { return taken.id == id }
        return try transaction.execute(Self.keyChange, [.text(key), .integer(id)]) == 1
    }
}

extension NoticeRepository {
    private static let sameNotice = Query(
        """
        SELECT id FROM notices
        WHERE subject_key = ? AND kind = ? AND stage = ? AND repetition = ?
            AND COALESCE(due_at, -9223372036854775807) = COALESCE(CAST(? AS {integer}), -9223372036854775807)
        """)
    private static let keyChange = Query("UPDATE notices SET subject_key = ? WHERE id = ?")

    /// Gives a notice another subject key, unless another notice of that key is about the same.
    ///
    /// - Returns: whether it has that key now.
    @discardableResult
    package func setSubjectKey(_ key: String, of id: Int64) throws(StoreError) -> Bool {
        guard let notice = try get(id) else { return false }
        let taken = try transaction.first(
            Self.sameNotice,
            [
                .text(key), .text(notice.kind), .text(notice.stage), .integer(notice.repetition),
                .optional(notice.dueAt),
            ]
        ) { row in row.integer() }
        if let taken { return taken == id }
        return try transaction.execute(Self.keyChange, [.text(key), .integer(id)]) == 1
    }
}
