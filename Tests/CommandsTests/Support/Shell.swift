import Foundation

/// A line of `sh`, for redirections and limits that only a shell sets up.
enum Shell {
    /// - Parameters:
    ///   - line: run with the words as `$0`, `$1` and so on.
    ///   - mounting: whether it mounts file systems, which are then seen by it alone and are gone with it.
    static func run(
        _ line: String, _ words: [String], in folder: URL, mounting: Bool = false
    ) throws -> BuiltCommand.Result {
        let process = Process()
        let command = (mounting ? ["/usr/bin/unshare", "-m"] : []) + ["/bin/sh", "-c", line] + words
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path(percentEncoded: false), "LC_ALL": "C.UTF-8",
        ]
        let output = BuiltCommand.Collector()
        let error = BuiltCommand.Collector()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.pipe
        process.standardError = error.pipe
        try process.run()
        output.begin()
        error.begin()
        process.waitUntilExit()
        let bySignal = process.terminationReason == .uncaughtSignal
        return BuiltCommand.Result(
            status: process.terminationStatus, signal: bySignal ? process.terminationStatus : nil,
            output: output.finish(), error: error.finish())
    }

    /// Whether a program is installed.
    static func has(_ program: String) -> Bool {
        ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + program) }
    }
}
