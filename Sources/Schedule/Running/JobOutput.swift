import Glibc

/// What a job says: a private file, so that the job can go on writing when its scheduler is gone.
package enum JobOutput {
    /// How much of it is kept, in bytes: the end.
    package static let kept = 64 << 10
    /// A job that says more is stopped, in bytes.
    package static let most = 64 << 20

    /// A new file without a name, for writing at its end; nil if none can be made in the folder.
    static func file(in folder: String) -> Int32? {
        var template = Array("\(folder)/moonshelf-job-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = template.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// How much was said; nil if the output is not a file.
    package static func size(_ descriptor: Int32) -> Int? {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(facts.st_size)
    }

    /// The end of what was said, in whole lines where it is cut; invalid UTF-8 is marked. Empty if the output is not a
    /// file.
    package static func text(_ descriptor: Int32, keeping kept: Int = kept) -> String {
        guard let size = size(descriptor), size > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: min(size, kept))
        var filled = 0
        while filled < bytes.count {
            let place = off_t(max(0, size - kept) + filled)
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, place)
            }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            filled += count
        }
        var rest = bytes[..<filled]
        guard size > kept else { return text(rest) }
        if let end = rest.firstIndex(of: 10), end + 1 < rest.endIndex { rest = rest[(end + 1)...] }
        return "[...]\n" + text(rest)
    }

    /// A database keeps no NUL in a text.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
