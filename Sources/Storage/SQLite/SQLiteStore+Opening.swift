extension SQLiteStore {
    /// Opens a store.
    ///
    /// A file is recognised before anything is written to it: one that is something else is refused as it is. A new
    /// file, and those that SQLite puts beside it, can be read and written by their owner alone.
    ///
    /// - Parameters:
    ///   - create: makes the store if there is none, and migrates an older one. A memory store is always made.
    ///   - busyTimeout: how many seconds to wait for another process before ``StoreError/Code/locked``.
    ///   - versions: which a store may have that is opened without being brought to this one.
    ///   - recorder: records every statement on a file; for measurements.
    ///   - stop: ends what is done with the store before it is done.
    package static func open(
        _ location: StoreLocation, mode: Mode = .readWrite, create: Bool = false, busyTimeout: Double = 5,
        versions: Versions = .current, recorder: StatementRecorder? = nil, stop: StopRequest? = nil
    ) throws(StoreError) -> SQLiteStore {
        try open(
            location, mode: mode, create: create, busyTimeout: busyTimeout, versions: versions,
            bounds: SQLiteWriter.Bounds(), recorder: recorder, stop: stop)
    }

    /// - Parameter bounds: how much shares a commit.
    static func open(
        _ location: StoreLocation, mode: Mode = .readWrite, create: Bool = false, busyTimeout: Double = 5,
        versions: Versions = .current, bounds: SQLiteWriter.Bounds, recorder: StatementRecorder? = nil,
        stop: StopRequest? = nil
    ) throws(StoreError) -> SQLiteStore {
        do {
            switch location {
            case .memory: return try openMemory(stop)
            case .file(let path):
                let connect: Connecting = { isReadOnly in
                    try SQLiteSession(
                        path: path, isReadOnly: isReadOnly, busyTimeout: busyTimeout, recorder: recorder)
                }
                return try openFile(
                    path, mode: mode, create: create, versions: versions, bounds, stop, connect)
            case .postgres: throw StoreError.badLocation("\(location) is not an SQLite store")
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw .fault("\(error)")
        }
    }

    /// A new file with the schema of a version, this one or an earlier one, and nothing in it, for a ``StoreCopy``.
    package static func make(
        at path: String, version: Int64, stop: StopRequest? = nil
    ) throws(StoreError) -> SQLiteStore {
        do {
            try SQLiteFile.check(path, create: true)
            let session = try SQLiteSession(path: path)
            try session.use { connection in try SQLiteSchema.migrate(connection, path: path, upTo: version) }
            try session.close()
            return try open(.file(path), versions: .known, stop: stop)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .fault("\(error)")
        }
    }

    /// A new memory store with the schema and nothing in it.
    package static func memory() throws(StoreError) -> SQLiteStore { try open(.memory) }

    private static func openMemory(_ stop: StopRequest?) throws -> SQLiteStore {
        let session = try SQLiteSession(path: nil)
        try session.use { connection in
            try SQLiteSchema.migrate(connection, path: "memory")
        }
        return SQLiteStore(location: .memory, writer: session, readers: nil, stop: stop)
    }

    /// A new store with the schema and nothing in it, for a reckoning that may outgrow the memory: what does not fit
    /// into 64 MiB of pages goes into a temporary file without a name. It ends with being closed. The journal is in memory:
    /// that of each savepoint would otherwise be written beside the file, page by page. Circulation is not counted in it.
    ///
    /// - Parameter keys: keys that rows are given of themselves are larger than this, so that rows can be put in under keys
    ///   that they had elsewhere.
    package static func scratch(keysAfter keys: Int64 = 0, stop: StopRequest? = nil) throws(StoreError) -> SQLiteStore {
        do {
            let session = try SQLiteSession(path: "")
            try session.use { connection in
                try connection.execute(script: scratchSettings)
                if keys > 0 { connection.dialect = .sqliteCountingKeys }
                try SQLiteSchema.migrate(connection, path: "scratch")
                if keys > 0 { try connection.setLastKeys { _ in keys } }
            }
            return SQLiteStore(location: .memory, writer: session, readers: nil, derived: .indexes, stop: stop)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .fault("\(error)")
        }
    }

    static let scratchSettings = "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -65536;"

    private typealias Connecting = @Sendable (_ isReadOnly: Bool) throws -> SQLiteSession

    private static func openFile(
        _ path: String, mode: Mode, create: Bool, versions: Versions, _ bounds: SQLiteWriter.Bounds,
        _ stop: StopRequest?, _ connect: @escaping Connecting
    ) throws -> SQLiteStore {
        try SQLiteFile.check(path, create: create && mode == .readWrite)
        let readers = SQLiteReaders { try connect(true) }
        guard mode == .readWrite else {
            try readers.use { connection in
                try SQLiteSchema.check(connection, path: path, versions: versions)
            }
            return SQLiteStore(location: .file(path), writer: nil, readers: readers, stop: stop)
        }
        let writer = try connect(false)
        try writer.use { connection in
            if create {
                try SQLiteSchema.migrate(connection, path: path)
            } else {
                try SQLiteSchema.check(connection, path: path, versions: versions)
            }
            try prepareForWriting(connection, path: path)
        }
        try SQLiteFile.protect(path)
        return SQLiteStore(location: .file(path), writer: writer, readers: readers, bounds: bounds, stop: stop)
    }

    /// Write-ahead log, every commit on the disk before it returns, and no trace of what was deleted.
    private static func prepareForWriting(_ connection: SQLiteConnection, path: String) throws(StoreError) {
        guard try connection.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw .cannotOpen(path, "its file system has no shared memory, which the write-ahead log needs")
        }
        try connection.execute(script: writingSettings)
    }

    /// What a connection that writes to a file is set to, beside `journal_mode`. 16 MiB of pages hold the parts of the
    /// indexes that every checkout passes through, so that it reads few of them again. What a savepoint would need to undo
    /// its changes stays in memory: beyond 64 KiB SQLite would write it into a file, for no checkout could do without.
    package static let writingSettings = """
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -16384;
        PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA journal_size_limit = 67108864;
        """
}
