package import Circulation

/// How far a reader of loans by due time has come.
package struct DuePosition: Hashable, Comparable, Sendable {
    package var dueAt: Instant
    package var loan: Int64

    package init(dueAt: Instant, loan: Int64) {
        self.dueAt = dueAt
        self.loan = loan
    }

    package static func < (one: DuePosition, other: DuePosition) -> Bool {
        (one.dueAt, one.loan) < (other.dueAt, other.loan)
    }
}

extension LoanRepository {
    // The condition on due_at repeats the partial index's own, so that the planner takes it.
    private static let due = Query(
        """
        SELECT \(columns) FROM loans
        WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND (due_at, id) > (?, ?)
            AND copy IS NOT NULL
        ORDER BY due_at, id LIMIT ?
        """)
    static let runningByDue = """
        FROM loans
        WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND (due_at, id) > (?, ?)
            AND copy IS NOT NULL AND lost_at IS NULL AND claimed_at IS NULL
        ORDER BY due_at, id LIMIT ?
        """
    /// Time goes on for a loan.
    static let isRunning = "returned_at IS NULL AND lost_at IS NULL AND claimed_at IS NULL"
    static let runningAmong = """
        FROM loans
        WHERE {among id} AND \(isRunning) AND due_at IS NOT NULL AND due_at < ? AND copy IS NOT NULL
        """
    private static let running = Query("SELECT \(columns) \(runningByDue)")
    private static let runningOnes = Query("SELECT \(columns) \(runningAmong)")
    private static let pastDue = Query(
        """
        SELECT \(columns) FROM loans
        WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND copy IS NOT NULL
        ORDER BY due_at, id LIMIT ? OFFSET ?
        """)
    private static let dueCounted = Query(
        """
        SELECT COUNT(*) FROM loans
        WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND copy IS NOT NULL
        """)

    /// The next open loans that are due before `instant`, by due time and id: a page of a sweep.
    ///
    /// - Parameter position: where the page before ended; nil at the start. A loan that was returned or renewed
    ///   meanwhile is simply not met again.
    package func due(
        before instant: Instant, after position: DuePosition? = nil, limit: Int64
    ) throws(StoreError) -> [Loan] {
        try page(Self.due, before: instant, after: position, limit: limit)
    }

    /// A part of the open loans that are due before `instant`, by due time and id.
    package func due(before instant: Instant, _ part: ListPart) throws(StoreError) -> [Loan] {
        try all(Self.pastDue, [.instant(instant)] + part.values)
    }

    /// Like ``due(before:after:limit:)``, without those that are lost or claimed to be returned: for these time does not
    /// go on.
    package func running(
        before instant: Instant, after position: DuePosition? = nil, limit: Int64
    ) throws(StoreError) -> [Loan] {
        try page(Self.running, before: instant, after: position, limit: limit)
    }

    /// Those of these loans that run and are due before `instant`, by due time and id.
    package func running(among loans: [Int64], before instant: Instant) throws(StoreError) -> [Loan] {
        try all(Self.runningOnes, [.numbers(loans), .instant(instant)]).sorted(by: Self.isBefore)
    }

    static func isBefore(_ one: Loan, _ other: Loan) -> Bool {
        guard let due = one.due?.instant, let otherDue = other.due?.instant else { return one.id < other.id }
        return (due, one.id) < (otherDue, other.id)
    }

    private func page(
        _ query: Query, before instant: Instant, after position: DuePosition?, limit: Int64
    ) throws(StoreError) -> [Loan] {
        try all(
            query,
            [
                .instant(instant), .integer(position?.dueAt.microseconds ?? .min), .integer(position?.loan ?? .min),
                .integer(limit),
            ])
    }

    /// How many open loans are due before `instant`.
    package func dueCount(before instant: Instant) throws(StoreError) -> Int64 {
        try transaction.number(Self.dueCounted, [.instant(instant)])
    }

    /// The next loans by id of a query.
    package func page(_ query: LoanQuery, after id: Int64 = .min, limit: Int64) throws(StoreError) -> [Loan] {
        try page(Self.conditions(query), after: id, limit: limit)
    }

    /// The latest loans first: what a person looks for in a history.
    package func history(
        _ query: LoanQuery, limit: Int64, offset: Int64 = 0
    ) throws(StoreError) -> [Loan] {
        try list(Self.conditions(query), by: "lent_at DESC, id DESC", ListPart(limit: limit, offset: offset))
    }

    /// How many loans a query gives.
    package func count(_ query: LoanQuery) throws(StoreError) -> Int64 { try count(Self.conditions(query)) }

    /// The loans of a query, by id, until `body` returns false. `body` may write.
    package func forEach(_ query: LoanQuery = LoanQuery(), _ body: (Loan) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try page(query, after: last?.id ?? .min, limit: Transaction.pageSize)
            }, body)
    }

    private static func conditions(_ query: LoanQuery) -> Conditions {
        var conditions = Conditions()
        conditions.add("patron = ?", query.patron.map { .integer($0) })
        conditions.add("title = ?", query.title.map { .integer($0) })
        conditions.add("copy = ?", query.copy.map { .integer($0) })
        conditions.add("branch = ?", query.branch.map { .text($0) })
        conditions.add("lent_at >= ?", query.from.map { .instant($0) })
        conditions.add("lent_at < ?", query.to.map { .instant($0) })
        let open = "returned_at IS NULL AND copy IS NOT NULL"
        switch query.state {
        case .open: conditions.add(open)
        case .returned: conditions.add("returned_at IS NOT NULL")
        case .lost: conditions.add("\(open) AND lost_at IS NOT NULL")
        case .claimed: conditions.add("\(open) AND claimed_at IS NOT NULL")
        case .all: break
        }
        return conditions
    }
}
