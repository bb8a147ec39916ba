package import Circulation

extension LoanRepository {
    private static let insertion = Query(
        """
        INSERT INTO loans (id, copy, title, patron, category, home_branch, item_type, branch, lent_at, due_at, due_on,
            due_exact, original_due_at, returned_at, renewals, unseen_renewals, renewed_at, recalled_at,
            lost_at, claimed_at, on_site, channel, policy, import_key)
        VALUES ({id loans}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let importInsertion = Query(insertion.text + " ON CONFLICT DO NOTHING")
    private static let change = Query(
        """
        UPDATE loans SET copy = ?, title = ?, patron = ?, category = ?, home_branch = ?, item_type = ?, branch = ?,
            lent_at = ?, due_at = ?, due_on = ?, due_exact = ?, original_due_at = ?, returned_at = ?, renewals = ?,
            unseen_renewals = ?, renewed_at = ?, recalled_at = ?, lost_at = ?, claimed_at = ?, on_site = ?, channel = ?,
            policy = ?, import_key = ?
        WHERE id = ?
        """)
    // These touch only the indexes that they must.
    private static let returning = Query("UPDATE loans SET returned_at = ? WHERE id = ? AND returned_at IS NULL")
    private static let stopping = Query("UPDATE loans SET lost_at = ?, claimed_at = ? WHERE id = ?")
    private static let dueChange = Query(
        """
        UPDATE loans SET due_at = ?, due_on = ?, due_exact = ?, renewals = ?, unseen_renewals = ?, renewed_at = ?,
            recalled_at = ?, policy = ?
        WHERE id = ?
        """)

    /// Adds a loan, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if the copy has an open loan already, the import key is taken, or
    ///   copy, title or patron do not exist.
    @discardableResult
    package func insert(_ loan: Loan) throws(StoreError) -> Int64 {
        guard let id = try transaction.insert(Self.insertion, [.id(loan.id)] + Self.values(loan)) else {
            throw .fault("a loan was not inserted")
        }
        return id
    }

    /// Adds a loan unless its import key, or its id, is taken, or its copy has an open loan already.
    ///
    /// - Returns: nil if nothing was added.
    package func insertIfNew(_ loan: Loan) throws(StoreError) -> Int64? {
        try transaction.insert(Self.importInsertion, [.id(loan.id)] + Self.values(loan))
    }

    /// Replaces all of a loan.
    ///
    /// - Returns: false if no loan has that id.
    @discardableResult
    package func update(_ loan: Loan) throws(StoreError) -> Bool {
        try transaction.execute(Self.change, Self.values(loan) + [.integer(loan.id)]) == 1
    }

    /// Writes what a renewal, a recall or a new due date changes: due time, renewals, unseen renewals, renewed at,
    /// recalled at and policy. The rest of `loan` is not looked at.
    @discardableResult
    package func updateDue(_ loan: Loan) throws(StoreError) -> Bool {
        try transaction.execute(
            Self.dueChange,
            [
                .optional(loan.due?.instant), .optional(loan.due?.date), .flag(loan.due?.isExact ?? false),
                .integer(loan.renewals), .integer(loan.unseenRenewals), .optional(loan.renewedAt),
                .optional(loan.recalledAt), .optional(loan.policy), .integer(loan.id),
            ]) == 1
    }

    /// Writes when the copy was declared lost and when it was claimed to be returned. The rest of `loan` is not looked
    /// at.
    @discardableResult
    package func updateStop(_ loan: Loan) throws(StoreError) -> Bool {
        try transaction.execute(
            Self.stopping, [.optional(loan.lostAt), .optional(loan.claimedAt), .integer(loan.id)]) == 1
    }

    /// Ends an open loan.
    ///
    /// - Returns: false if the loan does not exist or it was returned before.
    @discardableResult
    package func setReturned(_ id: Int64, at: Instant) throws(StoreError) -> Bool {
        try transaction.execute(Self.returning, [.instant(at), .integer(id)]) == 1
    }

    private static func values(_ loan: Loan) -> [StoredValue] {
        [
            .optional(loan.copy), .optional(loan.title), .optional(loan.patron), .optional(loan.category),
            .optional(loan.homeBranch), .optional(loan.itemType), .optional(loan.branch), .instant(loan.lentAt),
            .optional(loan.due?.instant), .optional(loan.due?.date), .flag(loan.due?.isExact ?? false),
            .optional(loan.originalDueAt), .optional(loan.returnedAt), .integer(loan.renewals),
            .integer(loan.unseenRenewals), .optional(loan.renewedAt), .optional(loan.recalledAt),
            .optional(loan.lostAt), .optional(loan.claimedAt), .flag(loan.onSite), .optional(loan.channel?.rawValue),
            .optional(loan.policy), .optional(loan.importKey),
        ]
    }
}
