import Foundation

/// A folder for a trial's copy that only its owner can read, and that goes with the trial.
///
/// A session that is killed cannot remove its folder, which holds a copy of all patrons. The next trial of the same
/// user does: who owns a folder holds a lock in it as long as they live.
final class TrialFolder {
    let path: String
    private let lock: Int32

    private static let prefix = "moonshelf-trial-"
    private static let lockName = "lock"

    /// - Throws: ``CommandFailure`` if it cannot be made.
    init() throws {
        let parent = NSTemporaryDirectory()
        TrialFolder.removeForsaken(in: parent)
        var template = Array((parent + TrialFolder.prefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.cannotWrite, code: "cannot_write", message: "There is no place for a trial's copy.")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        lock = open("\(path)/\(TrialFolder.lockName)", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if lock >= 0 { close(lock) }
            try? FileManager.default.removeItem(atPath: path)
            throw CommandFailure(.cannotWrite, code: "cannot_write", message: "A trial's copy cannot be locked.")
        }
    }

    /// Removes the folders whose owner is gone.
    ///
    /// One without a lock is being made this moment; it is left alone.
    private static func removeForsaken(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent + name
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
                continue
            }
            let lock = open("\(folder)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: folder) }
            close(lock)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }
}
