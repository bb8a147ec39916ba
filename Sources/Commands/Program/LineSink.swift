import Synchronization

/// A console that several threads write to, a line at a time.
final class LineSink: Sendable {
    // Accessed under the lock only.
    nonisolated(unsafe) private let console: Console
    private let turn = Mutex(())

    init(_ console: Console) {
        self.console = console
    }

    func print(_ line: String) { turn.withLock { _ in console.print(line) } }
    func note(_ line: String) { turn.withLock { _ in console.note(line) } }
}
