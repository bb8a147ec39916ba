import LuaSyntax

/// Makes a written policy smaller while it shows the same: statements are taken out, expressions become parts of themselves.
package struct PolicyShrinker {
    private let shows: (PolicyWriter.Text) -> Bool
    private var left: Int

    /// - Parameter shows: whether a policy still shows what the first one does.
    package static func shrunk(
        _ text: PolicyWriter.Text, tries: Int = 3_000, while shows: @escaping (PolicyWriter.Text) -> Bool
    ) -> PolicyWriter.Text {
        var shrinker = PolicyShrinker(shows: shows, left: tries)
        var best = text
        for path in [\PolicyWriter.Text.properties, \.policy] {
            while let smaller = shrinker.smaller(best, path) { best = smaller }
        }
        return best
    }

    private mutating func smaller(
        _ text: PolicyWriter.Text, _ path: WritableKeyPath<PolicyWriter.Text, String>
    ) -> PolicyWriter.Text? {
        let source = Array(text[keyPath: path].utf8)
        guard let chunk = try? LuaParser.parse(text[keyPath: path], chunk: "policy.lua") else { return nil }
        var finder = PieceFinder()
        chunk.walk(&finder)
        for (range, parts) in finder.changes(source) {
            for part in parts {
                guard left > 0 else { return nil }
                left -= 1
                var candidate = text
                candidate[keyPath: path] = String(
                    decoding: source[..<range.lowerBound] + Array(part.utf8) + source[range.upperBound...],
                    as: UTF8.self)
                if candidate[keyPath: path].utf8.count < source.count, shows(candidate) { return candidate }
            }
        }
        return nil
    }
}

/// Finds what can be taken out of a source, the largest first.
private struct PieceFinder: LuaVisitor {
    private var statements: [Range<Int>] = []
    private var expressions: [Range<Int>] = []
    private var blocks: [(Range<Int>, [String])] = []

    mutating func enter(_ statement: Statement) { statements.append(statement.range.offsets) }

    mutating func enter(_ expression: Expression) {
        expressions.append(expression.range.offsets)
        guard case .table(let table) = expression.kind else { return }
        for (index, entry) in table.entries.enumerated() {
            let next =
                index + 1 < table.entries.count ? table.entries[index + 1].range.start.offset : entry.range.end.offset
            statements.append(entry.range.start.offset..<next)
        }
    }

    func changes(_ source: [UInt8]) -> [(Range<Int>, [String])] {
        func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }
        let removals = statements.map { ($0, [""]) }
        let bodies = statements.map { range in
            (range, statements.filter { range.contains($0.lowerBound) && $0.count < range.count }.map(text))
        }
        let parts = expressions.map { range in
            let inner = expressions.filter { range.contains($0.lowerBound) && $0.count < range.count }
            return (range, inner.sorted { $0.count > $1.count }.prefix(12).map(text) + ["nil", "1", "true"])
        }
        return removals.sorted { $0.0.count > $1.0.count } + bodies.sorted { $0.0.count > $1.0.count }
            + parts.sorted { $0.0.count > $1.0.count }
    }
}

extension SourceRange {
    fileprivate var offsets: Range<Int> { start.offset..<end.offset }
}
