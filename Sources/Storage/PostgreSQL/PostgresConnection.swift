/// One PostgreSQL connection with the statements it has prepared; used by one thread at a time.
final class PostgresConnection: Connection {
    let dialect = Dialect.postgres
    private let link: PostgresLink
    /// How many seconds a commit may take, of which the longest is the wait for a synchronous standby.
    private let commitTimeout: Double
    private let recorder: StatementRecorder?
    private var prepared: Set<Int> = []
    private var cursors = 0
    private var holdsTurn = false
    /// Whether the open transaction changed anything, so that its commit must reach the disk.
    private var hasChanged = false
    /// Commands that are sent with the next statement, and not before.
    private var pending: [Pending] = []
    /// Answers to questions that are still to be asked.
    private var prefetched: [Prefetched] = []
    /// The first error of the open transaction, which all later ones repeat less clearly.
    private var firstFailure: StoreError?

    private enum Pending: Equatable {
        /// The transaction or a savepoint is begun or ended.
        case control(String)
        case statement(PostgresQuery)

        var isControl: Bool { if case .control = self { true } else { false } }
    }

    private struct Prefetched {
        let question: PostgresQuery
        let result: PostgresResult
    }

    private(set) var insertedID: Int64 = 0
    /// What each writer asks as soon as it is its turn, together with asking for it.
    var firstQuestions: [Query] = []
    /// Sees to it that an event that was read is on the disk; nil where that is so by itself.
    var settling: ((Int64) throws(StoreError) -> Void)?

    init(_ link: PostgresLink, commitTimeout: Double, recorder: StatementRecorder?) {
        self.link = link
        self.commitTimeout = commitTimeout
        self.recorder = recorder
    }

    var isBroken: Bool { link.isBroken }

    func settle(event sequence: Int64) throws(StoreError) {
        // A writer is answered after a flush that covers all that was before it.
        if !holdsTurn { try settling?(sequence) }
    }

