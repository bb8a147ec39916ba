import Foundation
import Glibc
import TestSupport

/// Two servers: one that works, and one that takes its place when it is lost.
final class ServerSite: Site {
    private let primary: PostgresServer
    private let standby: PostgresServer
    /// Every other process reaches the primary through it.
    private let proxy: CuttingProxy
    private static let database = "library"

    init() throws {
        primary = try PostgresServer(settings: ["wal_level = replica", "max_wal_senders = 4"])
        try primary.execute("CREATE DATABASE \(Self.database)")
        standby = try PostgresServer(beside: primary)
        proxy = try CuttingProxy(to: primary.folder)
    }

    var address: String { Self.address(of: [primary.folder, standby.folder]) }

    func address(_ worker: Int) -> String {
        worker % 2 == 0 ? address : Self.address(of: [proxy.folder, standby.folder])
    }

    private static func address(of folders: [String]) -> String {
        let hosts = folders.map { $0.replacing("/", with: "%2F") }.joined(separator: ",")
        return "postgres://postgres@/\(database)?host=\(hosts)&target_session_attrs=read-write"
    }

    func phases(processes: Int) -> [Phase] {
        var killing = Phase.killing(of: processes)
        killing.share = 8
        return [
            Phase(name: "load", share: 10), killing,
            Phase(name: "sessions terminated", share: 10, pause: 0.01...0.08) { [primary] _, random in
                try Self.terminate(primary, &random)
            },
            Phase(name: "connections cut", share: 10, pause: 0.05...0.3) { [proxy] _, random in
                proxy.cutOne(after: .random(in: 0...12, using: &random))
            },
            Phase(name: "server restarted", share: 16, pause: 0.5...1.5) { [primary] _, random in
                // In a hurry but in order, or as a loss of power would end it.
                if Bool.random(using: &random) { try primary.crash() } else { primary.stop() }
                try primary.start()
            },
            // The standby is made while the others work.
            Phase(name: "standby made", share: 6, pause: 0...0, most: 1) { [primary, standby] _, _ in
                try standby.follow(primary)
            },
            Phase(name: "primary lost", share: 20, pause: 0.2...0.4, most: 1) { [primary, standby] _, _ in
                try primary.kill()
                // Nobody takes the place of a primary in the same moment.
                usleep(300_000)
                try standby.promote()
            },
        ]
    }

    var killing: (@Sendable (inout SplitMix) throws -> Void)? {
        { [primary] random in
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try primary.crash()
            case 1: try primary.killAll()
            default: return try primary.killSession()
            }
            try primary.start()
        }
    }

    /// Ends the session of a process that is in the middle of something.
    private static func terminate(_ server: PostgresServer, _ random: inout SplitMix) throws {
        let sessions = try server.execute(
            """
            SELECT pid FROM pg_stat_activity
            WHERE datname = '\(database)' AND backend_type = 'client backend' AND state <> 'idle'
                AND application_name LIKE 'moonshelf%' AND pid <> pg_backend_pid()
            """
        ).compactMap { $0.first ?? nil }
        guard let session = sessions.randomElement(using: &random) else { return }
        try server.execute("SELECT pg_terminate_backend(\(session))")
    }
}
