import Glibc

/// Looks at a store's file before SQLite does, and keeps others from reading it.
enum SQLiteFile {
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Makes sure that there is a file to open: a store, or an empty one if `create` says so.
    static func check(_ path: String, create: Bool) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else { throw .cannotOpen(path, text(of: code)) }
            guard create else { throw .missing(path) }
            return try make(path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAStore(path, "it is not a file") }
        if status.st_size == 0 {
            // What is left of a creation that was cut off, or was made beforehand, as `mktemp` does.
            guard create else { throw .notAStore(path, "it is empty") }
            return
        }
        // With a journal beside it the head may be half written; SQLite puts that right when it opens the file.
        guard access(path + "-journal", F_OK) != 0 else { return }
        try checkHead(path)
    }

    /// SQLite gives the files beside the store the same mode when it makes them.
    static func make(_ path: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let code = errno
            if code == EEXIST { return }
            throw StoreError(.cannotWrite, "\(path) cannot be made: \(text(of: code))")
        }
        Glibc.close(file)
    }

    /// The first 100 bytes of a file, or what there is of them; nil if there is no file that can be read. It must not be
    /// one that a connection has open; see ``OpenFile``.
    static func head(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var head = [UInt8](repeating: 0, count: 100)
        let count = read(file, &head, head.count)
        return count < 0 ? nil : Array(head[..<count])
    }

    private static func checkHead(_ path: String) throws(StoreError) {
        // It was recognised when it was opened first.
        guard !OpenFile.isOpen(path) else { return }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .cannotOpen(path, text(of: errno)) }
        defer { Glibc.close(file) }
        var head = [UInt8](repeating: 0, count: 100)
        let count = read(file, &head, head.count)
        guard count >= 0 else { throw .cannotOpen(path, text(of: errno)) }
        guard count == head.count, head.starts(with: magic) else {
            throw .notAStore(path, "it is not an SQLite database")
        }
        guard isStore(head) else { throw .notAStore(path, "it is another program's SQLite database") }
    }

    /// Whether these are the first 100 bytes of a store.
    static func isStore(_ head: [UInt8]) -> Bool {
        head.starts(with: magic) && number(in: head, at: 68) == SQLiteSchema.applicationID
    }

    /// A number of four bytes in a file's head: the version at 60, the mark at 68.
    static func number(in head: [UInt8], at place: Int) -> Int64? {
        head.count < place + 4 ? nil : head[place..<place + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// Takes the store and the files beside it away from everybody but their owner.
    static func protect(_ path: String) throws(StoreError) {
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { continue }
            guard chmod(name, status.st_mode & 0o700) == 0 else {
                throw .cannotOpen(name, "its permissions cannot be changed: \(text(of: errno))")
            }
        }
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
