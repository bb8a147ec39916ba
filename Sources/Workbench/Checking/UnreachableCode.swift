import LuaSyntax

/// Finds statements behind which nothing is reached: the warning `unreachable_code`, at the statement that always leaves, or, where
/// that is a long one, at what is never reached.
struct UnreachableCode: LuaVisitor {
    private let file: String
    private var findings: [Finding] = []

    static func findings(in chunk: Chunk) -> [Finding] {
        var search = UnreachableCode(file: chunk.name)
        search.look(at: chunk.block)
        chunk.walk(&search)
        return search.findings
    }

    mutating func enter(_ function: FunctionBody) { look(at: function.block) }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .block(let block), .whileLoop(_, let block), .repeatLoop(let block, _), .numericFor(_, _, _, _, let block),
            .genericFor(_, _, let block):
            look(at: block)
        case .conditional(let branches, let otherwise):
            for branch in branches { look(at: branch.block) }
            if let otherwise { look(at: otherwise) }
        default: break
        }
    }

    private mutating func look(at block: Block) {
        guard let last = block.lastReached,
            let next = block.statements.first(where: { $0.range.start > last.range.start })
        else { return }
        let isShort = last.range.start.line == last.range.end.line
        let message =
            isShort
            ? "nothing behind this is ever reached, from line \(next.range.start.line) on: it always ends here"
            : "this is never reached: what begins in line \(last.range.start.line) always ends before it"
        findings.append(
            Finding(
                code: "unreachable_code", severity: .warning, file: file, range: isShort ? last.range : next.range,
                message: message))
    }
}
