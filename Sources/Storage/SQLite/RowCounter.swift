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
                try database.execute(
                    sql: """
                        CREATE TABLE met (
                            key TEXT PRIMARY KEY, serial INTEGER NOT NULL, line INTEGER NOT NULL, said INTEGER NOT NULL
                        ) WITHOUT ROWID
                        """)
            }
        } catch {
            throw StoreError.cannotOpen("the temporary file of an import", "\(error)")
        }
    }

    /// Forgets all counts: another file begins.
    package func reset() throws {
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "DELETE FROM tally")
            try database.execute(sql: "DELETE FROM met")
        }
    }

    /// A record of a file: where it stands, and a hash of what it says.
    package struct Place: Hashable, Sendable {
        /// Another one for each record.
        package var serial: Int64
        package var line: Int64
        package var said: Int64

        package init(serial: Int64, line: Int64, said: Int64) {
            (self.serial, self.line, self.said) = (serial, line, said)
        }
    }

    /// Where the record of a key came first since the last reset: the place given, if that is now.
    package func firstPlace(_ place: Place, of key: String) throws -> Place {
        try queue.writeWithoutTransaction { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO met (key, serial, line, said) VALUES (?, ?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET line = line RETURNING serial, line, said
                    """)
            let row = try Row.fetchOne(statement, arguments: [key, place.serial, place.line, place.said])
            return row.map { Place(serial: $0[0], line: $0[1], said: $0[2]) } ?? place
        }
    }

    /// Forgets that the record of a key came.
    package func forget(_ key: String) throws {
        try queue.writeWithoutTransaction { database in
            try database.cachedStatement(sql: "DELETE FROM met WHERE key = ?").execute(arguments: [key])
        }
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
