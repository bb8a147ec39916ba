import Foundation
import Glibc

/// A run of the built command whose processor time and peak memory are measured.
struct MeteredRun {
    var status: Int32
    /// The signal that ended it, 0 if none did.
    var signal: Int32
    /// Processor time of all its threads, user and system.
    var cpu: Duration
    /// The largest resident size seen, in bytes.
    var peak: Int
    var output: String
    var error: String

    struct NotStarted: Error {
        let code: Int32
    }

    /// Runs the command to its end.
    ///
    /// The peak is read from `/proc` while it runs: `ru_maxrss` of a spawned process counts the pages of the process
    /// that spawned it too.
    static func of(_ arguments: [String], in folder: URL) throws -> MeteredRun {
        let name = UUID().uuidString
        let out = folder.appending(path: "\(name).out").path(percentEncoded: false)
        let err = folder.appending(path: "\(name).err").path(percentEncoded: false)
        defer {
            unlink(out)
            unlink(err)
        }
        let child = try SpawnedProcess.start(arguments, in: folder) { actions in
            posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(actions, 1, out, O_WRONLY | O_CREAT, 0o600)
            posix_spawn_file_actions_addopen(actions, 2, err, O_WRONLY | O_CREAT, 0o600)
        }
        var usage = rusage()
        var ending: Int32 = 0
        var peak = 0
        while true {
            peak = max(peak, residentPeak(of: child))
            let ended = wait4(child, &ending, WNOHANG, &usage)
            if ended == child { break }
            if ended < 0 && errno != EINTR { throw NotStarted(code: errno) }
            usleep(2_000)
        }
        let isSignalled = ending & 0x7f != 0
        return MeteredRun(
            status: isSignalled ? -1 : (ending >> 8) & 0xff, signal: ending & 0x7f,
            cpu: duration(usage.ru_utime) + duration(usage.ru_stime), peak: peak, output: text(out), error: text(err))
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    private static func residentPeak(of process: pid_t) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes << 10
    }
}

/// The built command under `posix_spawn`, for what Foundation's process does not give: its usage, a terminal.
enum SpawnedProcess {
    /// Starts the command.
    ///
    /// - Parameters:
    ///   - inOwnSession: makes it the leader of a session, so that the first terminal it opens is its own.
    ///   - open: says what its standard streams are.
    static func start(
        _ arguments: [String], in folder: URL, environment: [String: String] = [:], inOwnSession: Bool = false,
        open: (UnsafeMutablePointer<posix_spawn_file_actions_t>) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        open(&actions)
        // Foundation learns the end of a process from a socket: one that we inherit would hold its end back.
        for descriptor: Int32 in 3..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A test runner may ignore or block signals; the command starts as from a shell.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        // POSIX_SPAWN_SETSID, which the header hides behind a feature macro.
        if inOwnSession { flags |= 0x80 }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path(percentEncoded: false), "LC_ALL": "C.UTF-8"]
            .merging(environment) { $1 }
        let program = BuiltCommand.executable.path(percentEncoded: false)
        // `env` enters the folder and becomes the command.
        let line = ["env", "-C", folder.path(percentEncoded: false), program] + arguments
        var process = pid_t()
        let code = withCStrings(line) { words in
            withCStrings(variables.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&process, "/usr/bin/env", &actions, &attributes, words, environment)
            }
        }
        guard code == 0 else { throw MeteredRun.NotStarted(code: code) }
        return process
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
