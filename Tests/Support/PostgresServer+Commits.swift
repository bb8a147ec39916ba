import Dispatch
import Foundation

extension PostgresServer {
    /// Lets commits wait for a standby that never comes: a disk that is never ready, as far as a server can pretend it.
    /// When this returns they do.
    package func holdCommits() throws {
        try execute("ALTER SYSTEM SET synchronous_standby_names TO 'nobody'")
        try execute("SELECT pg_reload_conf()")
        // A server takes a new configuration up in its own time; a commit that waits shows that it has.
        while true {
            let probing = DispatchGroup()
            DispatchQueue.global().async(group: probing) { _ = try? self.execute(Self.probe) }
            var isWaiting = false
            while !isWaiting, probing.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
                isWaiting = try !execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                ).isEmpty
            }
            probing.wait()
            if isWaiting { return }
        }
    }

    /// Lets commits end. When this returns they do.
    package func releaseCommits() throws {
        try execute("ALTER SYSTEM RESET synchronous_standby_names")
        try execute("SELECT pg_reload_conf()")
        try execute(Self.probe)
    }

    /// Commits something that is in no table.
    private static let probe = "SELECT pg_logical_emit_message(true, 'probe', '')"
}
