import Circulation
import LuaSyntax
import Scripting
import TextFormats

/// A field of the case that a changed comparison looks at, and what stands on its other side: random cases seldom have
/// both alike, and only such cases distinguish `>` from `>=`.
struct ComparedField {
    private static let parts = ["patron", "loan", "title", "copy", "hold", "listing", "request", "suggestion"]

    private let mutant: Mutant
    private let part: String
    private let field: String
    /// The other side as it is written, such as `to`.
    private let other: String

    /// The sides of the comparison whose operator a change replaces.
    static func of(_ mutant: Mutant, in policy: ParsedPolicy) -> [ComparedField] {
        guard ["<", "<=", ">", ">=", "==", "~="].contains(mutant.from),
            let chunk = policy[mutant.file]
        else { return [] }
        var finder = ComparisonFinder(range: mutant.range)
        chunk.walk(&finder)
        guard let (left, right) = finder.sides else { return [] }
        return [(left, right), (right, left)].compactMap { side, other in
            guard case .suffixed(let suffixed) = side.withoutParentheses.kind else { return nil }
            let first: [String] = if case .variable(let base) = suffixed.base.kind { [base.name] } else { [] }
            let names = first + suffixed.suffixes.map { if case .field(let name) = $0.kind { name.name } else { "" } }
            guard let field = names.last, let part = names.dropLast().last, parts.contains(part) else { return nil }
            return ComparedField(mutant: mutant, part: part, field: field, other: chunk.source[other.range])
        }
    }

    /// A case with the field as the other side is seen to be when the policy decides it; nil where it does not come so
    /// far.
    func matched(_ object: JSONObject, _ policy: LuaPolicy) -> JSONObject? {
        guard let question = try? Case(json: .object(object)) else { return nil }
        var facts = object[part]?.objectValue ?? [:]
        let lines = policy.decideTraced(question).trace.lines.filter {
            $0.file == mutant.file && $0.line <= mutant.line
        }
        guard
            let held = lines.last(where: { $0.values.contains { $0.name == other } })?.values.last(where: {
                $0.name == other
            })?.value
        else { return nil }
        switch held {
        case .plain(let json) where !json.isNull: facts[field] = json
        case .value(let text, _): facts[field] = .string(text)
        default: return nil
        }
        var matched = object
        matched[part] = .object(facts)
        return matched
    }
}

private struct ComparisonFinder: LuaVisitor {
    let range: SourceRange
    private(set) var sides: (Expression, Expression)?

    mutating func enter(_ expression: Expression) {
        guard case .binary(let binary) = expression.kind else { return }
        var left = binary.first
        for link in binary.links {
            if link.operationRange == range { sides = (left, link.operand) }
            left = link.operand
        }
    }
}
