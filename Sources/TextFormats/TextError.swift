/// What is wrong with a text that a program or a person handed in, and where.
///
/// Positions count from the start of the whole source: `line` and `column` from 1, `offset` from 0. A column counts
/// bytes, as editors that jump to `file:line:column` do.
package struct TextError: Error, Hashable, Sendable {
    /// The kinds of fault, for programs; people read ``message``.
    package enum Code: String, Hashable, Sendable {
        /// The text breaks the grammar of its format.
        case syntax
        /// The bytes are not UTF-8.
        case encoding
        /// A number is outside what a 64-bit integer or a double holds.
        case number
        /// The same key stands twice in one object.
        case duplicateKey
        /// Arrays and objects are nested deeper than the reader allows.
        case depth
        /// A record or value is longer than the reader allows.
        case tooLong
        /// A row of a table has the sums of the rows above it.
        case total
        /// The source itself failed.
        case unreadable
    }

    package let code: Code
    package let message: String
    package let line: Int
    package let column: Int
    package let offset: Int

    package init(_ code: Code, _ message: String, line: Int, column: Int, offset: Int) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// An error at `offset` of `bytes`, whose first byte is at `line`, `column` 1 and `base` of the whole source.
    ///
    /// Counts the lines up to the place, which is why it is called for errors only.
    static func located(
        _ code: Code, _ message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1,
        base: Int = 0
    ) -> TextError {
        var line = firstLine
        var lineStart = 0
        for index in 0..<min(offset, bytes.count) {
            let isLineEnd =
                bytes[index] == UInt8.lineFeed
                || (bytes[index] == UInt8.carriageReturn
                    && (index + 1 >= bytes.count || bytes[index + 1] != UInt8.lineFeed))
            if isLineEnd {
                line += 1
                lineStart = index + 1
            }
        }
        return TextError(code, message, line: line, column: offset - lineStart + 1, offset: base + offset)
    }
}

extension TextError: CustomStringConvertible {
    /// `line 3, column 14: text after the closing quote`
    package var description: String {
        "line \(line), column \(column): \(message)"
    }
}
