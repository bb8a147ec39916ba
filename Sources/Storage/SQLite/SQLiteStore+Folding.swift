extension SQLiteStore {
    /// `Mnck`: what stands in the head of a file that is no store but what its events led to so far.
    private static let checkpointID: Int64 = 0x4D6E_636B

    /// A store for what the events of another one lead to. It has the records alone: no counts, no search, and of the
    /// indexes those that hold what is unique or that references need.
    ///
    /// - Parameter path: where it lasts, so that it can be gone on with; nil: it is a scratch store, which ends with being
    ///   closed. A file of another version of the schema is begun anew.
    /// - Throws: ``StoreError/Code/cannotWrite`` if something else is there.
    package static func folding(at path: String? = nil) throws(StoreError) -> SQLiteStore {
        do {
            if let path { try prepareCheckpoint(path) }
            let session = try SQLiteSession(path: path ?? "")
            try session.use { connection in
                if path == nil { try connection.execute(script: scratchSettings) }
                if try connection.integer("PRAGMA user_version") == 0 {
                    try SQLiteSchema.migrate(connection, path: path ?? "scratch")
                    let removals = indexesOfReaders.map { "DROP INDEX IF EXISTS \($0);" }
                    let mark = "PRAGMA application_id = \(checkpointID);"
                    try connection.execute(script: removals.joined(separator: " ") + mark)
                }
                // What the file is stands in its head, and not in a log beside it.
                if path != nil { try connection.execute(script: lastingSettings) }
            }
            return SQLiteStore(location: .memory, writer: session, readers: nil, derived: .none)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .fault("\(error)")
        }
    }

    private static let lastingSettings = """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000;
        PRAGMA cache_size = -65536;
        """

    /// Those by which people find and order. Events are applied by keys and references.
    private static let indexesOfReaders = [
        "copies_by_branch", "copies_by_branch_and_title", "holds_by_import_key", "loans_by_import_key",
        "loans_by_lent_at", "loans_by_returned_at", "loans_claimed", "loans_lost", "loans_open_by_due",
        "notices_failed", "notices_queued", "notices_unread", "patrons_by_name", "titles_by_author",
        "titles_by_identity", "titles_by_title", "titles_recommended",
    ]

    private static func prepareCheckpoint(_ path: String) throws(StoreError) {
        let isOpen = OpenFile.isOpen(path)
        let head = isOpen ? nil : SQLiteFile.head(of: path)
        if isOpen || head?.isEmpty == false {
            guard let head, SQLiteFile.number(in: head, at: 68) == checkpointID else {
                throw .cannotWrite(path, "it is something else than a checkpoint; choose another file")
            }
            if SQLiteFile.number(in: head, at: 60) == Schema.version { return }
        }
        try removeCheckpoint(path)
        try SQLiteFile.make(path)
    }

    /// Removes a checkpoint, so that the next one begins anew.
    package static func removeCheckpoint(_ path: String) throws(StoreError) {
        try SQLiteFile.removeCompanions(of: path)
        try SQLiteFile.remove([path])
    }
}
