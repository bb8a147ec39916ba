/// Where a streaming reader gets its bytes: a file, a pipe, memory.
package protocol ByteSource {
    /// Fills the front of `buffer` with the next bytes.
    ///
    /// - Returns: how many; 0 only at the end, after which it is not called again.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes that are in memory already, handed out in portions.
package struct MemoryByteSource: ByteSource, Sendable {
    private let bytes: [UInt8]
    private let portion: Int
    private var position = 0

    /// - Parameter portion: the most that one read returns; tests make it small to cut a text at every place.
    package init(_ bytes: [UInt8], portion: Int = .max) {
        self.bytes = bytes
        self.portion = max(1, portion)
    }

    package init(_ text: String, portion: Int = .max) {
        self.init(Array(text.utf8), portion: portion)
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, bytes.count - position, portion)
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: bytes[position..<(position + count)])
        position += count
        return count
    }
}
