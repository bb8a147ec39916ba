import GRDB
import GRDBSQLite

/// One SQLite connection with its compiled statements; used on its session's queue alone.
final class SQLiteConnection: Connection {
    var dialect = Dialect.sqlite
    let handle: OpaquePointer
    private var kept: [SQLiteStatement?] = []
    /// What it had changed in all when the open transaction, or the part of it that is a caller's own, began; nil: the schema
    /// was changed since.
    private var changesBefore: Int64?
    /// Whether that part is a savepoint within others' transaction.
    private var isMember = false
    /// So many savepoints were begun before anything was changed: undoing them is undoing all of that part.
    private var bareSavepoints = 0
    private let recorder: StatementRecorder?

    init(_ database: Database, recorder: StatementRecorder?) throws(StoreError) {
        guard let handle = database.sqliteConnection else { throw .storeClosed }
        // GRDB's authorizer notes which columns its own statements read, for observers that there are none of here. It
        // would be called for each column of each statement that is compiled below, which costs more than compiling.
        sqlite3_set_authorizer(handle, nil, nil)
        self.handle = handle
        self.recorder = recorder
    }

    /// Frees the statements, without which the database cannot be closed.
    func finalizeStatements() {
        for statement in kept {
            statement?.finalize()
        }
        kept.removeAll()
    }

    func statement(_ query: Query) throws(StoreError) -> any PreparedStatement {
        let statement = try found(query)
        statement.lease()
        guard let recorder else { return statement }
        return ObservedStatement(statement, by: recorder)
    }

    private func found(_ query: Query) throws(StoreError) -> SQLiteStatement {
        guard let number = query.number else {
            let statement = try SQLiteStatement(dialect.rendered(query.text), on: handle, isKept: false)
            // It may change the schema, which is not counted.
            if !statement.isReading { changesBefore = nil }
            return statement
        }
        if number < kept.count, let statement = kept[number] {
            guard statement.isLeased else { return statement }
            // The same query runs inside its own loop: one more statement, for this time only.
            return try SQLiteStatement(dialect.rendered(query.text), on: handle, isKept: false)
        }
        let statement = try SQLiteStatement(dialect.rendered(query.text), on: handle, isKept: true)
        while kept.count <= number {
            kept.append(nil)
        }
        kept[number] = statement
        return statement
    }

    func execute(script: String) throws(StoreError) {
        changesBefore = nil
        let code = sqlite3_exec(handle, try dialect.rendered(schema: script), nil, nil, nil)
        guard code == SQLITE_OK else { throw .sqlite(code, on: handle) }
    }

    var insertedID: Int64 { sqlite3_last_insert_rowid(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func structuralFaults() throws(StoreError) -> [String] {
        try withLargeCache { () throws(StoreError) in try texts("PRAGMA integrity_check").filter { $0 != "ok" } }
    }

    /// Runs `body` with 64 MiB of pages: it looks up every row in every index.
    private func withLargeCache<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
        let usual = try integer("PRAGMA cache_size")
        try execute(script: "PRAGMA cache_size = -65536")
        defer { try? execute(script: "PRAGMA cache_size = \(usual)") }
        return try body()
    }

    func brokenReferences() throws(StoreError) -> [BrokenReference] {
        try withLargeCache { () throws(StoreError) in try readBrokenReferences() }
    }

    private func readBrokenReferences() throws(StoreError) -> [BrokenReference] {
        let statement = try SQLiteStatement("PRAGMA foreign_key_check", on: handle, isKept: false)
        defer { statement.release() }
        var broken: [BrokenReference] = []
        while try statement.step() {
            broken.append(
                BrokenReference(
                    table: statement.text(0), id: statement.isNull(1) ? nil : statement.integer(1),
                    target: statement.text(2)))
        }
        return broken
    }

    /// The first column of all rows.
    func texts(_ text: String) throws(StoreError) -> [String] {
        let statement = try SQLiteStatement(text, on: handle, isKept: false)
        defer { statement.release() }
        var texts: [String] = []
        while try statement.step() {
            texts.append(statement.text(0))
        }
        return texts
    }

    /// Runs `body` with the whole database as its file would be.
    func withImage<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) throws -> T {
        var size: Int64 = 0
        guard let image = sqlite3_serialize(handle, "main", &size, 0) else {
            throw StoreError.fault("there is no memory for a copy of the store")
        }
        defer { sqlite3_free(image) }
        return try body(UnsafeBufferPointer(start: image, count: Int(size)))
    }

