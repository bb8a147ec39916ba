import GRDBSQLite

extension SQLiteStore {
    /// Opens a store of this version or an earlier one, to be copied as it is.
    ///
    /// - Throws: ``StoreError``, as ``open(_:mode:create:busyTimeout:recorder:stop:)`` does, but for `older`.
    package static func openToCopy(_ path: String, stop: StopRequest? = nil) throws(StoreError) -> SQLiteStore {
        try open(.file(path), mode: .readOnly, versions: .known, stop: stop)
    }

    /// Writes the store as it is at this moment into an empty file, while others go on writing to the store.
    ///
    /// The file is a whole database in one piece, without a log beside it.
    ///
    /// - Parameter progress: called with the pages copied and their total; an error that it throws ends the copy.
    package func writeCopy(to path: String, _ progress: (_ done: Int, _ all: Int) throws -> Void = { _, _ in }) throws {
        try SQLitePages.withFile(path) { target in
            // No process sees the file before it is complete.
            try SQLitePages.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", on: target)
            try copyPages(to: target, progress)
        }
        try Self.joinLog(of: path)
    }

    /// Makes a file one piece: its log is part of it, and there is none any more.
    package static func joinLog(of path: String) throws {
        try SQLitePages.withFile(path) { try SQLitePages.execute("PRAGMA journal_mode = DELETE", on: $0) }
    }

    /// Puts what a file holds in the place of all that this store holds, in one transaction: other processes see the
    /// one or the other.
    package func replaceContents(
        by other: SQLiteStore, _ progress: (_ done: Int, _ all: Int) throws -> Void = { _, _ in }
    ) throws {
        try withWritingConnection { connection in
            try other.copyPages(to: connection.handle, progress)
        }
    }

    /// Removes what SQLite keeps beside a file, which must not meet a new file of the name.
    ///
    /// - Throws: ``StoreError/Code/cannotWrite``.
    package static func removeCompanions(of path: String) throws(StoreError) {
        try SQLiteFile.removeCompanions(of: path)
    }

    private func copyPages(to target: OpaquePointer, _ progress: (_ done: Int, _ all: Int) throws -> Void) throws {
        try withReadingConnection { connection in
            try connection.begin(writing: false)
            defer { connection.rollBack() }
            // The snapshot is taken with the first page that is read.
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_schema")
            try SQLitePages.copy(from: connection.handle, to: target) { done, all in
                try stop?.check()
                try progress(done, all)
            }
        }
    }

    /// What SQLite itself finds wrong in the file, and references that lead nowhere; this asks nothing of the schema's
    /// version.
    package func structuralFaults() throws -> [String] {
        try withReadingConnection { connection in
            let faults = try connection.structuralFaults()
            guard faults.isEmpty else { return faults }
            return try connection.brokenReferences().map {
                "a row of \($0.table) refers to one of \($0.target) that is not there"
            }
        }
    }

    /// What is wrong with the pages of the file and the trees that they are, looking at each page once: not whether indexes
    /// have what their tables have, nor whether references lead anywhere.
    package func pageFaults() throws -> [String] {
        try withReadingConnection { try $0.texts("PRAGMA quick_check").filter { $0 != "ok" } }
    }

    /// The version of the schema that the file holds.
    package func schemaVersion() throws -> Int64 {
        try withReadingConnection { try $0.integer("PRAGMA user_version") }
    }
}
