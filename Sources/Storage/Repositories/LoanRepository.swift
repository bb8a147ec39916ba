package import Circulation

/// Loans, open and past. A loan is open while it has a copy and has not been returned.
package struct LoanRepository {
    let transaction: Transaction

    static let columns = """
        loans.id, loans.copy, loans.title, loans.patron, loans.category, loans.home_branch, loans.item_type, \
        loans.branch, loans.lent_at, loans.due_at, loans.due_on, loans.due_exact, loans.original_due_at, \
        loans.returned_at, loans.renewals, loans.unseen_renewals, loans.renewed_at, loans.recalled_at, \
        loans.lost_at, loans.claimed_at, loans.on_site, loans.channel, loans.policy, loans.import_key
        """

    private static let byID = Query("SELECT \(columns) FROM loans WHERE id = ?")
    private static let openOfCopy = Query("SELECT \(columns) FROM loans WHERE copy = ? AND returned_at IS NULL")
    private static let openOfPatron = Query(
        "SELECT \(columns) FROM loans WHERE patron = ? AND returned_at IS NULL AND copy IS NOT NULL ORDER BY id")
    private static let byImportKey = Query("SELECT \(columns) FROM loans WHERE import_key = ?")
    private static let counted = Query("SELECT COUNT(*) FROM loans")
    private static let openCounted = Query(
        "SELECT COUNT(*) FROM loans WHERE returned_at IS NULL AND copy IS NOT NULL")
    private static let overdueCounted = Query(
        """
        SELECT COUNT(*) FROM (SELECT 1 FROM loans WHERE patron = ? AND returned_at IS NULL AND due_at < ? LIMIT ?)
            AS overdue
        """)
    private static let openOfTitle = Query(
        "SELECT COUNT(*) FROM loans WHERE title = ? AND returned_at IS NULL AND copy IS NOT NULL")

    private static let openOfTitleByDue = Query(
        """
        SELECT \(columns) FROM loans WHERE title = ? AND returned_at IS NULL AND copy IS NOT NULL
        ORDER BY due_at, id
        """)

    private static let latestOfTitle = Query(
        "SELECT \(columns) FROM loans WHERE title = ? ORDER BY lent_at DESC, id DESC LIMIT 1")

    package func get(_ id: Int64) throws(StoreError) -> Loan? { try first(Self.byID, [.integer(id)]) }

    /// The loan of the copy that is open; there is one at most.
    package func open(copy: Int64) throws(StoreError) -> Loan? { try first(Self.openOfCopy, [.integer(copy)]) }

    /// The patron's open loans, the oldest first.
    package func open(patron: Int64) throws(StoreError) -> [Loan] {
        try transaction.all(Self.openOfPatron, [.integer(patron)]) { row throws(StoreError) in try Self.loan(&row) }
    }

    /// The title's open loans, the one due next first.
    package func open(title: Int64) throws(StoreError) -> [Loan] {
        try transaction.all(Self.openOfTitleByDue, [.integer(title)]) { row throws(StoreError) in try Self.loan(&row) }
    }

    /// The title's loan that was made last, open or not.
    package func latest(title: Int64) throws(StoreError) -> Loan? { try first(Self.latestOfTitle, [.integer(title)]) }

    /// The loan that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Loan? {
        try first(Self.byImportKey, [.text(importKey)])
    }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    package func openCount() throws(StoreError) -> Int64 { try transaction.number(Self.openCounted) }

    /// How many loans of a patron's are overdue at a moment, counted no further than a number.
    package func overdueCount(patron: Int64, at now: Instant, upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.overdueCounted, [.integer(patron), .instant(now), .integer(most)])
    }

    package func openCount(title: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.openOfTitle, [.integer(title)])
    }

    private func first(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> Loan? {
        try transaction.first(query, values) { row throws(StoreError) in try Self.loan(&row) }
    }

    static func loan(_ row: inout RowReader) throws(StoreError) -> Loan {
        Loan(
            id: row.integer(), copy: row.optionalInteger(), title: row.optionalInteger(),
            patron: row.optionalInteger(), category: row.optionalText(), homeBranch: row.optionalText(),
            itemType: row.optionalText(), branch: row.optionalText(), lentAt: row.instant(), due: try due(&row),
            originalDueAt: row.optionalInstant(), returnedAt: row.optionalInstant(), renewals: row.integer(),
            unseenRenewals: row.integer(), renewedAt: row.optionalInstant(), recalledAt: row.optionalInstant(),
            lostAt: row.optionalInstant(), claimedAt: row.optionalInstant(), onSite: row.flag(),
            channel: try row.optionalChoice(), policy: row.optionalText(),
            importKey: row.optionalText())
    }

    private static func due(_ row: inout RowReader) throws(StoreError) -> DueTime? {
        let instant = row.optionalInstant()
        let date = try row.optionalDate()
        let isExact = row.flag()
        guard let instant, let date else { return nil }
        return DueTime(instant: instant, date: date, isExact: isExact)
    }
}
