import Circulation
import LuaSyntax
import Scripting
import TextFormats

/// Finds keys of `messages` that are codes neither of the desk nor of the policy's own `deny` and `confirm`:
/// `unknown_value`, a warning, since a code may be put together while the policy runs.
struct MessageCodes: LuaVisitor {
    private var given: Set<String> = []
    /// Whether a code is not a literal: then any key may be one, and only likely misspellings are reported.
    private var isComputed = false

    static func findings(in chunks: [Chunk]) -> [Finding] {
        guard let main = chunks.first, let messages = PolicyOutline(main)?["messages"],
            case .table(let table) = messages.value.kind
        else { return [] }
        var visitor = MessageCodes()
        for chunk in chunks { chunk.walk(&visitor) }
        let known = visitor.given.union(Refusal.Code.all)
            .union(LuaAPI.modules.flatMap(\.functions).flatMap(\.refusals))
        return table.entries.compactMap { entry in
            guard let key = entry.name, !known.contains(key.name) else { return nil }
            let nearest = NameSuggestion.nearest(to: key.name, among: known)
            guard nearest != nil || !visitor.isComputed else { return nil }
            return Finding(
                code: "unknown_value", severity: .warning, file: main.name, range: key.range,
                message: "nothing is refused with the code '\(key.name)'", suggestion: nearest)
        }
    }

    mutating func enter(_ expression: Expression) {
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "deny" || word.name == "confirm", let code = call.arguments.first
        else { return }
        if let literal = code.stringLiteral { given.insert(literal) } else { isComputed = true }
    }
}
