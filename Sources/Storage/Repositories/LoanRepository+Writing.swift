package import Circulation

extension LoanRepository {
    // These touch only the indexes that they must.
    private static let returning = Query("UPDATE loans SET returned_at = ? WHERE id = ? AND returned_at IS NULL")
    private static let stop = table.change(\.lostAt, \.claimedAt)
    private static let dueChange = table.change(
        \.due, \.renewals, \.unseenRenewals, \.renewedAt, \.recalledAt, \.policy)

    /// Adds a loan unless its import key, or its id, is taken, or its copy has an open loan already.
    ///
    /// - Returns: nil if nothing was added.
    package func insertIfNew(_ loan: Loan) throws(StoreError) -> Int64? {
        try Self.table.insertIfNew(loan, in: transaction)
    }

    /// Writes what a renewal, a recall or a new due date changes: due time, renewals, unseen renewals, renewed at,
    /// recalled at and policy. The rest of `loan` is not looked at.
    @discardableResult
    package func updateDue(_ loan: Loan) throws(StoreError) -> Bool {
        try Self.dueChange.write(loan, in: transaction)
    }

    /// Writes when the copy was declared lost and when it was claimed to be returned. The rest of `loan` is not looked
    /// at.
    @discardableResult
    package func updateStop(_ loan: Loan) throws(StoreError) -> Bool { try Self.stop.write(loan, in: transaction) }

    /// Ends an open loan.
    ///
    /// - Returns: false if the loan does not exist or it was returned before.
    @discardableResult
    package func setReturned(_ id: Int64, at: Instant) throws(StoreError) -> Bool {
        try transaction.execute(Self.returning, [.instant(at), .integer(id)]) == 1
    }
}
