import Foundation
import TestSupport

/// The CPU time of a process, all its threads together, as the kernel counts it.
enum ProcessClock {
    /// Nanoseconds so far; 0 where there is no such process, or the kernel does not count.
    static func time(of process: Int32) -> UInt64 {
        let tasks = "/proc/\(process)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).reduce(0) { sum, task in
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
            return sum + (text?.split(separator: " ").first.flatMap { UInt64($0) } ?? 0)
        }
    }
}

/// The CPU time of the processes that a server has for its clients.
struct ServerClock {
    private let processes: [Int32]

    /// - Parameters:
    ///   - database: whose clients; nil: all.
    ///   - clients: how many there must be at least.
    init(_ server: PostgresServer, of database: String? = nil, clients: Int = 2) throws {
        let rows = try server.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                + (database.map { " AND datname = '\($0)'" } ?? ""))
        processes = rows.compactMap { $0.first ?? nil }.compactMap { Int32($0) }
        guard processes.count >= clients else {
            throw BenchFailure("the server has \(processes.count) clients, not \(clients)")
        }
        try check()
    }

    /// Nanoseconds so far.
    func time() -> UInt64 { processes.reduce(0) { $0 + ProcessClock.time(of: $1) } }

    /// Whether all of them are still there.
    func check() throws {
        for process in processes where ProcessClock.time(of: process) == 0 {
            throw BenchFailure("no time of \(process): the kernel does not count, or the connection was made anew")
        }
    }
}
