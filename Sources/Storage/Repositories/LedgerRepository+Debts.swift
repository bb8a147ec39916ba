package import Circulation

extension LedgerRepository {
    /// Patrons who owe at least so much, in minor units, those who owe most first, then by username.
    ///
    /// - Parameters:
    ///   - least: 1 at least: who owes nothing is no debtor.
    ///   - category: only patrons of it.
    package func debts(
        least: Int64 = 1, category: String? = nil, _ part: ListPart = .all
    ) throws(StoreError) -> [(patron: Int64, owed: Int64)] {
        let (debts, values) = Self.debts(least: least, category: category)
        let text = "SELECT patron, owed FROM (\(debts)) AS debts ORDER BY owed DESC, patron LIMIT ? OFFSET ?"
        return try transaction.all(Query(once: text), values + part.values) { row in (row.integer(), row.integer()) }
    }

    /// How many patrons owe something, and what all of them owe, in minor units.
    ///
    /// - Throws: ``StoreError/Code/fault`` if the sum leaves 64 bits.
    package func debtTotal(category: String? = nil) throws(StoreError) -> (patrons: Int64, owed: Int64) {
        let (debts, values) = Self.debts(least: 1, category: category)
        let text = "SELECT COUNT(*), CAST(SUM(owed) AS {integer}) FROM (\(debts)) AS debts"
        return try transaction.first(Query(once: text), values) { row in (row.integer(), row.integer()) } ?? (0, 0)
    }

    /// Of the columns `patron` and `owed`. Balances are read from an index that has the amounts, and of patrons nothing but the
    /// category where one is asked for: a removed patron has no lines any more.
    private static func debts(least: Int64, category: String?) -> (text: String, values: [StoredValue]) {
        let ofCategory =
            "AND EXISTS (SELECT 1 FROM patrons WHERE patrons.id = balances.patron AND patrons.category = ?)"
        let text = """
            SELECT balances.patron AS patron, balances.owed AS owed
            FROM (SELECT ledger.patron AS patron, CAST(SUM(ledger.amount) AS {integer}) AS owed
                FROM ledger WHERE ledger.patron IS NOT NULL GROUP BY ledger.patron) AS balances
            WHERE balances.owed >= ? \(category == nil ? "" : ofCategory)
            """
        return (text, [.integer(max(1, least))] + (category.map { [.text($0)] } ?? []))
    }
}
