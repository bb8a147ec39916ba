import Foundation
import Synchronization

/// What the commands of the workbench share.
enum WorkbenchSettings {
    static var processors: Int { min(16, max(1, ProcessInfo.processInfo.activeProcessorCount)) }
}

/// A progress line that several threads may write.
final class ProgressLine: @unchecked Sendable {
    /// The console is touched under the lock alone.
    private let lock = Mutex(())
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    func show(_ line: String) {
        lock.withLock { _ in console.progress(line) }
    }
}
