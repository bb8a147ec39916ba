package import Circulation

/// Titles that people ask the library for.
package struct SuggestionRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Suggestion>()
    private static let ofPatron = Query("SELECT \(columns) FROM suggestions WHERE patron = ? ORDER BY id")
    private static let blanking = Query("UPDATE suggestions SET note = '' WHERE patron = ?")

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
        var conditions = Conditions()
        conditions.add("state = ?", state.map { .choice($0) })
        conditions.add("patron = ?", patron.map { .integer($0) })
        return try list(conditions, by: "id", part)
    }

    /// Takes the proposer's own words out of all their suggestions: what stands outside the events.
    package func forgetNotes(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.blanking, [.integer(patron)])
    }
}
