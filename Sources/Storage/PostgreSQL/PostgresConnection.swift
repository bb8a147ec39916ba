/// One PostgreSQL connection with the statements it has prepared; used by one thread at a time.
final class PostgresConnection: Connection {
    let dialect = Dialect.postgres
    private let link: PostgresLink
    /// The writers of one store take turns: this is the number of their lock.
    private let turn: Int64
    private var prepared: Set<Int> = []
    private var cursors = 0
    private var holdsTurn = false
    /// Whether the open transaction changed anything, so that its commit must reach the disk.
    private var hasChanged = false
    /// Savepoints begun and released of which the server is not told yet: it is with the next statement.
    private var pending: [String] = []
    /// The first error of the open transaction, which all later ones repeat less clearly.
    private var firstFailure: StoreError?

    private(set) var insertedID: Int64 = 0
    /// Sees to it that an event that was read is on the disk; nil where that is so by itself.
    var settling: ((Int64) throws(StoreError) -> Void)?

    init(_ link: PostgresLink, turn: Int64) {
        self.link = link
        self.turn = turn
    }

    var isBroken: Bool { link.isBroken }

    func settle(event sequence: Int64) throws(StoreError) {
        // A writer is answered after a flush that covers all that was before it.
        if !holdsTurn { try settling?(sequence) }
    }

    /// Waits until all that was committed on this server before has reached the disk, and the standby it waits for. On a
    /// standby there is nothing to wait for: it shows what is on its disk.
    func flush() throws(StoreError) {
        try link.run(
            """
            SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL
                ELSE pg_catalog.pg_logical_emit_message(true, 'moonshelf', '') END
            """)
    }

    /// Also of a transaction that failed and can only be undone, and of one whose connection is gone: what is done next
    /// tells.
    var isInTransaction: Bool { !link.isIdle }

    func statement(_ query: Query) throws(StoreError) -> any PreparedStatement {
        guard query.isLong else { return PostgresStatement(query, on: self) }
        cursors += 1
        return PostgresCursor(query, named: "cursor_\(cursors)", on: self)
    }

    /// Runs a query, which is prepared once if it stands in a `static let`.
    func run(_ query: Query, _ values: CStrings) throws(StoreError) -> PostgresResult {
        try noting { () throws(StoreError) in
            let result: PostgresResult
            if let number = query.number {
                let name = "query_\(number)"
                if !prepared.contains(number) {
                    try link.prepare(name, dialect.rendered(query.text))
                    prepared.insert(number)
                }
                result = try runPrepared(name, values)
            } else {
                try tellPending()
                result = try link.run(dialect.rendered(query.text), values)
            }
            if !result.isReading { hasChanged = true }
            if result.rowCount == 1, !result.isReading { insertedID = result.integer(0, 0) }
            return result
        }
    }

    func open(cursor: String, for query: Query, _ values: CStrings) throws(StoreError) {
        try noting { () throws(StoreError) in
            try tellPending()
            _ = try link.run("DECLARE \(cursor) NO SCROLL CURSOR FOR " + dialect.rendered(query.text), values)
        }
    }

    func fetch(_ count: Int, from cursor: String) throws(StoreError) -> PostgresResult {
        try noting { () throws(StoreError) in try link.run("FETCH \(count) FROM \(cursor)") }
    }

    func close(cursor: String) {
        // A transaction that failed has closed it, and would fail again.
        if !link.hasFailed && !link.isBroken { _ = try? link.run("CLOSE \(cursor)") }
    }

    func execute(script: String) throws(StoreError) {
        try noting { () throws(StoreError) in
            hasChanged = true
            try tellPending()
            try link.run(try dialect.rendered(schema: script))
        }
    }

    /// The rows of a statement as texts, nil for null.
    func rows(_ text: String) throws(StoreError) -> [[String?]] {
        let result = try noting { () throws(StoreError) in
            try tellPending()
            return try link.run(text)
        }
        return (0..<result.rowCount).map { row in
            (0..<result.columnCount).map { result.isNull(row, $0) ? nil : result.text(row, $0) }
        }
    }

    /// Hands rows to a `COPY ... FROM STDIN`.
    func copy(_ text: String, _ bytes: [UInt8]) throws(StoreError) {
        try noting { () throws(StoreError) in
            hasChanged = true
            try tellPending()
            try link.copy(dialect.rendered(text), bytes)
        }
    }

    /// Reclaims dead rows, outside of any transaction.
    func vacuum(_ tables: [String]) throws(StoreError) {
        try link.run("VACUUM " + tables.joined(separator: ", "))
    }

