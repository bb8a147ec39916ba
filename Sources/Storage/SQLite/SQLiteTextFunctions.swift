import GRDBSQLite

/// SQLite's functions over texts whose work is the product of two lengths, which nothing breaks off: here it is their
/// sum.
enum SQLiteTextFunctions {
    /// Puts them into the place of SQLite's own.
    static func define(on handle: OpaquePointer) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
        let functions: [(String, Int32, Function)] = [
            ("instr", 2, { SQLiteTextFunctions.instr($0, $2) }),
            ("replace", 3, { SQLiteTextFunctions.replace($0, $2) }),
            ("trim", 2, { SQLiteTextFunctions.trim($0, $2, left: true, right: true) }),
            ("ltrim", 2, { SQLiteTextFunctions.trim($0, $2, left: true, right: false) }),
            ("rtrim", 2, { SQLiteTextFunctions.trim($0, $2, left: false, right: true) }),
        ]
        for (name, count, function) in functions {
            let code = sqlite3_create_function_v2(handle, name, count, flags, nil, function, nil, nil, nil)
            guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: handle) }
        }
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
            let found = LinearSearch.find(first + start, text.count - start, other, wanted.count)
        else { return nil }
        return found - first
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

    private static func replace(_ context: OpaquePointer?, _ arguments: Arguments?) {
        guard let arguments, let text = Self.text(arguments[0]), let wanted = Self.text(arguments[1]),
            let other = Self.text(arguments[2])
        else { return sqlite3_result_null(context) }
        if wanted.isEmpty { return give(context, Array(text)) }
        let most = Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
        var result: [UInt8] = []
        var start = 0
        while let place = find(wanted, in: text, from: start) {
            result.append(contentsOf: text[start..<place])
            result.append(contentsOf: other)
            start = place + wanted.count
            if result.count > most { return sqlite3_result_error_toobig(context) }
        }
        result.append(contentsOf: text[start...])
        give(context, result)
    }

    private static func trim(_ context: OpaquePointer?, _ arguments: Arguments?, left: Bool, right: Bool) {
        guard let arguments, let text = Self.text(arguments[0]), let set = Self.text(arguments[1]) else {
            return sqlite3_result_null(context)
        }
        let unwanted = Set(String(decoding: set, as: UTF8.self).unicodeScalars)
        var rest = String(decoding: text, as: UTF8.self).unicodeScalars[...]
        if left { rest = rest.drop { unwanted.contains($0) } }
        if right { while let last = rest.last, unwanted.contains(last) { rest.removeLast() } }
        give(context, Array(String(rest).utf8))
    }

    private static func give(_ context: OpaquePointer?, _ bytes: [UInt8]) {
        // SQLite makes a copy, and refuses what is too long.
        bytes.withUnsafeBytes {
            sqlite3_result_text64(
                context, $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64($0.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
        }
        if bytes.isEmpty { sqlite3_result_text(context, "", 0, nil) }
    }
}

/// Finds bytes in bytes in linear time, after Knuth, Morris and Pratt.
enum LinearSearch {
    static func find(
        _ text: UnsafeRawPointer, _ count: Int, _ wanted: UnsafeRawPointer, _ wantedCount: Int
    ) -> UnsafeRawPointer? {
        let text = UnsafeRawBufferPointer(start: text, count: count)
        let wanted = UnsafeRawBufferPointer(start: wanted, count: wantedCount)
        guard let first = wanted.first else { return text.baseAddress }
        guard count >= wantedCount else { return nil }
        guard wantedCount > 1 else { return text.firstIndex(of: first).flatMap { text.baseAddress?.advanced(by: $0) } }
        // How much of `wanted` is matched again where a match breaks off.
        var again = [Int](repeating: 0, count: wantedCount)
        var matched = 0
        for index in 1..<wantedCount {
            while matched > 0, wanted[index] != wanted[matched] { matched = again[matched - 1] }
            if wanted[index] == wanted[matched] { matched += 1 }
            again[index] = matched
        }
        matched = 0
        for index in 0..<count {
            while matched > 0, text[index] != wanted[matched] { matched = again[matched - 1] }
            if text[index] == wanted[matched] { matched += 1 }
            if matched == wantedCount { return text.baseAddress?.advanced(by: index + 1 - wantedCount) }
        }
        return nil
    }
}
