package import Circulation

/// Titles that people ask the library for.
package struct SuggestionRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Suggestion>()
    private static let byImportKey = Query("SELECT \(columns) FROM suggestions WHERE import_key = ?")
    private static let ofPatron = Query("SELECT \(columns) FROM suggestions WHERE patron = ? ORDER BY id")
    private static let blanking = Query("UPDATE suggestions SET note = '' WHERE patron = ?")

    /// The suggestion that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Suggestion? {
        try all(Self.byImportKey, [.text(importKey)]).first
    }

    /// A patron's suggestions, the oldest first.
    package func of(patron: Int64) throws(StoreError) -> [Suggestion] { try all(Self.ofPatron, [.integer(patron)]) }

    /// How many suggestions await a decision, counted up to a limit.
    package func reviewCount(upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.reviewCounted, [.integer(most)])
    }

    private static let reviewCounted = Query(
        "SELECT COUNT(*) FROM (SELECT 1 FROM suggestions WHERE state = 'review' LIMIT ?) AS waiting")

    /// Suggestions by id; those of one state or one patron where they are given.
    package func list(
        state: Suggestion.State?, patron: Int64?, _ part: ListPart
    ) throws(StoreError) -> [Suggestion] {
        var conditions: [String] = []
        var values: [StoredValue] = []
        if let state {
            conditions.append("state = ?")
            values.append(.choice(state))
        }
        if let patron {
            conditions.append("patron = ?")
            values.append(.integer(patron))
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let text = "SELECT \(Self.columns) FROM suggestions\(condition) ORDER BY id LIMIT ? OFFSET ?"
        return try all(Query(once: text), values + part.values)
    }

    /// Takes the proposer's own words out of all their suggestions: what stands outside the events.
    package func forgetNotes(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.blanking, [.integer(patron)])
    }
}
