/// Which events to read, in the order in which they happened.
package struct EventQuery: Hashable, Sendable {
    /// After this sequence number.
    package var since: Int64?
    /// That happened at this instant or later.
    package var from: Instant?
    /// That happened before this instant.
    package var until: Instant?
    package var kinds: Set<String>?
    /// About any of these patrons; nil: of all, and of none.
    package var patrons: [Int64]?
    package var copy: Int64?
    package var loan: Int64?
    package var limit: Int?

    package init(
        since: Int64? = nil, from: Instant? = nil, until: Instant? = nil, kind: String? = nil,
        kinds: Set<String>? = nil, patron: Int64? = nil, copy: Int64? = nil, loan: Int64? = nil, limit: Int? = nil
    ) {
        self.since = since
        self.from = from
        self.until = until
        self.kinds = kinds ?? kind.map { [$0] }
        patrons = patron.map { [$0] }
        self.copy = copy
        self.loan = loan
        self.limit = limit
    }
}
