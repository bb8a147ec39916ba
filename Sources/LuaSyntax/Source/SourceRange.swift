/// A stretch of a source text, from its first byte to the place behind its last.
package struct SourceRange: Hashable, Sendable {
    package let start: SourcePosition
    package let end: SourcePosition

    package init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = end
    }

    /// Whether `position` lies inside; the end does not.
    package func contains(_ position: SourcePosition) -> Bool {
        start.offset <= position.offset && position.offset < end.offset
    }

    /// The column behind the last character, when the range ends on the line where it began.
    package var endColumnOnFirstLine: Int? {
        start.line == end.line ? end.column : nil
    }
}
