import Foundation
import Schedule
import Server

/// Has each report of the server made by a process of this program, with limits of its own: whatever a script does, it
/// does it there.
struct ReportProcess: ReportMaker {
    private let program: String
    private let arguments: [String]
    private let environment: [String: String]

    /// Of memory that a report's process may ask for, in bytes.
    static let addressSpace = 1 << 30
    /// The longest answer, in bytes.
    static let mostBytes = 64 << 20

    /// - Throws: what the configuration or the store's address is wrong in.
    init(_ workplace: Workplace) throws {
        program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let file = workplace.configurationPath
        let options = FileManager.default.fileExists(atPath: file) ? ["--config", file] : []
        arguments = [program, "report"] + options + workplace.travelOptions
        var seen = workplace.environment.filter { JobProcess.passed.contains($0.key) }
        // Not as an option: an address may hold a password, and others can read the arguments of a process.
        seen["MOONSHELF_STORE"] = try workplace.storeAddress()
        environment = seen
    }

    func make(_ order: ReportRequest) throws -> ReportReply? {
        var environment = environment
        environment[ReportCommand.variable] = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("there is no room for another process") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var process = pid_t()
        let status = start(&process, environment, output: ends[1])
        close(ends[1])
        guard status == 0 else { throw failure("\(program) could not be run (error \(status))") }
        let (answer, isLate) = Self.read(ends[0], until: .now + .seconds(order.seconds))
        // Its whole session: also what it has started, such as a program for charts.
        if answer == nil { kill(-process, SIGKILL) }
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0 && errno == EINTR {}
        if isLate { return ReportReply(wrong: "The report was stopped after \(order.seconds) seconds.") }
        guard let answer, ending == 0 else {
            return ReportReply(wrong: "The report was stopped: it needs more than a report may.")
        }
        return try JSONDecoder().decode(ReportReply?.self, from: answer)
    }

    private func failure(_ words: String) -> CommandFailure {
        CommandFailure(.internalFault, code: "report_process", message: "No report can be made: \(words).")
    }

    /// `POSIX_SPAWN_SETSID`, which Glibc's module does not show.
    private static let ownSession: Int16 = 0x80

    /// In a session of its own, so that all it starts can be ended with it.
    private func start(_ process: inout pid_t, _ environment: [String: String], output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A server's threads block and ignore signals that are to end a report.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Self.ownSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        return posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    }

    /// All that comes; nil: not by then, or more than an answer may have.
    private static func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> (Data?, isLate: Bool) {
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let left = (end - .now).components
            guard left.seconds >= 0, left.attoseconds >= 0 else { return (nil, true) }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(
                &wanted, 1, Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1))
            if ready <= 0 { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return (count == 0 ? answer : nil, false) }
            answer.append(contentsOf: buffer[..<count])
            guard answer.count <= mostBytes else { return (nil, false) }
        }
    }
}
