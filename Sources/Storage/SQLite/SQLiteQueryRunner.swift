import GRDBSQLite
import Glibc

/// A handle of its own on which a question is answered: read-only, without extensions, under an authorizer.
final class SQLiteQueryRunner {
    private let handle: OpaquePointer
    private let authorizer: SQLiteAuthorizer

    /// - Parameter limits: those of the question.
    init(path: String, _ limits: SQLLimits, goesOn: @escaping () -> Bool) throws {
        handle = try Self.opened(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE)
        sqlite3_busy_timeout(handle, 5_000)
        authorizer = SQLiteAuthorizer(limits, tables: Self.tables(handle), goesOn: goesOn)
        try prepare()
    }

    /// - Parameter image: a whole database, as `sqlite3_serialize` gives it.
    init(image: UnsafeBufferPointer<UInt8>, _ limits: SQLLimits, goesOn: @escaping () -> Bool) throws {
        handle = try Self.opened(":memory:", SQLITE_OPEN_READWRITE)
        guard let copy = sqlite3_malloc64(UInt64(image.count)), let start = image.baseAddress else {
            sqlite3_close_v2(handle)
            throw StoreError.fault("there is no memory for a copy of the store")
        }
        memcpy(copy, start, image.count)
        // SQLite frees it, also on failure.
        let code = sqlite3_deserialize(
            handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
        authorizer = SQLiteAuthorizer(limits, tables: Self.tables(handle), goesOn: goesOn)
        guard code == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw StoreError.fault("the store in memory cannot be copied")
        }
        try prepare()
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private static func opened(_ path: String, _ flags: Int32) throws -> OpaquePointer {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw StoreError.cannotOpen(path, "it cannot be asked")
        }
        return handle
    }

    private static func tables(_ handle: OpaquePointer) -> Set<String> {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var names: Set<String> = []
        sqlite3_prepare_v2(handle, "SELECT lower(name) FROM sqlite_schema", -1, &statement, nil)
        while sqlite3_step(statement) == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 0) { names.insert(String(cString: name)) }
        }
        return names
    }

    private func prepare() throws {
        for (limit, most) in Self.limits { _ = sqlite3_limit(handle, limit, most) }
        // What sorts and recurses stays in memory, where it is counted, and does not fill the disk.
        let settings = "PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; PRAGMA cache_size = -8192"
        let code = sqlite3_exec(handle, settings, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: handle) }
        try SQLiteTextFunctions.define(on: handle, authorizer)
        let context = Unmanaged.passUnretained(authorizer).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, view in
                guard let context else { return SQLITE_DENY }
                func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
                let authorizer = Unmanaged<SQLiteAuthorizer>.fromOpaque(context).takeUnretainedValue()
                return authorizer.allows(action, text(first), text(second), within: text(view))
                    ? SQLITE_OK : SQLITE_DENY
            }, context)
        for view in ReportView.all { try learn(view) }
        authorizer.stopLearning()
        sqlite3_progress_handler(
            handle, 1_000,
            { context in
                guard let context else { return 1 }
                return Unmanaged<SQLiteAuthorizer>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
            }, context)
    }

    private func learn(_ view: ReportView) throws {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_prepare_v2(handle, "SELECT * FROM \(view.name)", -1, &statement, nil)
        guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: handle) }
    }

    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 1_000_000), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_COLUMN, 200),
        (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50), (SQLITE_LIMIT_VDBE_OP, 100_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 64), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 1_000), (SQLITE_LIMIT_TRIGGER_DEPTH, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    func answer(_ question: SQLQuery) throws -> SQLResult {
        let statement = try compiled(question.text)
        defer { sqlite3_finalize(statement) }
        try bind(question.values, to: statement)
        let columns = (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        }
        var meter = AnswerMeter(question.limits, columns: columns)
        try meter.answer.checkColumns()
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else {
                if code == SQLITE_DONE { return meter.answer }
                throw failure(code)
            }
            try meter.take(columns.indices.map { Self.value(statement, Int32($0)) })
        }
    }

    private func compiled(_ text: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        var further: OpaquePointer?
        defer { sqlite3_finalize(further) }
        let isOne = try text.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(handle, start, -1, &statement, &tail)
            guard code == SQLITE_OK else { throw failure(code) }
            // Whatever stands behind the first statement must be blank: a second one that cannot be read counts too.
            return sqlite3_prepare_v2(handle, tail, -1, &further, nil) == SQLITE_OK && further == nil
        }
        guard let statement else { throw SQLRefusal(.statement, "there is no statement") }
        guard isOne else {
            sqlite3_finalize(statement)
            throw SQLRefusal.severalStatements
        }
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_stmt_isexplain(statement) == 0,
            sqlite3_column_count(statement) > 0
        else {
            sqlite3_finalize(statement)
            throw SQLRefusal.notReading
        }
        return statement
    }

    private func bind(_ values: [StoredValue], to statement: OpaquePointer) throws {
        let wanted = Int(sqlite3_bind_parameter_count(statement))
        guard values.count == wanted else {
            throw SQLRefusal(.statement, "the statement has \(wanted) parameters, and \(values.count) were given")
        }
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, index)
                case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
                case .real(let real): sqlite3_bind_double(statement, index, real)
                case .text(let text):
                    sqlite3_bind_text(
                        statement, index, text, Int32(clamping: text.utf8.count),
                        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    private func failure(_ code: Int32) -> any Error {
        if let refusal = authorizer.refusal { return refusal }
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOTADB:
            return StoreError.sqlite(code, on: handle)
        case SQLITE_TOOBIG: return SQLRefusal.tooLargeValue
        case SQLITE_NOMEM: return SQLRefusal.tooMuchMemory
        default:
            return SQLRefusal(.statement, sqlite3_errmsg(handle).map { String(cString: $0) } ?? "it cannot be read")
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> StoredValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
            return .text(bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined())
        default: return .null
        }
    }
}
