import GRDBSQLite

/// A compiled statement on one connection, stepped without a layer in between.
final class SQLiteStatement: PreparedStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    private let parameterCount: Int
    /// Leased, and not given back yet.
    private(set) var isLeased = false
    /// Whether it goes back to the cache, instead of away.
    let isKept: Bool
    private var finalized = false

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ text: String, on connection: OpaquePointer, isKept: Bool) throws(StoreError) {
        var statement: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, text, -1, flags, &statement, nil)
        guard code == SQLITE_OK else { throw .sqlite(code, on: connection) }
        guard let statement else { throw .fault("an empty statement") }
        self.statement = statement
        self.connection = connection
        self.isKept = isKept
        parameterCount = Int(sqlite3_bind_parameter_count(statement))
    }

    deinit {
        finalize()
    }

    /// Whether it changes nothing.
    var isReading: Bool { sqlite3_stmt_readonly(statement) != 0 }

    /// As it was compiled.
    var text: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }

    func finalize() {
        guard !finalized else { return }
        finalized = true
        sqlite3_finalize(statement)
    }

    /// The instructions that were carried out since this was last asked for.
    func takeInstructions() -> Int {
        Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    func lease() {
        isLeased = true
    }

    func release() {
        isLeased = false
        guard isKept else { return finalize() }
        // The result repeats the error of the last step, which was thrown then.
        sqlite3_reset(statement)
    }

    func bind(_ values: [StoredValue]) throws(StoreError) {
        guard values.count == parameterCount else {
            throw .fault("\(values.count) values for \(parameterCount) parameters")
        }
        var index: Int32 = 0
        for value in values {
            index += 1
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, index)
                case .integer(let value): sqlite3_bind_int64(statement, index, value)
                case .real(let value): sqlite3_bind_double(statement, index, value)
                case .text(let value): bind(value, at: index)
                }
            guard code == SQLITE_OK else { throw .sqlite(code, on: connection) }
        }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_text(statement, index, "", 0, Self.transient)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                sqlite3_bind_text64(
                    statement, index, start, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
    }

    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw .sqlite(code, on: connection)
        }
    }

    var changes: Int {
        isReading ? 0 : Int(sqlite3_changes64(connection))
    }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
    func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
