import Circulation
import LuaSyntax

/// Finds fields read of a part of the case that is never there at the point, such as the loan at `checkout`: the function
/// would fail whenever it comes to the line. Code `unknown_field`.
enum AbsentParts {
    static func findings(in outline: PolicyOutline, scopes: ScopeAnalysis, file: String) -> [Finding] {
        outline.functions.flatMap { function -> [Finding] in
            guard let point = DecisionPoint(rawValue: function.name), let question = function.body.parameters.first,
                // A function that serves several points asks for what is there.
                outline.functions.count(where: { $0.body == function.body }) == 1
            else { return [] }
            var visitor = PartVisitor(question: question.id, absent: absent(at: point), scopes: scopes)
            function.body.block.walk(&visitor)
            return visitor.reads.filter { !visitor.asked.contains($0.name) }.map { part in
                Finding(
                    code: "unknown_field", file: file, range: part.range,
                    message: "there is no \(part.name) at '\(point.rawValue)'")
            }
        }
    }

    private static func absent(at point: DecisionPoint) -> Set<String> {
        let sales: Set<String> = ["listing", "suggestion", "lines", "event"]
        switch point {
        case .request: return sales.union(["title", "copy", "loan", "hold"])
        case .checkout: return sales.union(["loan", "hold"])
        case .due: return sales.union(["hold"])
        case .renew, .overdue, .fine, .checkin, .lost: return sales.union(["hold", "request"])
        case .hold: return sales.union(["loan", "request"])
        case .recall: return sales.union(["request"])
        case .publish: return ["loan", "hold", "request", "lines", "event"]
        case .expiry: return sales.union(["title", "copy", "loan", "hold", "request"])
        case .price, .notify: return []
        }
    }

    private struct PartVisitor: LuaVisitor {
        let question: Int
        let absent: Set<String>
        let scopes: ScopeAnalysis
        /// The parts of which a field is read.
        private(set) var reads: [Identifier] = []
        /// The parts that are looked at themselves, to see whether they are there.
        private(set) var asked: Set<String> = []

        mutating func enter(_ expression: Expression) {
            guard case .suffixed = expression.kind, let path = expression.accessPath,
                case .local(question) = path.root, case .field(let part)? = path.steps.first,
                absent.contains(part.name)
            else { return }
            if path.steps.count > 1 { reads.append(part) } else { asked.insert(part.name) }
        }
    }
}
