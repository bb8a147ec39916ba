import GRDB

/// Counts how often the same row was seen in one file.
///
/// The counts live in a private database that SQLite keeps in a temporary file of its own once it outgrows the cache, so
/// that memory does not grow with the file that is read. One owner.
package final class RowCounter {
    private let queue: DatabaseQueue

    /// - Throws: ``StoreError`` if no temporary file can be made.
    package init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try database.execute(sql: "PRAGMA cache_size = -2048")
        }
        do {
            queue = try DatabaseQueue(path: "", configuration: configuration)
            try queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: "CREATE TABLE tally (content TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID")
            }
        } catch {
            throw StoreError.cannotOpen("the temporary file of an import", "\(error)")
        }
    }

    /// Forgets all counts: another file begins.
    package func reset() throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM tally") }
    }

    /// The number under which a content came first since the last reset: the one given, if that is now. Counts of
    /// ``ordinals(of:)`` are others.
    package func first(_ number: Int64, of content: String) throws -> Int64 {
        try queue.writeWithoutTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO tally (content, seen) VALUES (?, ?)
                    ON CONFLICT (content) DO UPDATE SET seen = seen RETURNING seen
                    """)
            return try Int64.fetchOne(statement, arguments: ["first:" + content, number]) ?? number
        }
    }

    /// For each content in turn, how often it was seen since the last reset, this time included: 1 for the first.
    package func ordinals(of contents: [String]) throws -> [Int64] {
        try queue.writeWithoutTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO tally (content, seen) VALUES (?, 1)
                    ON CONFLICT (content) DO UPDATE SET seen = seen + 1 RETURNING seen
                    """)
            return try contents.map { content in
                try Int64.fetchOne(statement, arguments: [content]) ?? 1
            }
        }
    }
}
