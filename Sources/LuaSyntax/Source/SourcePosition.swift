/// A place in a source text.
///
/// Lines and columns count from one, columns in Unicode scalars (a byte that is not part of valid UTF-8 counts as one).
/// The offset counts bytes from zero. Positions of one text compare in reading order.
package struct SourcePosition: Hashable, Comparable, Sendable {
    // Half the width of Int: trees are made of positions, and the frames of a recursive descent of trees.
    private let storedLine: Int32
    private let storedColumn: Int32
    private let storedOffset: Int32

    package var line: Int { Int(storedLine) }
    package var column: Int { Int(storedColumn) }
    package var offset: Int { Int(storedOffset) }

    /// Numbers beyond 2^31 - 1 are taken as that.
    package init(line: Int, column: Int, offset: Int) {
        storedLine = Int32(clamping: line)
        storedColumn = Int32(clamping: column)
        storedOffset = Int32(clamping: offset)
    }

    /// The first byte of a text.
    package static let start = SourcePosition(line: 1, column: 1, offset: 0)

    package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.offset, left.line, left.column) < (right.offset, right.line, right.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}
