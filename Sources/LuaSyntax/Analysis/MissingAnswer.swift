/// Finds paths through a function on which it answers nothing, for decision points that need an answer.
package struct MissingAnswer: Sendable {
    private let points: Set<String>
    private let file: String

    /// - Parameter points: the decision points that always need an answer, such as `publish`.
    package init(points: Set<String>, file: String) {
        self.points = points
        self.file = file
    }

    /// - Parameter scopes: to follow what the function hands on of local functions.
    package func findings(in outline: PolicyOutline, scopes: ScopeAnalysis? = nil) -> [Finding] {
        outline.functions.filter { points.contains($0.name) }.flatMap { function in
            var seen: Set<Int> = [function.body.id]
            return findings(function.body, function.name, scopes, &seen)
        }
    }

    private func findings(
        _ body: FunctionBody, _ name: String, _ scopes: ScopeAnalysis?, _ seen: inout Set<Int>
    ) -> [Finding] {
        var search = Search()
        search.look(in: body.block)
        var findings = search.empty.map { finding($0, name, "returns nothing here") }
        findings += search.doubtful.map { finding($0, name, "answers nothing here where the condition fails") }
        if !body.block.leaves { findings.append(finding(body.fullRange, name, "can reach its end without an answer")) }
        guard let scopes else { return findings }
        for call in search.calls {
            guard let callee = call.call.flatMap({ scopes.function($0.callee) }), seen.insert(callee.id).inserted
            else { continue }
            findings += self.findings(callee, name, scopes, &seen)
        }
        return findings
    }

    private func finding(_ range: SourceRange, _ name: String, _ what: String) -> Finding {
        Finding(
            code: "missing_answer", severity: .error, file: file, range: range,
            message: "the function \(name) \(what); it always needs one")
    }

    private struct Search {
        /// The `return` statements without a value, or with `nil` alone.
        var empty: [SourceRange] = []
        /// What is returned only if a condition holds: `case.title and allow()`.
        var doubtful: [SourceRange] = []
        /// Calls whose answer is handed on.
        var calls: [Expression] = []

        /// Looks at what the block returns, but not at functions within it.
        mutating func look(in block: Block) {
            for statement in block.statements { look(in: statement) }
        }

        private mutating func look(in statement: Statement) {
            switch statement.kind {
            case .return(let values):
                if isNothing(values) { empty.append(statement.range) }
                if let first = values.first { look(at: first.withoutParentheses) }
            case .block(let block), .whileLoop(_, let block), .repeatLoop(let block, _),
                .numericFor(_, _, _, _, let block), .genericFor(_, _, let block):
                look(in: block)
            case .conditional(let branches, let otherwise):
                for branch in branches { look(in: branch.block) }
                if let otherwise { look(in: otherwise) }
            default: break
            }
        }

        private mutating func look(at value: Expression) {
            if value.call != nil { calls.append(value) }
            guard case .binary(let binary) = value.kind, let last = binary.links.last else { return }
            if last.operation == .and { doubtful.append(value.range) }
            if last.operation == .or { look(at: last.operand.withoutParentheses) }
        }

        private func isNothing(_ values: [Expression]) -> Bool {
            guard let first = values.first else { return true }
            if case .nil = first.kind { return true }
            return false
        }
    }
}
