import Glibc

/// The bytes of a file, a pipe or a device, read as they are asked for.
///
/// Owns its descriptor and closes it at the end of its life.
package final class FileByteSource: ByteSource {
    /// A call to the operating system that failed.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        /// The value of `errno`.
        package let code: Int32

        /// `cannot read books.csv: No such file or directory`
        package var description: String {
            "cannot read \(path): \(String(cString: strerror(code)))"
        }
    }

    private let path: String
    private let descriptor: Int32

    /// Opens the file for reading; a symbolic link is followed.
    package init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    }

    /// Takes over an open descriptor, such as that of standard input duplicated.
    ///
    /// - Parameter name: what error messages call it.
    package init(takingOver descriptor: Int32, name: String) {
        self.path = name
        self.descriptor = descriptor
    }

    /// Whether it is a file that can be read again from its beginning.
    package var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure(path: path, code: errno) }
        }
    }
}
