import GRDBSQLite

/// Copies a database page by page, by SQLite's own means.
enum SQLitePages {
    private static let pagesAtATime: Int32 = 64

    /// How much is done, in pages.
    typealias Progress = (_ done: Int, _ all: Int) throws -> Void

    /// Copies all pages of one connection's database over another's.
    ///
    /// The source is read within the transaction that is open on it, the target written in one transaction of its own: it
    /// holds all at the end, and what it held before if this throws.
    static func copy(from source: OpaquePointer, to target: OpaquePointer, _ progress: Progress) throws {
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw StoreError.sqlite(sqlite3_errcode(target), on: target)
        }
        var isFinished = false
        defer { if !isFinished { sqlite3_backup_finish(backup) } }
        while true {
            let code = sqlite3_backup_step(backup, pagesAtATime)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_OK else {
                throw StoreError.sqlite(code, sqlite3_errstr(code).map { String(cString: $0) } ?? "")
            }
            let all = Int(sqlite3_backup_pagecount(backup))
            try progress(all - Int(sqlite3_backup_remaining(backup)), all)
        }
        isFinished = true
        let code = sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: target) }
    }

    /// Runs `body` with a file as SQLite has it, without any of a store's settings.
    static func withFile<Result>(_ path: String, _ body: (OpaquePointer) throws -> Result) throws -> Result {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        defer { sqlite3_close(handle) }
        guard code == SQLITE_OK, let handle else { throw StoreError.sqlite(code, on: handle) }
        return try body(handle)
    }

    static func execute(_ script: String, on handle: OpaquePointer) throws {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError.sqlite(code, on: handle) }
    }
}
