import Foundation
import Glibc

/// The process at a terminal and what it wrote, shared by the test and two threads: one that reads, one that waits.
final class TerminalChild: @unchecked Sendable {
    /// All of it is touched under the lock of ``changed`` alone.
    struct Content {
        var screen: TerminalScreen
        var bytes: [UInt8] = []
        /// No more will be written: all have closed the terminal.
        var isAtEnd = false
        var ending: TerminalSession.Ending?
    }

    private let process: pid_t
    private let changed = NSCondition()
    private var content: Content

    init(process: pid_t, screen: TerminalScreen) {
        self.process = process
        content = Content(screen: screen)
    }

    func begin(reading terminal: Int32) {
        Thread { [self] in read(terminal) }.start()
        Thread { [self] in reap() }.start()
    }

    @discardableResult
    func look<Result>(_ body: (inout Content) -> Result) -> Result {
        changed.withLock { body(&content) }
    }

    /// Waits until a condition holds.
    ///
    /// - Returns: whether it came to hold in so many seconds.
    @discardableResult
    func wait(_ seconds: TimeInterval, _ condition: (Content) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        return changed.withLock {
            while !condition(content) {
                if !changed.wait(until: limit) { return condition(content) }
            }
            return true
        }
    }

    /// Ends the process if it has not ended.
    func kill() {
        look { if $0.ending == nil { Glibc.kill(process, SIGKILL) } }
    }

    /// A process that has ended keeps its number until its status is fetched: that is done under the lock.
    private func reap() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        look { content in
            var status: Int32 = 0
            let ended = waitpid(process, &status, 0)
            if ended != process {
                content.ending = .lost(code: errno)
            } else if status & 0x7F == 0 {
                content.ending = .exited((status >> 8) & 0xFF)
            } else {
                content.ending = .signalled(status & 0x7F)
            }
            changed.broadcast()
        }
    }

    private func read(_ terminal: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            _ = poll(&ready, 1, -1)
            let count = buffer.withUnsafeMutableBytes { Glibc.read(terminal, $0.baseAddress, $0.count) }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            look { content in
                if count > 0 {
                    content.bytes += buffer[..<count]
                    content.screen.take(buffer[..<count])
                }
                // EIO: the last process has closed its side.
                content.isAtEnd = count <= 0
                changed.broadcast()
            }
            if count <= 0 { return }
        }
    }
}
