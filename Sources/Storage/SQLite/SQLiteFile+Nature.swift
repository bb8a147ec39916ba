import Glibc

extension SQLiteFile {
    enum Nature: Hashable, Sendable {
        /// A store, which has or had a write-ahead log.
        case store
        /// A store in one file, as backups are: no process has worked in it.
        case backup
        case other
    }

    /// What a file is, by its head and by the files beside it.
    static func nature(of path: String) -> Nature {
        guard !OpenFile.isOpen(path) else { return .store }
        guard let head = head(of: path), head.count == 100, isStore(head) else { return .other }
        let hasLog = ["-wal", "-journal"].contains { access(path + $0, F_OK) == 0 }
        // The versions that a reader and a writer must know: 2 for files with a write-ahead log.
        return hasLog || head[18] != 1 || head[19] != 1 ? .store : .backup
    }

    /// Removes what SQLite keeps beside a file, which must not meet a new file of the name.
    static func removeCompanions(of path: String) throws(StoreError) {
        try remove([path + "-wal", path + "-shm", path + "-journal"])
    }

    static func remove(_ names: [String]) throws(StoreError) {
        for name in names where unlink(name) != 0 && errno != ENOENT {
            throw .cannotWrite(name, String(cString: strerror(errno)))
        }
    }
}
