/// The part of a source that a streaming reader holds in memory.
struct ByteWindow {
    private var storage: [UInt8]
    private var start = 0
    private var end = 0

    /// Whether the source has no more bytes than those here.
    private(set) var isComplete = false
    /// How many bytes of the source lie before the window.
    private(set) var offset = 0

    init(capacity: Int = 1 << 16) {
        storage = [UInt8](repeating: 0, count: capacity)
    }

    var count: Int { end - start }

    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    @inline(__always)
    mutating func consume(_ length: Int) {
        start += length
        offset += length
    }

    /// Reads until the window is full or the source at its end. A window that was full already doubles, so that
    /// scanning it again after each filling stays linear in all.
    mutating func fill(from source: inout some ByteSource) throws {
        if start > 0 {
            storage.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            end -= start
            start = 0
        }
        if end == storage.count {
            storage.append(contentsOf: repeatElement(0, count: storage.count))
        }
        while end < storage.count {
            let read = try storage.withUnsafeMutableBytes { bytes in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            }
            if read == 0 {
                isComplete = true
                return
            }
            end += read
        }
    }

    /// Drops everything and takes no more.
    mutating func close() {
        start = end
        isComplete = true
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many lines end here: at each LF, CRLF and lone CR.
    var lineEndCount: Int {
        var lines = 0
        for index in 0..<count {
            let byte = self[index]
            if byte == UInt8.lineFeed {
                lines += 1
            } else if byte == UInt8.carriageReturn, index + 1 == count || self[index + 1] != UInt8.lineFeed {
                lines += 1
            }
        }
        return lines
    }

    /// The offset behind the first line end, or nil if there is none or, before the end of the source, none for sure.
    func lineEnd(isWhole: Bool) -> Int? {
        guard let index = firstIndex(where: { $0 == UInt8.lineFeed || $0 == UInt8.carriageReturn }) else { return nil }
        if self[index] == UInt8.lineFeed { return index + 1 }
        if index + 1 < count { return self[index + 1] == UInt8.lineFeed ? index + 2 : index + 1 }
        return isWhole ? index + 1 : nil
    }
}
