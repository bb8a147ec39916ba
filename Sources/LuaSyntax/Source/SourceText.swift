/// The bytes of a Lua file, with access by line.
///
/// Lines end as Lua reads them: at LF, CR, CR LF or LF CR, so that line numbers agree with Lua's messages.
package struct SourceText: Sendable {
    package let bytes: [UInt8]

    /// The offset of each line's first byte.
    private let lineStarts: [Int]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let width = SourceText.lineEndWidth(in: bytes, at: index)
            index += max(width, 1)
            if width > 0 { starts.append(index) }
        }
        lineStarts = starts
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// How many lines there are; a text that ends with a line end has an empty last line.
    package var lineCount: Int { lineStarts.count }

    /// The text of a line without its line end, or nil if the line does not exist.
    ///
    /// Bytes that are not valid UTF-8 come out as U+FFFD.
    package func line(_ number: Int) -> String? {
        bytes(ofLine: number).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The place at a byte offset; an offset outside of the text is moved to its nearest end.
    package func position(atOffset offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = lineNumber(atOffset: offset)
        let before = bytes[lineStarts[line - 1]..<offset]
        return SourcePosition(line: line, column: before.count { !$0.isUTF8Continuation } + 1, offset: offset)
    }

    /// The text of a range; bytes that are not valid UTF-8 come out as U+FFFD.
    package subscript(_ range: SourceRange) -> String {
        let start = min(max(range.start.offset, 0), bytes.count)
        let end = min(max(range.end.offset, start), bytes.count)
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func bytes(ofLine number: Int) -> ArraySlice<UInt8>? {
        guard number >= 1, number <= lineStarts.count else { return nil }
        let start = lineStarts[number - 1]
        var end = number < lineStarts.count ? lineStarts[number] : bytes.count
        while end > start, bytes[end - 1].isLineEnd { end -= 1 }
        return bytes[start..<end]
    }

    private func lineNumber(atOffset offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    private static func lineEndWidth(in bytes: [UInt8], at index: Int) -> Int {
        guard bytes[index].isLineEnd else { return 0 }
        let next = index + 1
        return next < bytes.count && bytes[next].isLineEnd && bytes[next] != bytes[index] ? 2 : 1
    }
}
