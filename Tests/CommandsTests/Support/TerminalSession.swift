import Foundation
import Glibc

/// The command at a terminal of its own, 80 columns by 24 lines, typed at as a person would.
///
/// The process belongs to one thread of ours, which waits for exactly it and keeps how it ended. Until it is reaped its
/// number cannot be given to another process, and it is reaped and killed under one lock, so that no signal of ours
/// ever reaches a stranger.
final class TerminalSession {
    /// How a session ended.
    enum Ending: Hashable {
        case exited(Int32)
        case signalled(Int32)
        /// Another waiter took the status: this must not happen.
        case lost(code: Int32)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let prompt = "moonshelf>"
    static let continuation = "       ..>"

    private let terminal: Int32
    private let child: TerminalChild
    /// The line of the cursor when something was last typed.
    private var mark = 0
    /// How long anything may take on a loaded machine, in seconds.
    private static let patience: TimeInterval = 60

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - arguments: those of the command.
    ///   - environment: beside `PATH`, `HOME`, `LC_ALL` and `TERM`.
    init(_ arguments: [String], in folder: URL, environment: [String: String] = [:], columns: Int = 80) throws {
        let (terminal, path) = try TerminalSession.openTerminal(columns: columns)
        self.terminal = terminal
        let variables = ["TERM": "xterm"].merging(environment) { $1 }
        do {
            // The first terminal that the leader of a session opens becomes its own.
            let process = try SpawnedProcess.start(arguments, in: folder, environment: variables, inOwnSession: true) {
                for stream: Int32 in 0...2 { posix_spawn_file_actions_addopen($0, stream, path, O_RDWR, 0) }
            }
            child = TerminalChild(process: process, screen: TerminalScreen(columns: columns, height: 24))
        } catch {
            close(terminal)
            throw error
        }
        child.begin(reading: terminal)
    }

    deinit {
        child.kill()
        // The reader is done with the terminal when the process, its last user, has closed it.
        child.wait(TerminalSession.patience) { $0.isAtEnd }
        close(terminal)
    }

    // MARK: - At the keys

    /// Types a text; nothing is waited for.
    func type(_ text: String) {
        child.look { mark = $0.screen.line }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
            if written > 0 { bytes = bytes.dropFirst(written) }
            if written < 0 && errno != EINTR && errno != EAGAIN { return }
            var ready = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
            if written < 0 && errno == EAGAIN, poll(&ready, 1, Int32(TerminalSession.patience * 1000)) == 0 { return }
        }
    }

    /// Types a statement and Enter, and waits until the prompt is back.
    ///
    /// - Returns: what stands between the two.
    @discardableResult
    func answer(to statement: String) throws -> String {
        try waitForPrompt()
        type(statement + "\r")
        let first = mark
        try wait(for: "the prompt after \(statement)") { $0.line > first && TerminalSession.isReady($0) }
        return child.look { content in
            let lines = content.screen.text(from: first).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.dropFirst().dropLast().joined(separator: "\n")
        }
    }

    /// Changes the terminal's width, as a person who drags its corner.
    func resize(columns: Int) {
        child.look { $0.screen.resize(columns: columns) }
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    // MARK: - Before the screen

    /// Waits until a text stands at or below the line on which something was last typed.
    func waitFor(_ text: String) throws {
        let first = mark
        try wait(for: text) { $0.text(from: first).contains(text) }
    }

    /// Waits until the cursor stands behind an empty prompt.
    func waitForPrompt() throws {
        try wait(for: "the prompt", TerminalSession.isReady)
    }

    /// Waits until the cursor's line is this one.
    func waitForLine(_ text: String) throws {
        try wait(for: "the line \(text)") { $0.text(ofLine: $0.line) == text }
    }

    /// All that was shown.
    var screen: TerminalScreen { child.look { $0.screen } }

    /// The bytes that the command wrote.
    var bytes: [UInt8] { child.look { $0.bytes } }

    /// Waits for the end of the command.
    func end() throws -> Ending {
        let ending = child.wait(TerminalSession.patience) { $0.ending != nil && $0.isAtEnd }
        guard ending, let ending = child.look({ $0.ending }) else { throw failure("the end") }
        return ending
    }

    /// Ctrl-D at an empty prompt, and how the command ended.
    func leave() throws -> Ending {
        try waitForPrompt()
        type("\u{04}")
        return try end()
    }

    func wait(for what: String, _ condition: (TerminalScreen) -> Bool) throws {
        guard child.wait(TerminalSession.patience, { condition($0.screen) }) else { throw failure(what) }
    }

    private func failure(_ what: String) -> Failure {
        child.look {
            Failure(
                description: """
                    \(what) did not come; ended: \(String(describing: $0.ending)), terminal closed: \($0.isAtEnd)
                    \($0.screen.text())
                    """)
        }
    }

    private static func isReady(_ screen: TerminalScreen) -> Bool {
        screen.text(ofLine: screen.line) == prompt && screen.column == prompt.count + 1
    }

    /// A terminal and the path of its other side.
    private static func openTerminal(columns: Int) throws -> (Int32, path: String) {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard terminal >= 0 else { throw Failure(description: "no terminal: \(String(cString: strerror(errno)))") }
        // TIOCSPTLCK and TIOCGPTN: `ptsname` keeps its answer in one place for all threads.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard ioctl(terminal, 0x4004_5431, &isLocked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
            close(terminal)
            throw Failure(description: "no terminal: \(String(cString: strerror(errno)))")
        }
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        return (terminal, "/dev/pts/\(number)")
    }
}
