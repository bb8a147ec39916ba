import Foundation
import TestSupport

/// The CPU time of the processes that a server has for its clients, as the kernel counts it.
struct ServerClock {
    private let files: [String]

    init(_ server: PostgresServer) throws {
        let processes = try server.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
        files = processes.compactMap { $0.first ?? nil }.map { "/proc/\($0)/schedstat" }
        guard files.count >= 2 else { throw BenchFailure("the server has \(files.count) clients, not two") }
        try check()
    }

    /// Nanoseconds so far.
    func time() -> UInt64 {
        files.reduce(0) { $0 + (Self.time(in: $1) ?? 0) }
    }

    /// Whether all of them are still there.
    func check() throws {
        for file in files where Self.time(in: file) == nil {
            throw BenchFailure("\(file) tells no time: the kernel does not count, or the connection was made anew")
        }
    }

    private static func time(in file: String) -> UInt64? {
        (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: " ").first.flatMap { UInt64($0) }
    }
}
