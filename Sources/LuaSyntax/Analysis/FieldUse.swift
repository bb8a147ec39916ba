import TextFormats

/// Finds fields that the records given to a policy's functions do not have.
///
/// Chains such as `case.patron.category` are followed from the parameters of decision functions and of `when`, through
/// local variables, through the elements of lists and loops over them, and into local functions that are called with a
/// record or a part of one.
package struct FieldUse {
    private let caseFields: (String) -> FieldTree?
    private let ruleFields: FieldTree?
    private let file: String

    /// - Parameters:
    ///   - caseFields: what the case has at a decision point, and for `when` in rows; nil follows nothing there.
    ///   - ruleFields: what the rule has; nil follows nothing.
    package init(caseFields: @escaping (String) -> FieldTree?, ruleFields: FieldTree?, file: String) {
        self.caseFields = caseFields
        self.ruleFields = ruleFields
        self.file = file
    }

    /// The findings `unknown_field`, in order of place.
    package func findings(in chunk: Chunk) -> [Finding] {
        let scopes = ScopeAnalysis(chunk)
        guard let outline = PolicyOutline(chunk, scopes: scopes) else { return [] }
        return Self.findings(in: chunk, given: given(by: outline), scopes: scopes, file: file)
    }

    /// The same for functions of any file.
    ///
    /// - Parameter given: what their parameters are known to be, by ``LocalDeclaration/id``.
    package static func findings(
        in chunk: Chunk, given: [Int: FieldTree], scopes: ScopeAnalysis, file: String
    ) -> [Finding] {
        let records = RecordFlow(given: given, scopes: scopes).records(in: chunk)
        var visitor = FieldVisitor(records: records, chunk: chunk, file: file, scopes: scopes)
        chunk.walk(&visitor)
        return visitor.findings.sorted()
    }

    private func given(by outline: PolicyOutline) -> [Int: FieldTree] {
        var records: [Int: FieldTree] = [:]
        let functions = outline.functions.map { ($0.name, $0.body) } + outline.conditions.map { ("when", $0.body) }
        for (point, body) in functions {
            for (parameter, tree) in zip(body.parameters, [caseFields(point), ruleFields]) {
                guard let tree else { continue }
                // One function may serve several points.
                records[parameter.id] = records[parameter.id]?.merging(tree) ?? tree
            }
        }
        return records
    }
}

extension FieldTree {
    /// The part at the end of a path; nil where the path leaves what is known.
    func part(at steps: [AccessPath.Step]) -> FieldTree? {
        steps.reduce(Optional(self)) { tree, step in
            guard let tree, !tree.isOpen else { return nil }
            switch step {
            case .field(let name): return tree.fields[name.name]
            case .element: return tree.element
            }
        }
    }
}

/// Compares the chains of a chunk with what the records have.
private struct FieldVisitor: LuaVisitor {
    let records: [Int: FieldTree]
    let chunk: Chunk
    let file: String
    let scopes: ScopeAnalysis
    private(set) var findings: [Finding] = []

    mutating func enter(_ expression: Expression) {
        guard case .suffixed = expression.kind, let (written, _) = expression.leadingPath else { return }
        let path = scopes.resolved(written)
        guard case .local(let id) = path.root, let record = records[id], !scopes.isReassigned(id) else { return }
        // What the variable's own definition says is reported there.
        let firstOwn = path.steps.count - written.steps.count
        for (index, step) in path.steps.enumerated() {
            guard let tree = record.part(at: Array(path.steps[..<index])), !tree.isOpen else { return }
            guard case .field(let field) = step, tree.fields[field.name] == nil else { continue }
            if index >= firstOwn {
                let holder = AccessPath(root: path.root, steps: Array(path.steps[..<index]))
                report(field, of: holder.names(root: chunk.declarations[id].name), tree)
            }
            return
        }
    }

    private mutating func report(_ field: Identifier, of holder: String, _ tree: FieldTree) {
        findings.append(
            Finding(
                code: "unknown_field", file: file, range: field.range,
                message: "'\(holder)' has no field '\(field.name)'",
                suggestion: NameSuggestion.nearest(to: field.name, among: tree.fields.keys)))
    }
}
