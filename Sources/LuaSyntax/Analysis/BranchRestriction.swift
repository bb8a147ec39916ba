/// Counts what Lua's compiler links into lists that it walks from the beginning: a text of half a megabyte that is one long
/// `elseif` would keep it busy for seconds, and no limit stops it.
struct BranchRestriction: LuaVisitor {
    /// A text of so many bytes may have any number of branches.
    static let freeSize = 64 << 10
    /// The most branches of a longer one, such as a table of four thousand rows.
    static let most = 4_000

    private var count = 0
    private var place: SourceRange?

    static func findings(in chunk: Chunk, file: String) -> [Finding] {
        guard chunk.source.bytes.count > freeSize else { return [] }
        var visitor = BranchRestriction()
        chunk.walk(&visitor)
        return visitor.place.map { place in
            [
                Finding(
                    code: "too_large", file: file, range: place,
                    message: "a file of more than \(freeSize >> 10) KB may have \(most) branches ('if', 'and', 'or',"
                        + " 'goto', 'break' and labels); this is the next one")
            ]
        } ?? []
    }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .conditional(let branches, _): add(branches.count, statement.range)
        case .goto, .break, .label: add(1, statement.range)
        default: break
        }
    }

    mutating func enter(_ expression: Expression) {
        guard case .binary(let binary) = expression.kind else { return }
        for link in binary.links where link.operation == .and || link.operation == .or { add(1, link.operationRange) }
    }

    private mutating func add(_ more: Int, _ range: SourceRange) {
        count += more
        if count > Self.most, place == nil { place = range }
    }
}
