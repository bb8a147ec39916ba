import Glibc
import Synchronization

/// A file that a connection of this process has open.
///
/// SQLite holds a file by locks of POSIX, all of which a process loses when it closes any descriptor of that file. A file that
/// is open is therefore not looked at by another descriptor: other processes would believe it free, and take away the log from
/// which this one reads.
final class OpenFile: Sendable {
    private struct Identity: Hashable {
        let device: UInt
        let number: UInt

        /// Nil if there is no such file.
        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }

    /// How many connections have each file open.
    private static let counts = Mutex<[Identity: Int]>([:])

    private let identity: Identity

    /// A file that was just opened, for as long as this value lives; nil if it has no name.
    init?(path: String) {
        guard let identity = Identity(path: path) else { return nil }
        self.identity = identity
        Self.counts.withLock { $0[identity, default: 0] += 1 }
    }

    deinit {
        Self.counts.withLock { counts in
            counts[identity, default: 1] -= 1
            if counts[identity] == 0 { counts[identity] = nil }
        }
    }

    /// Whether a connection of this process has the file open.
    static func isOpen(_ path: String) -> Bool {
        guard let identity = Identity(path: path) else { return false }
        return counts.withLock { $0[identity] != nil }
    }
}
