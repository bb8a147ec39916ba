import TestSupport

/// How many blocks of tables and indexes a server has looked at for a database: it grows with the rows that statements look at, and
/// hardly differs from one time to the next. PostgreSQL counts rows as well, but says so a second later.
final class BlockCounter: Sendable {
    /// What the server must be started with.
    static let settings = [
        "shared_preload_libraries = 'pg_stat_statements'", "pg_stat_statements.max = 10000",
    ]

    private let server: PostgresServer
    private let database: String

    /// Counts for a database, of which the planner knows what is in it from now on.
    init(_ server: PostgresServer, _ database: String) throws {
        self.server = server
        self.database = database
        try server.execute("VACUUM ANALYZE", in: database)
        // In a database of its own: the one that is measured has nothing but what a library has.
        try server.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    }

    /// Does something.
    ///
    /// - Returns: how many blocks it took, and how many nanoseconds of the server's processor time.
    func count(_ body: () async throws -> Void) async throws -> (blocks: Int, cpu: UInt64) {
        try server.execute("SELECT pg_stat_statements_reset()")
        let clock = try ServerClock(server, of: database, clients: 1)
        let start = clock.time()
        try await body()
        // A process that ended takes its time with it.
        let cpu = max(clock.time(), start) - start
        let rows = try server.execute(
            """
            SELECT COALESCE(SUM(shared_blks_hit + shared_blks_read), 0)::bigint FROM pg_stat_statements
            JOIN pg_database ON pg_database.oid = dbid WHERE datname = '\(database)'
            """)
        guard let blocks = rows.first?.first.flatMap({ $0.flatMap { Int($0) } }) else {
            throw BenchFailure("the server counts no blocks")
        }
        return (blocks, cpu)
    }
}
