import Foundation
import TextFormats

/// The command as it was built, run as a process of its own, as a user runs it.
struct BuiltCommand {
    /// How a run ended.
    struct Result: CustomStringConvertible {
        var status: Int32
        /// The signal that ended it, nil if none did.
        var signal: Int32?
        var output: String
        var error: String

        var description: String { "status \(status)\nstdout: \(output)\nstderr: \(error)" }

        /// The output as JSON.
        func json() throws -> JSON {
            try JSONParser.parse(output)
        }

        /// The last line of standard error as JSON, where failures stand.
        func failure() throws -> JSON {
            try JSONParser.parse(error.split(separator: "\n").last.map(String.init) ?? "")
        }
    }

    /// Beside the test bundle, where the package manager puts both.
    static let executable: URL = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "moonshelf")
    }()

    /// The root of the package, where policies, scripts and data are.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The folder that runs are in.
    var folder: URL
    var environment: [String: String] = [:]
    /// A file or FIFO that standard input is read from, nil for none.
    var inputPath: String?

    init(folder: URL) {
        self.folder = folder
    }

    /// Runs the command to its end.
    func run(_ arguments: [String], input: String? = nil) throws -> Result {
        let running = try start(arguments, hasInput: input != nil)
        if let input {
            running.input?.write(Data(input.utf8))
            try running.input?.close()
        }
        return running.wait()
    }

    func run(_ arguments: String...) throws -> Result {
        try run(arguments)
    }

    /// Starts the command without waiting for its end.
    func start(_ arguments: [String], hasInput: Bool = false) throws -> Running {
        let process = Process()
        // Tests that run in the background may ignore interrupts, which the command would inherit.
        let command =
            ["/usr/bin/env", "--default-signal", BuiltCommand.executable.path(percentEncoded: false)] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        var variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path(percentEncoded: false), "LC_ALL": "C.UTF-8"]
        if let options = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] { variables["ASAN_OPTIONS"] = options }
        process.environment = variables.merging(environment) { $1 }
        let input = hasInput ? Pipe() : nil
        process.standardInput = input ?? FileHandle.nullDevice
        if let inputPath {
            // A shell opens it in the new process, which waits until a writer opens the FIFO.
            let line = "exec \"$0\" \"$@\" < '\(inputPath)'"
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", line] + command
        }
        let output = Collector()
        let error = Collector()
        process.standardOutput = output.pipe
        process.standardError = error.pipe
        try process.run()
        output.begin()
        error.begin()
        return Running(process: process, input: input?.fileHandleForWriting, output: output, error: error)
    }

    /// A process under way.
    struct Running {
        let process: Process
        let input: FileHandle?
        let output: Collector
        let error: Collector

        func wait() -> Result {
            process.waitUntilExit()
            let bySignal = process.terminationReason == .uncaughtSignal
            return Result(
                status: process.terminationStatus, signal: bySignal ? process.terminationStatus : nil,
                output: output.finish(), error: error.finish())
        }
    }

    /// Reads a pipe to its end on a thread of its own, so that a process never waits for us.
    final class Collector: @unchecked Sendable {
        // The buffer is touched under the condition's lock alone.
        let pipe = Pipe()
        private var data = Data()
        private var isAtEnd = false
        private let changed = NSCondition()

        func begin() {
            try? pipe.fileHandleForWriting.close()
            let thread = Thread { [self] in
                while true {
                    let part = pipe.fileHandleForReading.availableData
                    changed.withLock {
                        data += part
                        isAtEnd = part.isEmpty
                        changed.broadcast()
                    }
                    if part.isEmpty { return }
                }
            }
            thread.start()
        }

        func finish() -> String {
            wait { _ in false } ?? ""
        }

        /// The first line, as soon as it is there; nil if there is none within a minute.
        func firstLine() -> String? {
            wait { $0.contains("\n") }?.split(separator: "\n").first.map(String.init)
        }

        /// What was read when the condition came true, or in all.
        @discardableResult
        func wait(until isEnough: (String) -> Bool) -> String? {
            let limit = Date(timeIntervalSinceNow: 120)
            return changed.withLock {
                while true {
                    let text = String(decoding: data, as: UTF8.self)
                    if isAtEnd || isEnough(text) { return text }
                    if !changed.wait(until: limit) { return nil }
                }
            }
        }

        /// What was read so far.
        var soFar: String { changed.withLock { String(decoding: data, as: UTF8.self) } }
    }
}

/// A folder that is gone when the test ends.
struct TemporaryFolder: ~Copyable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "moonshelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The command run in this folder.
    var command: BuiltCommand { BuiltCommand(folder: url) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }

    func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }
}
