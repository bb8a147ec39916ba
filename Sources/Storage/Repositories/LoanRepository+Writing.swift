package import Circulation

extension LoanRepository {
    // These touch only the indexes that they must.
    private static let returning = Query(
        """
        UPDATE loans SET returned_at = ? WHERE id = ? AND returned_at IS NULL
        RETURNING branch, category, item_type, title
        """)
    private static let stop = table.change(\.lostAt, \.claimedAt)
    private static let toldChange = table.change(\.noticesSentUntil)
    private static let dueChange = table.change(
        \.due, \.renewals, \.unseenRenewals, \.renewedAt, \.recalledAt, \.policy)

    /// Adds a loan unless its import key, or its id, is taken, or its copy has an open loan already.
    ///
    /// - Returns: nil if nothing was added.
    package func insertIfNew(_ loan: Loan) throws(StoreError) -> Int64? {
        guard let id = try Self.table.insertIfNew(loan, in: transaction) else { return nil }
        try transaction.counters.add(loan.movements())
        return id
    }

    /// Adds a loan, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if its id or import key is taken, or its copy has an open loan already.
    @discardableResult
    package func insert(_ loan: Loan) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(loan, in: transaction)
        try transaction.counters.add(loan.movements())
        return id
    }

    /// The id that the next loan is given.
    package static let nextID = BoundQuery(Query("{nextLoan}"))

    /// Adds a new loan of a copy that has no open one, under a new id. If the copy has one, the transaction fails, at the
    /// latest with its commit.
    package func lend(_ loan: Loan) throws(StoreError) -> Int64 {
        guard loan.id == 0, try transaction.connection().canPrefetch else { return try insert(loan) }
        var loan = loan
        loan.id = try transaction.number(Self.nextID.query)
        try Self.table.post(loan, in: transaction)
        try transaction.counters.add(loan.movements())
        return loan.id
    }

    /// Replaces all of a loan.
    ///
    /// - Returns: false if there is none of that id.
    @discardableResult
    package func update(_ loan: Loan) throws(StoreError) -> Bool {
        try recounting(loan.id) { () throws(StoreError) in try Self.table.update(loan, in: transaction) }
    }

    /// Writes what a renewal, a recall or a new due date changes: due time, renewals, unseen renewals, renewed at,
    /// recalled at and policy. Of the rest of `loan` only the import key is looked at: an imported loan has renewals that
    /// are counted by no event.
    @discardableResult
    package func updateDue(_ loan: Loan) throws(StoreError) -> Bool {
        guard loan.importKey != nil else { return try Self.dueChange.write(loan, in: transaction) }
        return try recounting(loan.id) { () throws(StoreError) in try Self.dueChange.write(loan, in: transaction) }
    }

    /// Writes when the copy was declared lost and when it was claimed to be returned. The rest of `loan` is not looked
    /// at.
    @discardableResult
    package func updateStop(_ loan: Loan) throws(StoreError) -> Bool { try Self.stop.write(loan, in: transaction) }

    /// Writes up to when all that was to be said of it is said. The rest of `loan` is not looked at.
    @discardableResult
    package func updateTold(_ loan: Loan) throws(StoreError) -> Bool {
        try Self.toldChange.write(loan, in: transaction)
    }

    /// Ends an open loan.
    ///
    /// - Returns: false if the loan does not exist or it was returned before.
    @discardableResult
    package func setReturned(_ id: Int64, at: Instant) throws(StoreError) -> Bool {
        let ended = try transaction.all(Self.returning, [.instant(at), .integer(id)]) { row in
            Movement.Facts(
                branch: row.optionalText(), category: row.optionalText(), itemType: row.optionalText(),
                title: row.optionalInteger())
        }
        try transaction.counters.add(ended.map { Movement(measure: .returns, at: at, facts: $0) })
        return !ended.isEmpty
    }

    /// Makes a change after which the loan is counted otherwise.
    private func recounting(_ id: Int64, _ change: () throws(StoreError) -> Bool) throws(StoreError) -> Bool {
        guard transaction.derived.hasCounters, let before = try get(id) else { return try change() }
        guard try change(), let after = try get(id) else { return false }
        let renewed = try transaction.events.renewals(of: id)
        try transaction.counters.add(
            before.movements(renewed: renewed).map(\.reversed) + after.movements(renewed: renewed))
        return true
    }
}
