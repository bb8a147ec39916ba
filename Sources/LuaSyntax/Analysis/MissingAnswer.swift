/// Finds paths through a function on which it answers nothing, for decision points where that is no answer.
package struct MissingAnswer: Sendable {
    private let points: Set<String>
    private let file: String

    /// - Parameter points: the decision points that always need an answer, such as `publish`.
    package init(points: Set<String>, file: String) {
        self.points = points
        self.file = file
    }

    package func findings(in outline: PolicyOutline) -> [Finding] {
        outline.functions.filter { points.contains($0.name) }.flatMap { function in
            var search = Search()
            let ends = search.ends(function.body.block)
            var findings = search.empty.map { finding($0, function.name, "returns nothing here") }
            if !ends {
                findings.append(
                    finding(function.range, function.name, "can reach its end without an answer"))
            }
            return findings
        }
    }

    private func finding(_ range: SourceRange, _ name: String, _ what: String) -> Finding {
        Finding(
            code: "missing_answer", severity: .error, file: file, range: range,
            message: "the function \(name) \(what); it always needs one")
    }

    private struct Search {
        /// The `return` statements without a value, or with `nil` alone.
        var empty: [SourceRange] = []

        /// Whether no path leads past the block. What a loop does is not followed, but its returns are looked at.
        mutating func ends(_ block: Block) -> Bool {
            var isOver = false
            for statement in block.statements where ends(statement) { isOver = true }
            return isOver
        }

        private mutating func ends(_ statement: Statement) -> Bool {
            switch statement.kind {
            case .return(let values):
                if isNothing(values) { empty.append(statement.range) }
                return true
            case .block(let block): return ends(block)
            case .conditional(let branches, let otherwise):
                var isOver = true
                for branch in branches where !ends(branch.block) { isOver = false }
                guard let otherwise else { return false }
                return ends(otherwise) && isOver
            case .whileLoop(let condition, let block):
                _ = ends(block)
                if case .boolean(true) = condition.kind { return true }
                return false
            case .numericFor(_, _, _, _, let block), .genericFor(_, _, let block):
                _ = ends(block)
                return false
            case .repeatLoop(let block, _): return ends(block)
            case .call(let expression): return isError(expression)
            default: return false
            }
        }

        private func isNothing(_ values: [Expression]) -> Bool {
            guard let first = values.first else { return true }
            if case .nil = first.kind { return true }
            return false
        }

        private func isError(_ expression: Expression) -> Bool {
            guard case .suffixed(let call) = expression.kind, case .call? = call.suffixes.first?.kind,
                case .variable(let callee) = call.base.kind
            else { return false }
            return callee.binding == .global && callee.name == "error"
        }
    }
}