    private func runPrepared(_ name: String, _ values: CStrings) throws(StoreError) -> PostgresResult {
        guard !pending.isEmpty else { return try link.run(prepared: name, values) }
        defer { pending = [] }
        return try link.run(pending, thenPrepared: name, values)
    }

    private func tellPending() throws(StoreError) {
        guard !pending.isEmpty else { return }
        defer { pending = [] }
        try link.run(pending.joined(separator: "; "))
    }

    private func noting<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch {
            if let firstFailure, !isBroken { throw firstFailure }
            firstFailure = error
            throw error
        }
    }
}

// Transactions.
extension PostgresConnection {
    /// What became of a commit.
    enum Outcome {
        case kept
        case undone(StoreError)
        /// The connection went away between the question and the answer.
        case unknown
    }

    /// Begins a transaction: to read from one snapshot, or to write, as soon as it is this writer's turn.
    func begin(writing: Bool) throws(StoreError) {
        firstFailure = nil
        hasChanged = false
        pending = []
        guard writing else {
            try link.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return
        }
        do {
            // Its turn ends before its commit has reached the disk, and the answer waits for that: see `commit`.
            try link.run(
                """
                SELECT pg_catalog.pg_advisory_lock(\(turn));
                BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
                SET LOCAL synchronous_commit TO off
                """)
            holdsTurn = true
        } catch {
            // The lock may have been had before the rest failed, on a server that only reads.
            if !isBroken { _ = link.answers(to: "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()") }
            throw error
        }
    }

    /// How many seconds a commit may take, of which the longest is the wait for a standby that is told to be waited for.
    private static let patience = 120

    /// Commits, lets the next writer have its turn, and waits until the commit is on the disk.
    ///
    /// The wait comes after the turn has gone on, so that writers that follow one another closely share one flush: the
    /// server's log is flushed as far as the last of them.
    func commit() -> Outcome {
        guard holdsTurn else {
            _ = link.answers(to: "COMMIT")
            return .kept
        }
        if link.hasFailed { return .undone(firstFailure ?? .transactionLost) }
        var text = "COMMIT; SELECT pg_catalog.pg_advisory_unlock(\(turn))"
        if hasChanged { text += "; SELECT pg_catalog.pg_logical_emit_message(true, 'moonshelf', '')" }
        _ = link.takeWarnings()
        let answers = link.answers(to: text, within: Self.patience)
        guard let first = answers.first else { return isBroken ? .unknown : .undone(link.lost) }
        if isBroken { return hasChanged ? .unknown : .kept }
        guard first.isFine else { return .undone(link.error(of: first)) }
        guard first.tag == "COMMIT" else { return .undone(firstFailure ?? .transactionLost) }
        holdsTurn = false
        // A server that stops waiting for its standby, since it is told to break off or to end, warns and says yes.
        guard let last = answers.last, last.isFine, !link.takeWarnings() else { return .unknown }
        return .kept
    }

    /// Ends the transaction and its turn. Never throws: where it fails, the connection is not used again.
    func rollBack() {
        guard !isBroken else { return }
        _ = link.answers(to: holdsTurn ? "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock(\(turn))" : "ROLLBACK")
        holdsTurn = false
    }

    /// Whether nothing is left of what was done with it, so that it may be used again.
    var isClean: Bool { !isBroken && link.isIdle && !holdsTurn }

    /// Sees to it that the commit of this transaction waits for the disk, and with it for all before it.
    func markChanged() {
        hasChanged = true
    }

    func beginSavepoint(_ depth: Int) {
        pending.append(Self.savepoint(depth))
    }

    func releaseSavepoint(_ depth: Int) throws(StoreError) {
        // A transaction that failed cannot be gone on with as if it had not.
        if link.hasFailed { throw firstFailure ?? .transactionLost }
        if pending.last == Self.savepoint(depth) {
            pending.removeLast()
        } else {
            pending.append("RELEASE level_\(depth)")
        }
    }

    func rollBackToSavepoint(_ depth: Int) throws(StoreError) {
        if let begun = pending.lastIndex(of: Self.savepoint(depth)) {
            // The server knows nothing of it.
            pending.removeSubrange(begun...)
            return
        }
        // What is pending lies inside and goes with it.
        pending = []
        try link.run("ROLLBACK TO level_\(depth); RELEASE level_\(depth)")
        firstFailure = nil
    }

    private static func savepoint(_ depth: Int) -> String { "SAVEPOINT level_\(depth)" }
}
