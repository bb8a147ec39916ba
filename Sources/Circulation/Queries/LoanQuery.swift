/// Which loans to read.
package struct LoanQuery: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Those whose copy has not come back, lost and claimed ones too.
        case open
        case returned
        /// Open ones whose copy was declared lost.
        case lost
        /// Open ones that the patron says to have returned.
        case claimed
        /// All, and past loans without a copy as well.
        case all
    }
    package var state: State
    package var patron: Int64?
    package var title: Int64?
    package var copy: Int64?
    /// Where it was lent.
    package var branch: String?
    /// Lent in `from..<to`.
    package var from: Instant?
    package var to: Instant?
    /// Due before this instant.
    package var dueBefore: Instant?
    /// Whether imported history counts as well.
    package var imported: Bool

    package init(
        state: State = .all, patron: Int64? = nil, title: Int64? = nil, copy: Int64? = nil, branch: String? = nil,
        from: Instant? = nil, to: Instant? = nil, dueBefore: Instant? = nil, imported: Bool = true
    ) {
        self.state = state
        self.patron = patron
        self.title = title
        self.copy = copy
        self.branch = branch
        self.from = from
        self.to = to
        self.dueBefore = dueBefore
        self.imported = imported
    }

    /// Whether a loan that the rest of the query gives was imported, or is due, as it says.
    package func admits(_ loan: Loan) -> Bool {
        if !imported, loan.importKey != nil { return false }
        guard let dueBefore else { return true }
        return loan.due.map { $0.instant < dueBefore } ?? false
    }
}
