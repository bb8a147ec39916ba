/// The mark and the version in the head of an SQLite file.
enum SQLiteSchema {
    /// `Mnsh`: what stands in the file's head to say whose it is.
    static let applicationID: Int64 = 0x4D6E_7368

    /// Whether the file is a store of the version that this program works with.
    ///
    /// - Parameter versions: which others it may have.
    static func check(
        _ connection: SQLiteConnection, path: String, versions: SQLiteStore.Versions = .current
    ) throws(StoreError) {
        let version = try version(of: connection, path: path, isNewerWelcome: versions == .all)
        guard version == Schema.version || versions != .current && version > 0 else {
            throw version == 0
                ? .missing(path) : .older(path, version: version, needed: Schema.version)
        }
    }

    /// Brings the file to this program's version, in one transaction.
    ///
    /// Two processes that do this at once do it one after the other, and the second finds it done.
    ///
    /// - Parameter last: an earlier version at which to stop; it has no views, which are made with the program's own.
    static func migrate(
        _ connection: SQLiteConnection, path: String, upTo last: Int64 = Schema.version
    ) throws(StoreError) {
        if try version(of: connection, path: path) == last { return }
        try connection.begin(writing: true)
        do throws(StoreError) {
            let version = try version(of: connection, path: path)
            try connection.execute(script: ReportView.droppingScript)
            for migration in Schema.migrations where migration.version > version && migration.version <= last {
                try migration.run(on: connection)
            }
            if last == Schema.version {
                try connection.remakeViews(Schema.customFields(on: connection))
                try Schema.indexCustomFields(on: connection)
            }
            try connection.execute(
                script: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(last);")
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// 0 if the file is empty.
    private static func version(
        of connection: SQLiteConnection, path: String, isNewerWelcome: Bool = false
    ) throws(StoreError) -> Int64 {
        let mark = try connection.integer("PRAGMA application_id")
        let version = try connection.integer("PRAGMA user_version")
        if mark == 0, version == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return 0 }
        guard mark == applicationID else { throw .notAStore(path, "it is another program's SQLite database") }
        guard version <= Schema.version || isNewerWelcome else {
            throw .newer(path, version: version, known: Schema.version)
        }
        return version
    }
}
