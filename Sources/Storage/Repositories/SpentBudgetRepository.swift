package import Circulation

/// When budgets of tries will be full again out of which something was taken. They stand outside of the events.
package struct SpentBudgetRepository {
    let transaction: Transaction

    private static let end = Query("SELECT full_at FROM spent_budgets WHERE budget = ?")
    private static let setting = Query(
        """
        INSERT INTO spent_budgets (id, budget, full_at) VALUES ({id spent_budgets}, ?, ?)
        ON CONFLICT (budget) DO UPDATE SET full_at = excluded.full_at
        """)
    private static let clearing = Query("DELETE FROM spent_budgets WHERE full_at <= ?")

    /// When a budget will be full again; nil: it is.
    package func end(of budget: Int64) throws(StoreError) -> Instant? {
        try transaction.first(Self.end, [.integer(budget)]) { row in row.instant() }
    }

    /// Writes down when a budget will be full again, and lets go of those that are.
    package func set(end: Instant, of budget: Int64, now: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(now)])
        _ = try transaction.insert(Self.setting, [.id(0), .integer(budget), .instant(end)])
    }
}
