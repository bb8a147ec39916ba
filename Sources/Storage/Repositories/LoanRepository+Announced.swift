package import Circulation

extension LoanRepository {
    /// An open loan whose due time is near or past, and whether an event has said so.
    package struct NearDue: Hashable, Sendable {
        package var loan: Loan
        package var isAnnounced: Bool
    }

    private static let announcing = """
        SELECT \(columns), CASE WHEN EXISTS (
                SELECT 1 FROM events
                WHERE events.loan = loans.id AND events.kind = ? AND events.at >= loans.due_at - ?
            ) THEN 1 ELSE 0 END
        """
    private static let nearDue = Query("\(announcing) \(runningByDue)")
    private static let nearDueAmong = Query("\(announcing) \(runningAmong)")

    /// The next running loans that are due before `instant`, by due time and id. One is announced if it has an event of
    /// the kind that happened at most `lead` before its due time, or after it: what was said of an earlier due time does
    /// not count.
    ///
    /// - Parameters:
    ///   - lead: in microseconds.
    ///   - position: where the page before ended; nil at the start.
    package func nearDue(
        before instant: Instant, announcedBy kind: String, lead: Int64, after position: DuePosition?, limit: Int64
    ) throws(StoreError) -> [NearDue] {
        try transaction.all(
            Self.nearDue,
            [
                .text(kind), .integer(lead), .instant(instant), .integer(position?.dueAt.microseconds ?? .min),
                .integer(position?.loan ?? .min), .integer(limit),
            ]
        ) { row throws(StoreError) in
            NearDue(loan: try Self.table.read(&row), isAnnounced: row.integer() != 0)
        }
    }

    /// Those of these loans that run and are due before `instant`, by due time and id.
    package func nearDue(
        among loans: [Int64], before instant: Instant, announcedBy kind: String, lead: Int64
    ) throws(StoreError) -> [NearDue] {
        let found = try transaction.all(
            Self.nearDueAmong, [.text(kind), .integer(lead), .numbers(loans), .instant(instant)]
        ) { row throws(StoreError) in
            NearDue(loan: try Self.table.read(&row), isAnnounced: row.integer() != 0)
        }
        return found.sorted { Self.isBefore($0.loan, $1.loan) }
    }
}
