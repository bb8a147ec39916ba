import Circulation
import Desk
import Foundation
import Glibc
import Scripting
import TestSupport
import TextFormats

/// Processes of the library's own program that carry three plugins out, at a library where others lend. They are killed and
/// started again; what the plugins came to is held against the log.
final class PluginGang: Sendable {
    /// What the killing itself found, under the lock.
    private struct Tally {
        var processes: [Int: Process] = [:]
        var killed = 0
        var serverKilled = 0
        /// Ended without having been killed, as one does that finds no server when it begins.
        var ended = 0
        var crashes: [String] = []
    }

    /// `@unchecked Sendable`: processes are touched under the lock alone.
    private final class Guarded: @unchecked Sendable {
        private let lock = NSLock()
        private var tally = Tally()

        func with<T>(_ body: (inout Tally) throws -> T) rethrows -> T { try lock.withLock { try body(&tally) } }
    }

    /// How long the plugins may take to come to the end of the log once nobody writes any more, in seconds.
    private static let patience = 600

    private let guarded = Guarded()
    private let desk: Desk
    private let program: URL
    private let folder: URL
    private let address: String
    private let receiver: Receiver
    private let commands: [[String]]

    /// Puts the plugins into force, and starts the processes.
    ///
    /// - Parameter programs: the folder that `moonshelf` is in.
    init(_ desk: Desk, _ programs: URL, folder: URL, address: String) throws {
        self.desk = desk
        self.folder = folder
        self.address = address
        program = programs.appending(path: "moonshelf")
        receiver = try Receiver()
        let port = try PostgresServer.freePort()
        commands = [["plugin", "work"], ["plugin", "work"], ["serve", "--quiet", "--http", "127.0.0.1:\(port)"]]
        try desk.write { session in
            for plugin in TorturePlugin.allCases {
                let candidate = PluginCandidate(
                    bundle: try ParsedPolicy(name: "plugin.lua", source: plugin.source).bundle, name: plugin.rawValue,
                    version: "1", needs: plugin.rights, settings: ["hook": .string(receiver.url)])
                guard case .done = try session.plugins.use(candidate, allowing: Set(plugin.rights)) else {
                    throw TortureFailure("the plugin \(plugin.rawValue) does not come into force")
                }
            }
        }
        try guarded.with { tally in
            for number in commands.indices { tally.processes[number] = try started(number) }
        }
    }

    private func started(_ number: Int) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = commands[number] + ["--store", address]
        process.currentDirectoryURL = folder
        let log = folder.appending(path: "process-\(number).log")
        let path = log.path(percentEncoded: false)
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.close()
        return process
    }

    // MARK: - Killing

    /// - Parameter server: kills the store's server and starts it again; nil: there is none.
    func killing(_ kills: Int, _ server: (@Sendable (inout SplitMix) throws -> Void)?) -> Phase {
        var phase = Phase(name: "plugins' processes killed", share: 1, pause: 0.1...0.7, most: kills)
        phase.least = kills
        phase.trouble = { [self] _, random in
            if let server, Int.random(in: 0..<4, using: &random) == 0 {
                try server(&random)
                guarded.with { $0.serverKilled += 1 }
            } else {
                // One that found no server when it began is started once more, and killed then.
                try startAgain()
                kill(.random(in: 0..<commands.count, using: &random))
            }
            try startAgain()
        }
        return phase
    }

    private func kill(_ number: Int) {
        guarded.with { tally in
            guard let process = tally.processes[number] else { return }
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            tally.killed += 1
            tally.processes[number] = nil
        }
    }

    /// Starts those that do not run, as the machine's system does.
    private func startAgain() throws {
        try guarded.with { tally in
            for number in commands.indices where tally.processes[number]?.isRunning != true {
                if let process = tally.processes[number] {
                    tally.ended += 1
                    note(process, number, &tally)
                }
                tally.processes[number] = try started(number)
            }
        }
    }

    private func note(_ process: Process, _ number: Int, _ tally: inout Tally) {
        if process.terminationReason == .uncaughtSignal, process.terminationStatus != SIGTERM {
            tally.crashes.append("\(commands[number]) ended with signal \(process.terminationStatus)")
        }
    }

    /// Ends all processes.
    func stop() {
        guarded.with { tally in
            for process in tally.processes.values { process.terminate() }
            for (number, process) in tally.processes {
                process.waitUntilExit()
                note(process, number, &tally)
            }
            tally.processes = [:]
        }
    }

    /// Waits until the plugins have come to the end of the log and all that they send is sent, then ends all processes.
    func finish() throws {
        defer { stop() }
        for _ in 0..<Self.patience * 2 {
            try startAgain()
            if try isDone() { return }
            usleep(500_000)
        }
    }

    private func isDone() throws -> Bool {
        try desk.read { session in
            let wanted = try session.events.list(EventQuery(kinds: TorturePlugin.events)).last?.sequence ?? 0
            return try session.plugins.list().allSatisfy { plugin in
                try plugin.progress.position >= wanted
                    && session.outbox.count(.queued, of: OutgoingRequest.owner(plugin: plugin.name)) == 0
            }
        }
    }

    // MARK: - The verdict

    /// What there is to say of it all.
    var notes: [String] {
        let (posts, again) = receiver.figures
        return guarded.with { tally in
            [
                "killed: \(tally.killed) processes, the server \(tally.serverKilled) times; \(tally.ended) processes ended by themselves",
                "messages: \(posts), of which \(again) were a message once more",
            ]
        }
    }

    /// Everything that must not be, of the events since the plugins came into force.
    func findings(_ events: [Event]) throws -> [Finding] {
        let wanted = events.filter { TorturePlugin.events.contains($0.kind) }.map(\.sequence)
        var findings = guarded.with { $0.crashes.map { Finding("a process failed", $0) } } + receiver.findings(wanted)
        for plugin in TorturePlugin.allCases {
            let name = plugin.rawValue
            let (count, record, failures) = try desk.read { session in
                (
                    try session.plugins.value("n", of: name)?.value.integerValue, try session.plugins.get(name),
                    try session.plugins.failures(of: name)
                )
            }
            for (what, number) in [("state", count), ("own count", record?.progress.handled)]
            where number != Int64(wanted.count) {
                findings.append(
                    Finding("not once", "\(name)'s \(what) says \(number ?? 0), where there are \(wanted.count) events")
                )
            }
            findings += failures.map { Finding("a plugin failed", "\(name), event \($0.event): \($0.fault)") }
        }
        let caused = events.filter { $0.kind == EventKind.ledgerPosted.name }.compactMap(PluginCause.init).map(\.event)
        if caused.sorted() != wanted {
            findings.append(Finding("not once", "\(caused.count) charges were made for \(wanted.count) events"))
        }
        return findings
    }
}