    func integer(_ text: String) throws(StoreError) -> Int64 {
        let statement = try SQLiteStatement(text, on: handle, isKept: false)
        defer { statement.release() }
        return try statement.step() ? statement.integer(0) : 0
    }
}

// Transactions.
extension SQLiteConnection {
    private static let beginReading = Query("BEGIN DEFERRED")
    private static let beginWriting = Query("BEGIN IMMEDIATE")
    private static let commit = Query("COMMIT")
    private static let rollback = Query("ROLLBACK")

    private func run(_ query: Query) throws(StoreError) {
        let statement = try statement(query)
        defer { statement.release() }
        _ = try statement.step()
    }

    func begin(writing: Bool) throws(StoreError) {
        try run(writing ? Self.beginWriting : Self.beginReading)
        notePart(isMember: false)
    }

    private func notePart(isMember: Bool) {
        self.isMember = isMember
        changesBefore = sqlite3_total_changes64(handle)
        bareSavepoints = 0
    }

    private var hasChanged: Bool { sqlite3_total_changes64(handle) != changesBefore }

    func commit() throws(StoreError) {
        try run(Self.commit)
    }

    /// Ends the transaction, if SQLite has not ended it itself. Never throws: where it fails, closing does the same.
    func rollBack() {
        if isInTransaction {
            try? run(Self.rollback)
        }
    }

    private static let beginningMember = Query("SAVEPOINT member")
    private static let releasingMember = Query("RELEASE member")
    private static let undoingMember = Query("ROLLBACK TO member")

    /// A savepoint around the work of one of those who share a transaction; those of the work itself lie within it.
    func beginMember() throws(StoreError) {
        try run(Self.beginningMember)
        notePart(isMember: true)
    }

    func releaseMember() throws(StoreError) { try run(Self.releasingMember) }

    func rollBackMember() throws(StoreError) {
        try run(Self.undoingMember)
        try run(Self.releasingMember)
    }

    /// As long as nothing was changed there is nothing to be kept, which SQLite would do by a copy of each page that changes.
    func beginSavepoint(_ depth: Int) throws(StoreError) {
        if depth == bareSavepoints + 1, !hasChanged {
            bareSavepoints = depth
        } else {
            try run(Self.savepoint(Self.savepoints, depth, "SAVEPOINT"))
        }
    }

    func releaseSavepoint(_ depth: Int) throws(StoreError) {
        if depth <= bareSavepoints {
            bareSavepoints = depth - 1
        } else {
            try run(Self.savepoint(Self.releases, depth, "RELEASE"))
        }
    }

    func rollBackToSavepoint(_ depth: Int) throws(StoreError) {
        if depth <= bareSavepoints {
            if hasChanged { try undoPart() }
            bareSavepoints = depth - 1
        } else {
            try run(Self.savepoint(Self.rollbacks, depth, "ROLLBACK TO"))
            try run(Self.savepoint(Self.releases, depth, "RELEASE"))
        }
    }

    /// Goes on as if nothing had been done since the transaction, or the caller's part of it, began.
    ///
    /// - Throws: ``StoreError`` if another process has written before it could begin again: what was read is outdated.
    private func undoPart() throws(StoreError) {
        if isMember {
            try run(Self.undoingMember)
        } else {
            let version = try integer("PRAGMA data_version")
            try run(Self.rollback)
            try run(Self.beginWriting)
            guard try integer("PRAGMA data_version") == version else {
                try run(Self.rollback)
                throw .undoneByAnother
            }
        }
        changesBefore = sqlite3_total_changes64(handle)
    }

    private static let savepoints = (1...4).map { Query("SAVEPOINT level_\($0)") }
    private static let releases = (1...4).map { Query("RELEASE level_\($0)") }
    private static let rollbacks = (1...4).map { Query("ROLLBACK TO level_\($0)") }

    private static func savepoint(_ usual: [Query], _ depth: Int, _ verb: String) -> Query {
        depth <= usual.count ? usual[depth - 1] : Query(once: "\(verb) level_\(depth)")
    }
}
