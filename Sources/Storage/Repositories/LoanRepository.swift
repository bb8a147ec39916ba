package import Circulation

/// Loans, open and past. A loan is open while it has a copy and has not been returned.
package struct LoanRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Loan>()
    // In the words of the index that holds a copy to one open loan.
    private static let openOfCopy = Query(
        "SELECT \(columns) FROM loans WHERE copy = ? AND (CASE WHEN returned_at IS NULL THEN 0 ELSE id END) = 0")
    private static let openOfPatron = Query(
        "SELECT \(columns) FROM loans WHERE patron = ? AND returned_at IS NULL AND copy IS NOT NULL ORDER BY id")
    private static let partOfPatron = Query(openOfPatron.text + " LIMIT ? OFFSET ?")
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

    /// The loan of the copy that is open; there is one at most.
    package func open(copy: Int64) throws(StoreError) -> Loan? { try first(Self.openOfCopy, [.integer(copy)]) }

    /// The patron's open loans, the oldest first.
    package func open(patron: Int64) throws(StoreError) -> [Loan] {
        try all(Self.openOfPatron, [.integer(patron)])
    }

    /// A part of the patron's open loans, the oldest first.
    package func open(patron: Int64, _ part: ListPart) throws(StoreError) -> [Loan] {
        try all(Self.partOfPatron, [.integer(patron)] + part.values)
    }

    /// The title's open loans, the one due next first.
    package func open(title: Int64) throws(StoreError) -> [Loan] {
        try all(Self.openOfTitleByDue, [.integer(title)])
    }

    /// The title's loan that was made last, open or not.
    package func latest(title: Int64) throws(StoreError) -> Loan? { try first(Self.latestOfTitle, [.integer(title)]) }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    package func openCount() throws(StoreError) -> Int64 { try transaction.number(Self.openCounted) }

    /// How many loans of a patron's are overdue at a moment, counted no further than a number.
    package func overdueCount(patron: Int64, at now: Instant, upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.overdueCounted, [.integer(patron), .instant(now), .integer(most)])
    }

    package func openCount(title: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.openOfTitle, [.integer(title)])
    }
}
