import Glibc

/// A file that is written beside its place and takes it when it is whole, so that a reader of the place finds what
/// was there before or all of the new. Only its owner may read it.
package final class PendingFile {
    /// Where it is written.
    package let path: String
    private let place: String
    private var isThere = true

    /// Makes the file, empty.
    ///
    /// - Throws: ``StoreError/Code/cannotWrite``.
    package init(for place: String) throws(StoreError) {
        self.place = place
        let slash = place.lastIndex(of: "/")
        let folder = slash.map { place[...$0] } ?? ""
        let name = slash.map { place[place.index(after: $0)...] } ?? place[...]
        guard !name.isEmpty else { throw .cannotWrite(place, "it is a folder") }
        path = folder + ".\(name).\(getpid()).part"
        Self.remove(path)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotWrite(place, String(cString: strerror(errno))) }
        close(file)
    }

    deinit {
        discard()
    }

    /// Puts the file in its place, over what is there, once its bytes are on the disk.
    ///
    /// - Throws: ``StoreError/Code/cannotWrite``: the place is as it was then.
    package func takePlace() throws(StoreError) {
        try Self.synchronize(path, place)
        guard rename(path, place) == 0 else { throw .cannotWrite(place, String(cString: strerror(errno))) }
        isThere = false
        Self.removeBeside(path)
        let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? "."
        // Not every file system can do this with a folder; the bytes are safe, the name follows.
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }

    /// Has the disk take what was written so far, so that taking the place waits for less. That one tells of errors.
    package func flush() { try? Self.synchronize(path, path) }

    private static func synchronize(_ path: String, _ place: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .cannotWrite(place, String(cString: strerror(errno))) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .cannotWrite(place, String(cString: strerror(errno))) }
    }

    /// Removes it, and what SQLite put beside it.
    package func discard() {
        guard isThere else { return }
        isThere = false
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        unlink(path)
        removeBeside(path)
    }

    /// What SQLite put beside it. A reader of a file in WAL mode leaves two behind.
    private static func removeBeside(_ path: String) {
        for ending in ["-journal", "-wal", "-shm"] { unlink(path + ending) }
    }
}
