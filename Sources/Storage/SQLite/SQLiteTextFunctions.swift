import CMemory
import GRDBSQLite

/// SQLite's functions over texts whose work is the product of two lengths, which nothing breaks off: here it is their
/// sum.
enum SQLiteTextFunctions {
    /// Puts them into the place of SQLite's own, which asks between its steps whether it may go on and not within a function.
    ///
    /// - Parameter authorizer: outlives the handle.
    static func define(on handle: OpaquePointer, _ authorizer: SQLiteAuthorizer) throws {
        let limits = Unmanaged.passUnretained(authorizer).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
        let functions: [(String, Int32, Function)] = [
            ("instr", 2, { if SQLiteTextFunctions.mayGoOn($0) { SQLiteTextFunctions.instr($0, $2) } }),
            ("replace", 3, { if SQLiteTextFunctions.mayGoOn($0) { SQLiteTextFunctions.replace($0, $2) } }),
            (
                "trim", 2,
                { if SQLiteTextFunctions.mayGoOn($0) { SQLiteTextFunctions.trim($0, $2, left: true, right: true) } }
            ),
            (
                "ltrim", 2,
                { if SQLiteTextFunctions.mayGoOn($0) { SQLiteTextFunctions.trim($0, $2, left: true, right: false) } }
            ),
            (
                "rtrim", 2,
                { if SQLiteTextFunctions.mayGoOn($0) { SQLiteTextFunctions.trim($0, $2, left: false, right: true) } }
            ),
        ]
        for (name, count, function) in functions {
            let code = sqlite3_create_function_v2(handle, name, count, flags, limits, function, nil, nil, nil)
            guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: handle) }
        }
    }

    /// Whether a function may go on; where not, it has failed.
    private static func mayGoOn(_ context: OpaquePointer?) -> Bool {
        guard let limits = sqlite3_user_data(context),
            !Unmanaged<SQLiteAuthorizer>.fromOpaque(limits).takeUnretainedValue().mayGoOn()
        else { return true }
        sqlite3_result_error_code(context, SQLITE_INTERRUPT)
        return false
    }

    private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>

    /// An argument as text, nil for NULL.
    private static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
        let bytes = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The bytes of an argument, which may be a blob.
    private static func content(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return text(value) }
        let bytes = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// Where one stands in the other, at or after a place.
    private static func find(_ wanted: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int) -> Int?
    {
        guard let first = text.baseAddress, let other = wanted.baseAddress, start + wanted.count <= text.count,
            let found = memmem(first + start, text.count - start, other, wanted.count)
        else { return nil }
        return UnsafeRawPointer(found) - first
    }

    private static func instr(_ context: OpaquePointer?, _ arguments: Arguments?) {
        guard let arguments, let text = content(arguments[0]), let wanted = content(arguments[1]) else {
            return sqlite3_result_null(context)
        }
        if wanted.isEmpty { return sqlite3_result_int64(context, 1) }
        guard let place = find(wanted, in: text, from: 0) else { return sqlite3_result_int64(context, 0) }
        let isBlob = (0...1).allSatisfy { sqlite3_value_type(arguments[$0]) == SQLITE_BLOB }
        let before = isBlob ? place : text[..<place].count { $0 & 0xC0 != 0x80 }
        sqlite3_result_int64(context, Int64(before + 1))
    }

    /// How many places are replaced between two looks at the limits.
    private static let stride = 4_096

    private static func replace(_ context: OpaquePointer?, _ arguments: Arguments?) {
        guard let arguments, let text = Self.text(arguments[0]), let wanted = Self.text(arguments[1]),
            let other = Self.text(arguments[2])
        else { return sqlite3_result_null(context) }
        if wanted.isEmpty { return give(context, text) }
        var places: [Int] = []
        var start = 0
        while let place = find(wanted, in: text, from: start) {
            places.append(place)
            start = place + wanted.count
            if places.count % stride == 0, !mayGoOn(context) { return }
        }
        let count = text.count + places.count * (other.count - wanted.count)
        let most = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        guard count <= most else { return sqlite3_result_error_toobig(context) }
        var result = [UInt8](repeating: 0, count: count)
        result.withUnsafeMutableBytes { result in
            var (from, to) = (0, 0)
            func copy(_ bytes: UnsafeRawBufferPointer.SubSequence) {
                guard !bytes.isEmpty else { return }
                UnsafeMutableRawBufferPointer(rebasing: result[to...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes))
                to += bytes.count
            }
            for place in places {
                copy(text[from..<place])
                copy(other[...])
                from = place + wanted.count
            }
            copy(text[from...])
        }
        result.withUnsafeBytes { give(context, $0) }
    }

    private static func trim(_ context: OpaquePointer?, _ arguments: Arguments?, left: Bool, right: Bool) {
        guard let arguments, let text = Self.text(arguments[0]), let set = Self.text(arguments[1]) else {
            return sqlite3_result_null(context)
        }
        let unwanted = Set(String(decoding: set, as: UTF8.self).unicodeScalars)
        var rest = String(decoding: text, as: UTF8.self).unicodeScalars[...]
        if left { rest = rest.drop { unwanted.contains($0) } }
        if right { while let last = rest.last, unwanted.contains(last) { rest.removeLast() } }
        Array(String(rest).utf8).withUnsafeBytes { give(context, $0) }
    }

    private static func give(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
        // SQLite makes a copy, and refuses what is too long.
        sqlite3_result_text64(
            context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
        if bytes.isEmpty { sqlite3_result_text(context, "", 0, nil) }
    }
}
