import Glibc

// A second server that holds all that the first one has committed, and can take its place.

extension PostgresServer {
    private static let standby = "standby"

    /// Copies another server while it works, follows it from then on, and has it wait with each commit until it has
    /// reached the disk here as well.
    package func follow(_ primary: PostgresServer) throws {
        let connection = "host=\(primary.folder) port=\(primary.port) user=postgres application_name=\(Self.standby)"
        try run(
            "pg_basebackup",
            [
                "-D", folder + "/data", "-d", connection, "--write-recovery-conf", "--checkpoint=fast",
                "--wal-method=stream", "--no-sync",
            ])
        try configure(["unix_socket_directories = '\(folder)'"])
        try start()
        try primary.execute("ALTER SYSTEM SET synchronous_standby_names TO '\(Self.standby)'")
        try primary.execute("SELECT pg_reload_conf()")
        for _ in 0..<600 {
            if try primary.execute("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").count == 1 { return }
            usleep(50_000)
        }
        throw Failure(description: "the standby does not follow: \(log)")
    }

    /// Makes the follower a primary of its own.
    package func promote() throws {
        guard try execute("SELECT pg_promote(true, 60)") == [["t"]] else {
            throw Failure(description: "the standby was not promoted: \(log)")
        }
    }
}
