import Glibc
import TextFormats

/// Keeps what a replay finds, each as its line of JSON: the first ones in memory, all of them in a
/// temporary file without a name once there are many.
package final class DifferenceSpool {
    private static let capacity = 4 << 20

    private var bytes: [UInt8] = []
    private var file: UnsafeMutablePointer<FILE>?
    private(set) var count: Int64 = 0

    package init() {}

    deinit {
        if let file { fclose(file) }
    }

    /// - Throws: ``SpoolFailure``.
    package func append(_ line: [UInt8]) throws {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += line
        count += 1
        if bytes.count >= Self.capacity { try flush() }
    }

    /// Gives what was kept, in pieces.
    package func write(to output: (String) -> Void) throws {
        if let file {
            try flush()
            rewind(file)
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            var rest: [UInt8] = []
            while true {
                let read = fread(&piece, 1, piece.count, file)
                guard read > 0 else { break }
                rest += piece[..<read]
                // A character of several bytes must not be cut: lines end with a brace.
                guard let end = rest.lastIndex(of: UInt8(ascii: "}")) else { continue }
                output(String(decoding: rest[...end], as: UTF8.self))
                rest.removeFirst(end + 1)
            }
            output(String(decoding: rest, as: UTF8.self))
            fseek(file, 0, SEEK_END)
        } else {
            output(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func flush() throws {
        if file == nil { file = tmpfile() }
        guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw SpoolFailure(reason: String(cString: strerror(errno)))
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The temporary file for what a replay finds cannot be written.
package struct SpoolFailure: Error, Hashable, Sendable {
    package var reason: String
}
