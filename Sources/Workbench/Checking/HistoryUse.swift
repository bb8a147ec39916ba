import Circulation
import LuaSyntax
import Scripting

/// Finds functions that read loans of the past though the policy does not say how far back it looks, so that there are never
/// any (`no_window`).
enum HistoryUse {
    static func findings(in chunk: Chunk, _ tables: PolicyTables) -> [Finding] {
        var visitor = Reads()
        chunk.walk(&visitor)
        let hasPatron = tables.patronHistory != nil || tables.limits.contains { $0.within != nil }
        return visitor.found.compactMap { name, range in
            let isPatron = name == "history"
            guard isPatron ? !hasPatron : tables.titleHistory == nil else { return nil }
            let (whose, field) = isPatron ? ("patron", "history") : ("title", "times_lent")
            return Finding(
                code: "no_window", severity: .warning, file: chunk.name, range: range,
                message: "case.\(whose).\(field) has nothing in it: no history = { \(whose) = days(90) } says how far"
                    + " back the policy looks")
        }
    }

    private struct Reads: LuaVisitor {
        var found: [(name: String, range: SourceRange)] = []

        mutating func enter(_ expression: Expression) {
            guard case .suffixed(let suffixed) = expression.kind else { return }
            for suffix in suffixed.suffixes {
                guard case .field(let name) = suffix.kind, ["history", "times_lent"].contains(name.name) else {
                    continue
                }
                found.append((name.name, expression.range))
            }
        }
    }
}
