package import Circulation

/// How far the last sweep that looked at all loans, or those after it, came.
package struct SweepReached: Hashable, Sendable {
    /// Distinguishes it from what any other sweep that looked at all loans leaves.
    package var generation: Int64
    /// Whether all loans were looked at.
    package var isWhole = false
    /// When the last sweep looked at what had happened.
    package var beganAt: Instant
    /// The first midnight after that, of the library or one of its branches.
    package var dayEndsAt: Instant
    /// Loans due before this were looked at.
    package var horizon: Instant
    /// The last event that it knew of.
    package var event: Int64
    /// The revision of the settings by which it went.
    package var settings: Int64
    /// The activation that was in force.
    package var activation: Int64
    /// As whom policies were asked.
    package var actor: String

    package init(
        generation: Int64, beganAt: Instant, dayEndsAt: Instant, horizon: Instant, event: Int64, settings: Int64,
        activation: Int64, actor: String
    ) {
        self.generation = generation
        self.beganAt = beganAt
        self.dayEndsAt = dayEndsAt
        self.horizon = horizon
        self.event = event
        self.settings = settings
        self.activation = activation
        self.actor = actor
    }
}

/// What a sweep may leave out. It stands outside of the events.
package struct SweepRepository {
    let transaction: Transaction

    private static let columns = """
        generation, is_whole, began_at, day_ends_at, horizon, event, settings, activation, actor
        """
    private static let reading = Query("SELECT \(columns) FROM sweep_reached")
    private static let forgetting = Query("DELETE FROM sweep_reached")
    private static let forgettingTurns = Query("DELETE FROM sweep_turns")
    private static let insertion = Query(
        "INSERT INTO sweep_reached (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    private static let advancing = Query(
        """
        UPDATE sweep_reached SET is_whole = 1, began_at = ?, horizon = ?, event = ?
        WHERE generation = ? AND began_at <= ? AND event <= ?
        """)
    private static let unsettingTurns = Query("DELETE FROM sweep_turns WHERE {among loan}")
    private static let settingTurn = Query(
        "INSERT INTO sweep_turns (loan, at) VALUES (?, ?) ON CONFLICT (loan) DO UPDATE SET at = excluded.at")
    private static let turned = Query(
        """
        SELECT loans.patron FROM sweep_turns JOIN loans ON loans.id = sweep_turns.loan
        WHERE sweep_turns.at <= ? AND loans.patron IS NOT NULL
            AND \(LoanRepository.isRunning)
        """)
    private static let ofLoans = Query("SELECT patron FROM loans WHERE {among id} AND patron IS NOT NULL")
    private static let ofTitles = Query(
        """
        SELECT loans.patron FROM copies JOIN loans ON loans.copy = copies.id
            AND (CASE WHEN loans.returned_at IS NULL THEN 0 ELSE loans.id END) = 0
        WHERE {among copies.title} AND loans.patron IS NOT NULL
        """)
    private static let ofTitlesOfCopies = Query(
        """
        SELECT loans.patron FROM copies AS handled JOIN copies ON copies.title = handled.title
            JOIN loans ON loans.copy = copies.id
                AND (CASE WHEN loans.returned_at IS NULL THEN 0 ELSE loans.id END) = 0
        WHERE {among handled.id} AND loans.patron IS NOT NULL
        """)
    private static let dueBetween = Query(
        "SELECT patron FROM loans WHERE returned_at IS NULL AND due_at >= ? AND due_at <= ? AND patron IS NOT NULL")
    private static let running = Query(
        """
        SELECT due_at, id FROM loans
        WHERE {among patron} AND due_at IS NOT NULL AND due_at < ? AND copy IS NOT NULL
            AND \(LoanRepository.isRunning)
        ORDER BY due_at, id
        """)

    /// How far sweeps came; nil where none looked at all loans, or not as this one would.
    package func reached() throws(StoreError) -> SweepReached? {
        try transaction.first(Self.reading) { row in
            var reached = SweepReached(
                generation: row.integer(), beganAt: .earliest, dayEndsAt: .earliest, horizon: .earliest, event: 0,
                settings: 0, activation: 0, actor: "")
            reached.isWhole = row.flag()
            reached.beganAt = row.instant()
            reached.dayEndsAt = row.instant()
            reached.horizon = row.instant()
            reached.event = row.integer()
            reached.settings = row.integer()
            reached.activation = row.integer()
            reached.actor = row.text()
            return reached
        }
    }

    /// Begins anew, before all loans are looked at: nothing may be left out until that is done.
    package func begin(_ reached: SweepReached) throws(StoreError) {
        try forget()
        try transaction.execute(
            Self.insertion,
            [
                .integer(reached.generation), .flag(false), .instant(reached.beganAt), .instant(reached.dayEndsAt),
                .instant(reached.horizon), .integer(reached.event), .integer(reached.settings),
                .integer(reached.activation), .text(reached.actor),
            ])
    }

    /// Lets the next sweep look at all loans.
    package func forget() throws(StoreError) {
        try transaction.execute(Self.forgetting)
        try transaction.execute(Self.forgettingTurns)
    }

    /// Notes that all was looked at that had to be, unless another sweep has begun to look at all loans since, or came
    /// further.
    package func complete(_ reached: SweepReached) throws(StoreError) {
        try transaction.execute(
            Self.advancing,
            [
                .instant(reached.beganAt), .instant(reached.horizon), .integer(reached.event),
                .integer(reached.generation), .instant(reached.beganAt), .integer(reached.event),
            ])
    }

    /// Notes for loans that were looked at whose turn comes again on the same day, and when.
    ///
    /// - Parameter isFirst: whether no loan has a turn yet.
    package func setTurns(
        _ turns: [Int64: Instant], ofLoans loans: [Int64], isFirst: Bool
    ) throws(StoreError) {
        if !isFirst { try transaction.execute(Self.unsettingTurns, [.numbers(loans)]) }
        for (loan, at) in turns.sorted(by: { $0.key < $1.key }) {
            try transaction.post(Self.settingTurn, [.integer(loan), .instant(at)])
        }
    }

    /// The patrons with loans whose turn has come.
    package func patrons(turnedBy now: Instant) throws(StoreError) -> Set<Int64> {
        try patrons(Self.turned, [.instant(now)])
    }

    /// The patrons of loans.
    package func patrons(ofLoans loans: some Sequence<Int64>) throws(StoreError) -> Set<Int64> {
        try patrons(Self.ofLoans, [.numbers(Array(loans))])
    }

    /// The patrons who have copies of titles.
    package func patrons(ofTitles titles: some Sequence<Int64>) throws(StoreError) -> Set<Int64> {
        try patrons(Self.ofTitles, [.numbers(Array(titles))])
    }

    /// The patrons who have copies of the titles of copies.
    package func patrons(ofTitlesOf copies: some Sequence<Int64>) throws(StoreError) -> Set<Int64> {
        try patrons(Self.ofTitlesOfCopies, [.numbers(Array(copies))])
    }

    /// The patrons with open loans that are due from one moment through another.
    package func patrons(dueFrom start: Instant, through end: Instant) throws(StoreError) -> Set<Int64> {
        try patrons(Self.dueBetween, [.instant(start), .instant(end)])
    }

    /// The running loans of patrons that are due before `instant`, by due time and id.
    package func running(
        ofPatrons patrons: some Sequence<Int64>, before instant: Instant
    ) throws(StoreError) -> [DuePosition] {
        try transaction.all(Self.running, [.numbers(Array(patrons)), .instant(instant)]) { row in
            DuePosition(dueAt: row.instant(), loan: row.integer())
        }
    }

    private func patrons(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> Set<Int64> {
        var patrons: Set<Int64> = []
        try transaction.each(query, values) { row in
            patrons.insert(row.integer())
            return true
        }
        return patrons
    }
}
