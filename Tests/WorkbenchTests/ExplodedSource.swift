import Testing

/// A source with each of its tokens on a line of its own, so that whatever is found has to name its own line.
struct ExplodedSource {
    let text: String
    /// The lines on which the tokens of a piece of the source stand.
    let planted: ClosedRange<Int>

    /// - Parameter piece: where in the source it stands.
    init(_ source: String, piece: Range<String.Index>) throws {
        var lines: [String] = []
        var inside: [Int] = []
        let token =
            /"(?:\\.|[^"\\])*"|[A-Za-z_][A-Za-z_0-9]*|[0-9]+(?:\.[0-9]+)?|==|~=|<=|>=|\.\.|\|\||[^\sA-Za-z_0-9"]/
        for match in source.matches(of: token) {
            lines.append(String(source[match.range]))
            if piece.overlaps(match.range) { inside.append(lines.count) }
        }
        let first = try #require(inside.first)
        planted = first...(inside.last ?? first)
        text = lines.joined(separator: "\n")
    }
}
