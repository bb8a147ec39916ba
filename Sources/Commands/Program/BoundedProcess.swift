import Foundation

/// A process of this program in a session of its own, with bounds to what it may say and how long it may take.
struct BoundedProcess {
    /// How one ended.
    struct Ending {
        /// All that it said; nil: it said more than it may, or was late.
        var answer: Data?
        var isLate = false
        /// With which it ended by itself; nil: something ended it.
        var status: Int32?
    }

    /// The file of the program that runs.
    let program: String
    /// Behind the program's name.
    var arguments: [String]
    var environment: [String: String]
    /// What it is given to read; nil: nothing.
    var input: [UInt8]?
    /// The longest answer, in bytes.
    var mostBytes: Int

    /// - Throws: what the system says where it does not know its own program.
    init(_ arguments: [String], environment: [String: String] = [:], mostBytes: Int) throws {
        program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        self.arguments = arguments
        self.environment = environment
        self.mostBytes = mostBytes
    }

    /// Why none could be started.
    struct NotStarted: Error {
        var words: String
    }

    /// Runs it to its end, or ends it.
    ///
    /// - Throws: ``NotStarted``.
    func run(until end: ContinuousClock.Instant) throws(NotStarted) -> Ending {
        guard let answer = Channel(pipe),
            let given = Channel({ socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0) })
        else { throw NotStarted(words: "there is no room for another process") }
        var process = pid_t()
        let status = start(&process, input: input == nil ? nil : given.theirs, output: answer.theirs)
        answer.closeTheirs()
        given.closeTheirs()
        guard status == 0 else { throw NotStarted(words: "\(program) could not be run (error \(status))") }
        var exchange = Exchange(ours: (given.ours, answer.ours), left: (input ?? [])[...], most: mostBytes)
        exchange.run(until: end)
        // Its whole session: also what it has started, such as a program for charts.
        if exchange.answer == nil { kill(-process, SIGKILL) }
        var ending: Int32 = 0
        while waitpid(process, &ending, 0) < 0 && errno == EINTR {}
        return Ending(
            answer: exchange.answer, isLate: exchange.isLate, status: ending & 0x7F == 0 ? ending >> 8 & 0xFF : nil)
    }

    /// `POSIX_SPAWN_SETSID`, which Glibc's module does not show.
    private static let ownSession: Int16 = 0x80

    /// In a session of its own, so that all it starts can be ended with it.
    private func start(_ process: inout pid_t, input: Int32?, output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            // What libraries remark on a stranger's file is none of the server's words.
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A server's threads block and ignore signals that are to end a process.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Self.ownSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        return posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    }
}

/// Two connected descriptors, of which the process is given one.
private final class Channel {
    let ours: Int32
    private(set) var theirs: Int32

    /// - Parameter make: sets both and returns 0.
    init?(_ make: (UnsafeMutablePointer<Int32>) -> Int32) {
        var ends: [Int32] = [-1, -1]
        guard make(&ends) == 0 else { return nil }
        (ours, theirs) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    func closeTheirs() {
        if theirs >= 0 { close(theirs) }
        theirs = -1
    }

    deinit {
        closeTheirs()
        close(ours)
    }
}

/// Gives a process what it is to read, and takes what it says.
private struct Exchange {
    let ours: (input: Int32, output: Int32)
    var left: ArraySlice<UInt8>
    let most: Int
    /// All that was said, once it is all; nil where it is too much, or not said by then.
    private(set) var answer: Data?
    private(set) var isLate = false

    init(ours: (input: Int32, output: Int32), left: ArraySlice<UInt8>, most: Int) {
        self.ours = ours
        self.left = left
        self.most = most
    }

    mutating func run(until end: ContinuousClock.Instant) {
        var said = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        if left.isEmpty { shutdown(ours.input, Int32(SHUT_WR)) }
        while true {
            let time = (end - .now).components
            guard time.seconds >= 0, time.attoseconds >= 0 else {
                isLate = true
                return
            }
            var wanted = [
                pollfd(fd: ours.output, events: Int16(POLLIN), revents: 0),
                // A negative descriptor is passed over.
                pollfd(fd: left.isEmpty ? -1 : ours.input, events: Int16(POLLOUT), revents: 0),
            ]
            let ready = poll(
                &wanted, 2, Int32(clamping: time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000 + 1))
            if ready <= 0 { continue }
            if wanted[1].revents != 0 { give() }
            guard wanted[0].revents != 0 else { continue }
            let count = read(ours.output, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                answer = count == 0 ? said : nil
                return
            }
            said.append(contentsOf: buffer[..<count])
            guard said.count <= most else { return }
        }
    }

    /// A process that reads no more says so by its answer.
    private mutating func give() {
        let count = left.withUnsafeBytes {
            send(
                ours.input, $0.baseAddress, min($0.count, 1 << 16), Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            )
        }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        left = count > 0 ? left.dropFirst(count) : []
        if left.isEmpty { shutdown(ours.input, Int32(SHUT_WR)) }
    }
}
