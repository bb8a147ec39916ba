import LuaSyntax

/// Finds entries of tables that are lost: a key that is given twice (`duplicate_key`), and a `nil` between the entries
/// of a list, where reading ends (`list_hole`).
struct TableFaults: LuaVisitor {
    private let file: String
    private(set) var findings: [Finding] = []

    static func findings(in chunk: Chunk) -> [Finding] {
        var visitor = TableFaults(file: chunk.name)
        chunk.walk(&visitor)
        return visitor.findings
    }

    mutating func enter(_ expression: Expression) {
        guard case .table(let table) = expression.kind else { return }
        var places: [String: Int] = [:]
        for entry in table.entries {
            guard let key = Self.key(of: entry) else { continue }
            if let line = places.updateValue(entry.range.start.line, forKey: key) {
                report(
                    "duplicate_key", entry.range,
                    "\(key) is given twice in this table: only this one counts, that of line \(line) is lost")
            }
        }
        lookForHoles(table)
    }

    private mutating func lookForHoles(_ table: TableConstructor) {
        let list = table.entries.filter { if case .position = $0.key { true } else { false } }
        for (place, entry) in list.enumerated() where place < list.count - 1 && entry.value.kind == .nil {
            report(
                "list_hole", entry.value.range,
                "a nil in a list ends it: 'ipairs' and '#' may never see what stands behind it")
        }
    }

    /// The text of a key for a finding, where it is known without running the policy.
    private static func key(of entry: TableConstructor.Entry) -> String? {
        if let name = entry.name { return "'\(name.name)'" }
        guard case .expression(let key) = entry.key else { return nil }
        switch key.withoutParentheses.kind {
        case .integer(let number): return "[\(number)]"
        case .boolean(let value): return "[\(value)]"
        default: return nil
        }
    }

    private mutating func report(_ code: String, _ range: SourceRange, _ message: String) {
        findings.append(Finding(code: code, severity: .warning, file: file, range: range, message: message))
    }
}
