import Glibc

/// Where a backup may be written: nothing is there, or an earlier backup.
package enum BackupPlace {
    /// - Throws: ``StoreError/Code/cannotWrite`` for a symbolic link, a folder, a store that is in use as one, and any
    ///   other file.
    package static func check(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else { throw .cannotWrite(path, String(cString: strerror(code))) }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .cannotWrite(path, "it is a symbolic link; name the file itself")
        case S_IFDIR: throw .cannotWrite(path, "it is a folder; name a file in it")
        default: throw .cannotWrite(path, "it is not a file")
        }
        if status.st_size == 0 { return }
        switch SQLiteFile.nature(of: path) {
        case .backup: return
        case .store: throw .cannotWrite(path, "it is a store; choose another file")
        case .other: throw .cannotWrite(path, "it is something else than a backup; choose another file")
        }
    }
}
