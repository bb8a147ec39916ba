import Synchronization

/// A store in a PostgreSQL database: the tables stand in the first schema of the search path.
///
/// Any number of processes on any number of machines may use it at once. Writers take turns, by a lock of the database;
/// readers see one snapshot each and wait for no writer. `docs/decisions/0007-postgresql.md` says why.
package final class PostgresStore: Store {
    package let location: StoreLocation
    package let isReadOnly: Bool
    private let address: PostgresAddress
    /// Where questions are asked: as a role that can read the views alone.
    private let askingAddress: PostgresAddress?
    private let pool: PostgresPool
    private let horizon = PostgresHorizon()
    private let settingsCache = SettingsCache()
    private let stop: StopRequest?
    /// The version of its schema: the program's, unless it was opened to be copied.
    package let schemaVersion: Int64

    private init(
        address: PostgresAddress, askingAddress: PostgresAddress?, isReadOnly: Bool, pool: PostgresPool,
        stop: StopRequest?, schemaVersion: Int64
    ) {
        self.schemaVersion = schemaVersion
        self.askingAddress = askingAddress
        location = .postgres(address.url)
        self.address = address
        self.isReadOnly = isReadOnly
        self.pool = pool
        self.stop = stop
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: as libpq takes it: `postgres://USER@HOST:PORT/NAME?sslmode=verify-full`. The password may as well stand
    ///     in `PGPASSWORD` or `~/.pgpass`.
    ///   - askingURL: the same database as a role that may read the ``ReportView``s and nothing else; without it
    ///     ``Store/ask(_:)`` gives no answers.
    ///   - isReadOnly: the database itself then refuses all writes.
    ///   - create: makes the tables if the schema is empty, and migrates an older store. The database is there before.
    ///   - lockTimeout: how many seconds to wait for another writer before ``StoreError/Code/locked``.
    ///   - commitTimeout: how many seconds to wait for the answer to a commit, before it is looked for as one without
    ///     answer.
    ///   - recorder: writes down the statements that change or ask something: for measurements.
    ///   - stop: ends what is done with the store before it is done.
    /// - Throws: ``StoreError``: `unreachable` if no server answers, `cannotOpen` if it refuses the log-in, `notAStore`
    ///   if the schema holds something else, `newer`, `older`, `badLocation`.
    package static func open(
        _ url: String, askedAt askingURL: String? = nil, isReadOnly: Bool = false, create: Bool = false,
        lockTimeout: Double = 5, commitTimeout: Double = 120, recorder: StatementRecorder? = nil,
        stop: StopRequest? = nil
    ) throws(StoreError) -> PostgresStore {
        try open(
            url, askedAt: askingURL, isReadOnly: isReadOnly, lockTimeout: lockTimeout, commitTimeout: commitTimeout,
            recorder: recorder, stop: stop
        ) { (connection, address) throws(StoreError) in
            if create && !isReadOnly {
                try PostgresSchema.migrate(connection, address)
            } else {
                try PostgresSchema.check(connection, address)
            }
            return Schema.version
        }
    }

    /// Opens a store of this version or an earlier one, to be read as a whole, for one purpose: ``StoreCopy`` alone
    /// asks the database what there is.
    ///
    /// - Throws: ``StoreError`` as ``open(_:askedAt:isReadOnly:create:lockTimeout:commitTimeout:recorder:stop:)``, but
    ///   `older`.
    package static func openToCopy(_ url: String, stop: StopRequest? = nil) throws(StoreError) -> PostgresStore {
        try open(
            url, askedAt: nil, isReadOnly: true, lockTimeout: 5, commitTimeout: 120, recorder: nil, stop: stop
        ) { (connection, address) throws(StoreError) in
            try PostgresSchema.check(connection, address, isOlderWelcome: true)
        }
    }

    private static func open(
        _ url: String, askedAt askingURL: String?, isReadOnly: Bool, lockTimeout: Double, commitTimeout: Double,
        recorder: StatementRecorder?, stop: StopRequest?,
        _ prepare: (PostgresConnection, PostgresAddress) throws(StoreError) -> Int64
    ) throws(StoreError) -> PostgresStore {
        let address = try PostgresAddress(url)
        var askingAddress: PostgresAddress?
        if let askingURL { askingAddress = try PostgresAddress(askingURL) }
        let isPrepared = Switch()
        let pool = PostgresPool { (attempt) throws(PostgresLink.Refusal) in
            let link = try PostgresLink(address, attempt: attempt)
            do throws(StoreError) {
                try PostgresSchema.prepare(link, address, isReadOnly: isReadOnly, lockTimeout: lockTimeout)
                let connection = PostgresConnection(link, commitTimeout: commitTimeout, recorder: recorder)
                if isPrepared.isOn.load(ordering: .acquiring) { connection.firstQuestions = firstQuestions }
                return connection
            } catch {
                throw PostgresLink.Refusal(error: error, isPassing: link.isBroken)
            }
        }
        let first = try pool.connected(within: .zero)
        let version = try prepare(first, address)
        first.firstQuestions = firstQuestions
        isPrepared.isOn.store(true, ordering: .releasing)
        pool.giveBack(first)
        return PostgresStore(
            address: address, askingAddress: askingAddress, isReadOnly: isReadOnly, pool: pool, stop: stop,
            schemaVersion: version)
    }

    /// Each writer needs the event to which its own are linked.
    private static let firstQuestions = [EventRepository.endOfChain]

    @discardableResult
    package func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T {
        // A commit waits for the disk together with the others, in any case.
        guard !isReadOnly else { throw StoreError.openedReadOnly }
        return try pool.use { place in
            let transaction = Transaction(
                isWritable: true, settingsCache: settingsCache, stop: stop
            ) { (questions) throws(StoreError) in try place.begin(writing: true, asking: questions) }
            return try run(
                { transaction in
                    let result = try body(transaction)
                    // One that did nothing had its turn all the same.
                    if transaction.isLive { try transaction.begin() }
                    return result
                }, in: transaction
            ) { place.connection }
        }
    }

    @discardableResult
    package func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        try pool.use { place in
            let connection = try place.begin(writing: false)
            connection.settling = { [pool, horizon] (sequence) throws(StoreError) in
                try horizon.cover(sequence) { () throws(StoreError) in
                    try pool.beside { (other) throws(StoreError) in try other.flush() }
                }
            }
            defer { connection.settling = nil }
            let transaction = Transaction(
                connection: connection, isWritable: false, settingsCache: settingsCache, stop: stop)
            return try run(body, in: transaction) { connection }
        }
    }

    /// - Parameter connection: nil as long as the transaction has not begun.
    private func run<T>(
        _ body: (Transaction) throws -> T, in transaction: Transaction, on connection: () -> PostgresConnection?
    ) throws -> T {
        do {
            let result = try body(transaction)
            guard transaction.isLive else { throw StoreError.transactionLost }
            transaction.end()
            if let connection = connection() { try commit(connection, transaction.lastEvent) }
            return result
        } catch {
            transaction.end()
            connection()?.rollBack()
            throw error
        }
    }

    package var recoveries: Recoveries { pool.recoveries }

    private func commit(_ connection: PostgresConnection, _ event: EventMark?) throws(StoreError) {
        switch connection.commit() {
        case .kept: return
        case .undone(let error): throw error
        case .unknown:
            guard try wasKept(event) else { throw .connectionLost("during the commit") }
        }
    }

    /// Looks for the last event of a transaction whose commit was not answered.
    ///
    /// Once it is our turn again, the lost connection has had its end, one way or the other: it held the turn.
    private func wasKept(_ event: EventMark?) throws(StoreError) -> Bool {
        guard let event else { throw .outcomeUnknown }
        do throws(StoreError) {
            return try pool.withNewConnection { (connection) throws(StoreError) in
                try connection.begin(writing: true)
                let transaction = Transaction(connection: connection, isWritable: true, settingsCache: settingsCache)
                let found: Bool
                do throws(StoreError) {
                    found = try transaction.events.get(event.sequence)?.requestID == event.requestID
                } catch {
                    connection.rollBack()
                    throw error
                }
                // With this one all earlier commits have reached the disk.
                connection.markChanged()
                guard case .kept = connection.commit() else { throw .outcomeUnknown }
                pool.noteResolved()
                return found
            }
        } catch {
            throw .outcomeUnknown
        }
    }

    package func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult {
        try question.check()
        guard let askingAddress else {
            throw SQLRefusal(
                .notConfigured,
                "over PostgreSQL, SQL is asked as a role that can read the views alone, and no such role is configured: "
                    + "set 'sql_store' in moonshelf.toml, or MOONSHELF_SQL_STORE (docs/sql-views.md)")
        }
        return try PostgresQueryRunner(askingAddress, question.limits).answer(question)
    }

    /// Reclaims the places of the rows of removed patrons, so that no user of the database can read them any more.
    /// The bytes go when the place is used again, or with `VACUUM FULL`; the server's write-ahead log, its archive and
    /// its backups are its administrator's.
    package func eraseTraces() throws {
        guard !isReadOnly else { throw StoreError.openedReadOnly }
        try pool.erase([
            "patrons", "patron_words", "blocks", "notices", "decision_log", "events", "job_runs", "credentials",
            "given_answers", "known_places", "email_changes", "plugin_values", "outgoing_requests",
        ])
    }

    package func close() throws {
        try pool.close()
    }
}

/// Something that is off until it is switched on.
private final class Switch: Sendable {
    let isOn = Atomic<Bool>(false)
}
