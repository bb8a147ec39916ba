import Glibc

/// A temporary file of this process alone: it has no name, and is gone with this.
package final class UnnamedFile {
    package let descriptor: Int32
    package private(set) var size = 0

    /// Makes it where `TMPDIR` says.
    package init() throws(FileByteSource.Failure) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "\(folder)/moonshelf-\(UInt64.random(in: .min ... .max))"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileByteSource.Failure(path: "a temporary file", code: errno) }
        unlink(name)
    }

    deinit { close(descriptor) }

    /// Opens it anew from its beginning, in this process, as long as this lives.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Writes behind what was written before.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(FileByteSource.Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(size))
            if count < 0 {
                guard errno == EINTR else { throw FileByteSource.Failure(path: "a temporary file", code: errno) }
                continue
            }
            size += count
            rest = rest.dropFirst(count)
        }
    }

    /// Writes behind what was written before.
    package func append(_ bytes: [UInt8]) throws(FileByteSource.Failure) {
        do {
            try bytes.withUnsafeBytes { try append($0) }
        } catch {
            throw (error as? FileByteSource.Failure) ?? FileByteSource.Failure(path: "a temporary file", code: EIO)
        }
    }

    /// The bytes of a stretch that was appended.
    package func bytes(at offset: Int, count: Int) throws(FileByteSource.Failure) -> [UInt8] {
        var failure: Int32 = 0
        let descriptor = descriptor
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failure = read < 0 ? errno : EIO
                    return
                }
                filled += read
            }
        }
        if failure != 0 { throw FileByteSource.Failure(path: "a temporary file", code: failure) }
        return bytes
    }
}