    /// Waits until all that was committed on this server before has reached the disk, and the standby it waits for. On
    /// a standby there is nothing to wait for: it shows what is on its disk.
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
        let question = PostgresQuery(query: query, values: values)
        if let place = prefetched.firstIndex(where: { $0.question == question }) {
            return prefetched.remove(at: place).result
        }
        try record(question)
        return try noting { () throws(StoreError) in
            guard let result = try send([question]).last else { throw link.lost }
            if !result.isReading { noteChange() }
            if result.rowCount == 1, !result.isReading { insertedID = result.integer(0, 0) }
            return result
        }
    }

    var canPrefetch: Bool { true }

    func prefetch(_ questions: [BoundQuery]) throws(StoreError) {
        // What was prefetched before, and is not among these, will not be asked for.
        let before = prefetched
        prefetched = []
        var new: [BoundQuery] = []
        for question in questions {
            let asked = JoinedQuery.of(question)
            if let there = before.first(where: { $0.question == asked }) {
                prefetched.append(there)
            } else {
                new.append(question)
            }
        }
        if new.isEmpty { return }
        let asked = try asked(new)
        let results = try noting { () throws(StoreError) in try send(asked) }
        keep(new, asked, results)
    }

    /// The questions as the server is asked, noted by who records them.
    private func asked(_ questions: [BoundQuery]) throws(StoreError) -> [PostgresQuery] {
        var asked: [PostgresQuery] = []
        for question in questions {
            asked.append(JoinedQuery.of(question))
            try record(asked[asked.count - 1])
        }
        return asked
    }

    /// Keeps answers under what will be asked: numbers that were to be found stand in the answers to the other questions.
    private func keep(_ questions: [BoundQuery], _ asked: [PostgresQuery], _ results: [PostgresResult]) {
        let answers = Array(zip(asked, results))
        for (question, result) in zip(questions, results) {
            var values = question.values
            var isWhole = true
            for (place, row) in question.missing {
                guard case .found(let other, let column) = row,
                    let found = answers.first(where: { $0.0 == JoinedQuery.of(other) })?.1,
                    found.rowCount > 0,
                    let number = (0..<found.columnCount).first(where: { found.fieldName($0) == column })
                else {
                    isWhole = false
                    break
                }
                values[place] = .integer(found.integer(0, number))
            }
            guard isWhole else { continue }
            let known = PostgresQuery(query: question.query, values: PostgresValues.texts(values))
            prefetched.append(Prefetched(question: known, result: result))
        }
    }

    func post(_ query: Query, _ values: [StoredValue]) throws(StoreError) {
        noteChange()
        let question = PostgresQuery(query: query, values: PostgresValues.texts(values))
        try record(question)
        pending.append(.statement(question))
        guard pending.count >= Self.mostPending else { return }
        try noting { () throws(StoreError) in try tellPending() }
    }

    func insert(_ query: Query, _ rows: [[StoredValue]]) throws(StoreError) -> [Int64?] {
        var ids: [Int64?] = []
        for start in stride(from: 0, to: rows.count, by: Self.mostPending) {
            noteChange()
            let questions = rows[start..<min(start + Self.mostPending, rows.count)].map {
                PostgresQuery(query: query, values: PostgresValues.texts($0))
            }
            for question in questions { try record(question) }
            let results = try noting { () throws(StoreError) in try send(questions) }
            for result in results { ids.append(result.rowCount == 1 ? result.integer(0, 0) : nil) }
        }
        return ids
    }

    private func record(_ question: PostgresQuery) throws(StoreError) {
        guard let recorder else { return }
        let values = question.values.texts.map { $0.map(StoredValue.text) ?? .null }
        recorder.record(
            try dialect.rendered(question.query.text), values, isKept: question.query.number != nil)
    }

    /// How much is kept back before it is sent to the server.
    private static let mostPending = 64

    private func noteChange() {
        hasChanged = true
        prefetched = []
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
            noteChange()
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
            noteChange()
            try tellPending()
            try link.copy(dialect.rendered(text), bytes)
        }
    }

    /// Reclaims dead rows, outside of any transaction.
    func vacuum(_ tables: [String]) throws(StoreError) {
        try link.run("VACUUM " + tables.joined(separator: ", "))
    }

    private func tellPending() throws(StoreError) {
        if !pending.isEmpty { _ = try send([]) }
    }

    /// Sends pending commands and queries in one message.
    ///
    /// - Returns: the answers to the questions.
    private func send(_ questions: [PostgresQuery]) throws(StoreError) -> [PostgresResult] {
        let batch = try batch(pending + questions.map(Pending.statement))
        pending = []
        let (results, failure) = link.run(batch.steps)
        notePrepared(batch, results)
        if let failure { throw failure }
        return batch.places.suffix(questions.count).map { results[$0] }
    }

    /// What is sent together.
    private struct Batch {
        var steps: [PostgresLink.Step] = []
        /// For each thing to be sent, which step it is.
        var places: [Int] = []
        /// The statements that are prepared on the way, by their numbers, and the steps that do it.
        var preparing: [Int: Int] = [:]
    }

    private func batch(_ items: [Pending]) throws(StoreError) -> Batch {
        var batch = Batch()
        for item in items {
            switch item {
            case .control(let text): batch.steps.append(.text(text, CStrings()))
            case .statement(let question): try add(question, to: &batch)
            }
            batch.places.append(batch.steps.count - 1)
        }
        return batch
    }

    private func add(_ question: PostgresQuery, to batch: inout Batch) throws(StoreError) {
        guard let number = question.query.number else {
            batch.steps.append(.text(try dialect.rendered(question.query.text), question.values))
            return
        }
        let name = "query_\(number)"
        if !prepared.contains(number), batch.preparing[number] == nil {
            batch.preparing[number] = batch.steps.count
            batch.steps.append(.preparing(name: name, text: try dialect.rendered(question.query.text)))
        }
        batch.steps.append(.prepared(name: name, question.values))
    }

    /// A statement stays prepared even if what came after it failed.
    private func notePrepared(_ batch: Batch, _ results: [PostgresResult]) {
        for (number, step) in batch.preparing where step < results.count && results[step].isFine {
            prepared.insert(number)
        }
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
    ///
    /// - Parameter isFounding: there may be no table yet by which turns are taken; who founds the store takes turns by
    ///   its schema.
    /// - Parameter questions: what is asked with the same message, by a writer; see ``prefetch(_:)``.
    func begin(writing: Bool, isFounding: Bool = false, asking questions: [BoundQuery] = []) throws(StoreError) {
        firstFailure = nil
        hasChanged = false
        pending = []
        prefetched = []
        guard writing else {
            try link.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return
        }
        pending = [
            .control("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
            .control(isFounding ? PostgresSchema.foundingTurn : PostgresSchema.turn),
        ]
        // Its turn ends before its commit has reached the disk, and the answer waits for that: see `commit`.
        let settings = PostgresQuery(query: Self.settings, values: PostgresValues.texts([]))
        do {
            let questions = firstQuestions.map { BoundQuery($0) } + questions
            let asked = try asked(questions)
            let results = try send([settings] + asked)
            holdsTurn = true
            keep(questions, asked, Array(results.dropFirst()))
        } catch {
            if !isBroken { _ = link.answers(to: "ROLLBACK") }
            throw error
        }
    }

    private static let settings = Query("SELECT pg_catalog.set_config('synchronous_commit', 'off', true)")
    private static let flushing = Query("SELECT pg_catalog.pg_logical_emit_message(true, 'moonshelf', '')")

    /// Commits, by which the next writer has its turn, and waits until the commit is on the disk.
    ///
    /// The wait comes after the turn has gone on, so that writers that follow one another closely share one flush: the
    /// server's log is flushed as far as the last of them.
    func commit() -> Outcome {
        guard holdsTurn else {
            _ = link.answers(to: "COMMIT")
            return .kept
        }
        if link.hasFailed { return .undone(firstFailure ?? .transactionLost) }
        let flushing = PostgresQuery(query: Self.flushing, values: PostgresValues.texts([]))
        let afterwards = hasChanged ? [Pending.statement(flushing)] : []
        let batch: Batch
        do throws(StoreError) {
            // A savepoint that ends with the transaction need not be sent.
            let changes = pending.filter { !$0.isControl }
            batch = try self.batch(changes + [.control("COMMIT")] + afterwards)
        } catch {
            return .undone(error)
        }
        pending = []
        _ = link.takeWarnings()
        let (results, isWhole) = link.answers(to: batch.steps, within: commitTimeout)
        notePrepared(batch, results)
        if isBroken { return hasChanged ? .unknown : .kept }
        guard isWhole else { return .undone(link.lost) }
        let committing = batch.places[batch.places.count - 1 - afterwards.count]
        if let last = results.last, !last.isFine {
            return results.count - 1 > committing ? .unknown : .undone(link.error(of: last))
        }
        holdsTurn = false
        guard results[committing].tag == "COMMIT" else { return .undone(firstFailure ?? .transactionLost) }
        // A server that stops waiting for its standby, since it is asked to cancel or to end, warns and says yes.
        return link.takeWarnings() ? .unknown : .kept
    }

    /// Ends the transaction and its turn. Never throws: where it fails, the connection is not used again.
    func rollBack() {
        guard !isBroken else { return }
        _ = link.answers(to: "ROLLBACK")
        holdsTurn = false
    }

    /// Whether nothing is left of what was done with it, so that it may be used again.
    var isClean: Bool { !isBroken && link.isIdle && !holdsTurn }

    /// Sees to it that the commit of this transaction waits for the disk, and with it for all before it.
    func markChanged() {
        hasChanged = true
    }

    func beginSavepoint(_ depth: Int) {
        pending.append(.control(Self.savepoint(depth)))
    }

    func releaseSavepoint(_ depth: Int) throws(StoreError) {
        // A transaction that failed cannot be gone on with as if it had not.
        if link.hasFailed { throw firstFailure ?? .transactionLost }
        if pending.last == .control(Self.savepoint(depth)) {
            pending.removeLast()
        } else {
            pending.append(.control("RELEASE level_\(depth)"))
        }
    }

    func rollBackToSavepoint(_ depth: Int) throws(StoreError) {
        prefetched = []
        if let begun = pending.lastIndex(of: .control(Self.savepoint(depth))) {
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
