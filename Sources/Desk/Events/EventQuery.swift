package import Circulation

/// Which events to read, in the order in which they happened.
package struct EventQuery: Hashable, Sendable {
    /// After this sequence number.
    package var since: Int64?
    /// That happened at this instant or later.
    package var from: Instant?
    package var kind: String?
    /// About this patron, or a record that became part of theirs.
    package var patron: Int64?
    package var copy: Int64?
    package var loan: Int64?
    package var limit: Int?

    package init(
        since: Int64? = nil, from: Instant? = nil, kind: String? = nil, patron: Int64? = nil, copy: Int64? = nil,
        loan: Int64? = nil, limit: Int? = nil
    ) {
        self.since = since
        self.from = from
        self.kind = kind
        self.patron = patron
        self.copy = copy
        self.loan = loan
        self.limit = limit
    }
}
