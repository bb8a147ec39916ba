import Foundation
import Synchronization

/// What the commands of the workbench share.
enum WorkbenchSettings {
    static var processors: Int { min(16, max(1, ProcessInfo.processInfo.activeProcessorCount)) }

    /// Writes a page beside its place and moves it there.
    static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write", message: "\(path) cannot be written.", file: path)
        }
    }
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
