package import Circulation

/// Which loans to read.
package struct LoanQuery: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable { case open, returned, lost, claimed, all }
    package var state: State
    package var patron: Int64?
    package var title: Int64?
    package var copy: Int64?
    /// Lent in `from..<to`.
    package var from: Instant?
    package var to: Instant?
    /// Due before this instant.
    package var dueBefore: Instant?
    /// Whether imported history counts as well.
    package var imported: Bool

    package init(
        state: State = .all, patron: Int64? = nil, title: Int64? = nil, copy: Int64? = nil, from: Instant? = nil,
        to: Instant? = nil, dueBefore: Instant? = nil, imported: Bool = true
    ) {
        self.state = state
        self.patron = patron
        self.title = title
        self.copy = copy
        self.from = from
        self.to = to
        self.dueBefore = dueBefore
        self.imported = imported
    }
}
