import CPostgres

/// What the server answered to one statement. It frees itself.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// Whether the statement was carried out.
    var isFine: Bool {
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: true
        default: false
        }
    }

    /// Whether it ends the answers to a pipeline.
    var isSynchronisation: Bool { PQresultStatus(handle) == PGRES_PIPELINE_SYNC }

    /// Whether the statement was left out, since one before it in the pipeline failed.
    var isSkipped: Bool { PQresultStatus(handle) == PGRES_PIPELINE_ABORTED }

    /// Whether the server waits for the rows of a `COPY`.
    var isTakingRows: Bool { PQresultStatus(handle) == PGRES_COPY_IN }

    var rowCount: Int { Int(PQntuples(handle)) }

    var columnCount: Int { Int(PQnfields(handle)) }

    /// A column's name.
    func fieldName(_ column: Int) -> String { PQfname(handle, Int32(column)).map { String(cString: $0) } ?? "" }

    /// The number of a column's type, as the server's catalogue has it.
    func type(_ column: Int) -> UInt32 { PQftype(handle, Int32(column)) }

    /// What was done, in the server's word: `INSERT 0 1`.
    var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// How many rows were inserted, updated or deleted.
    var changes: Int {
        guard !isReading else { return 0 }
        return PQcmdTuples(handle).map { String(cString: $0) }.flatMap { Int($0) } ?? 0
    }

    /// Whether the statement only read.
    var isReading: Bool { tag.hasPrefix("SELECT") || tag.hasPrefix("FETCH") }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) != 0 }

    private func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        let count = Int(PQgetlength(handle, Int32(row), Int32(column)))
        guard count > 0, let start = PQgetvalue(handle, Int32(row), Int32(column)) else {
            return .init(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// 0 for null, as SQLite has it.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let digits = bytes(row, column)
        guard let first = digits.first else { return 0 }
        let isNegative = first == UInt8(ascii: "-")
        var value: Int64 = 0
        for digit in isNegative ? digits.dropFirst() : digits[...] {
            // What is not a whole number, such as a sum that was not cast, is read as far as it goes.
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { break }
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            let figure = Int64(digit &- UInt8(ascii: "0"))
            let (next, overflowedToo) =
                isNegative ? tens.subtractingReportingOverflow(figure) : tens.addingReportingOverflow(figure)
            if overflowed || overflowedToo { return isNegative ? .min : .max }
            value = next
        }
        return value
    }

    func double(_ row: Int, _ column: Int) -> Double { Double(text(row, column)) ?? 0 }

    func text(_ row: Int, _ column: Int) -> String { PostgresText.read(bytes(row, column)) }

    /// The five characters by which the SQL standard and PostgreSQL name what went wrong; nil if libpq failed by
    /// itself.
    var state: String? { PQresultErrorField(handle, postgres_sqlstate).map { String(cString: $0) } }

    /// What went wrong, in one sentence of the server's. The detail, which shows values, is left out.
    var message: String {
        if let primary = PQresultErrorField(handle, postgres_primary_message) { return String(cString: primary) }
        return PQresultErrorMessage(handle).map { String(cString: $0) } ?? ""
    }
}
