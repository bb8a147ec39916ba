/// The fields that the functions of a policy read of the rule they are given.
package enum RuleReads {
    /// The names behind the second parameter of each decision function, and behind those parameters of local functions
    /// that it is handed on to; empty for a file that is not a policy.
    package static func names(in chunk: Chunk) -> Set<String> {
        let scopes = ScopeAnalysis(chunk)
        guard let outline = PolicyOutline(chunk, scopes: scopes) else { return [] }
        let rules = Set(outline.functions.compactMap { $0.body.parameters.dropFirst().first?.id })
        guard !rules.isEmpty else { return [] }
        var visitor = ReadVisitor(
            rules: RecordFlow.parameters(reachedFrom: rules, in: chunk, scopes: scopes), scopes: scopes)
        chunk.walk(&visitor)
        return visitor.names
    }

    private struct ReadVisitor: LuaVisitor {
        let rules: Set<Int>
        let scopes: ScopeAnalysis
        private(set) var names: Set<String> = []

        mutating func enter(_ expression: Expression) {
            guard case .suffixed = expression.kind, let (written, _) = expression.leadingPath else { return }
            let path = scopes.resolved(written)
            guard case .local(let id) = path.root, rules.contains(id), case .field(let field)? = path.steps.first else {
                return
            }
            names.insert(field.name)
        }
    }
}
