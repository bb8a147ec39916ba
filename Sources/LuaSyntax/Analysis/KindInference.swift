/// Infers the kind of an expression of a policy, as far as that is possible without running it.
///
/// Kinds are words such as `number` or `money`; a kind may be narrowed behind a colon, as in `text:category`. What they
/// mean is the caller's business.
package struct KindInference {
    private let records: [Int: FieldTree]
    private let calls: [String: String]
    package let scopes: ScopeAnalysis

    /// - Parameters:
    ///   - caseFields: what the first parameter of decision functions has, and that of `when`.
    ///   - ruleFields: what the second has.
    ///   - calls: the kinds of what global functions answer.
    package init(_ chunk: Chunk, caseFields: FieldTree, ruleFields: FieldTree, calls: [String: String]) {
        scopes = ScopeAnalysis(chunk)
        self.calls = calls
        var given: [Int: FieldTree] = [:]
        if let outline = PolicyOutline(chunk, scopes: scopes) {
            let bodies = outline.functions.map(\.body) + outline.conditions.map(\.body)
            for body in bodies {
                for (parameter, tree) in zip(body.parameters, [caseFields, ruleFields]) { given[parameter.id] = tree }
            }
        }
        records = RecordFlow(given: given, scopes: scopes).records(in: chunk)
    }

    /// What is known of a field of a record; nil for anything else.
    package func field(_ expression: Expression) -> FieldTree? {
        guard let path = expression.accessPath.map(scopes.resolved), case .local(let id) = path.root,
            !scopes.isReassigned(id)
        else { return nil }
        return records[id]?.part(at: path.steps)
    }

    /// The kind of an expression; nil where it is unknown.
    package func kind(_ expression: Expression) -> String? {
        switch expression.withoutParentheses.kind {
        case .nil: return "nil"
        case .boolean: return "boolean"
        case .integer, .number: return "number"
        case .string: return "text"
        case .table: return "table"
        case .function: return "function"
        case .vararg: return nil
        case .unary(let operation, let operand): return kind(operation, operand)
        case .binary(let binary): return kind(binary, upTo: binary.links.count)
        case .parenthesized: return nil
        case .variable, .suffixed: return kindOfPath(expression.withoutParentheses)
        }
    }

    private func kindOfPath(_ expression: Expression) -> String? {
        if let kind = field(expression)?.kind { return kind }
        if let kind = kindOfElement(expression) { return kind }
        if case .variable(let variable) = expression.kind {
            if variable.binding == .global { return calls["=" + variable.name] }
            let resolved = scopes.resolved(expression)
            guard resolved.range != expression.range else { return nil }
            return kind(resolved)
        }
        guard let call = expression.call, case .variable(let callee) = scopes.resolved(call.callee).kind,
            callee.binding == .global
        else { return nil }
        return calls[callee.name]
    }

    /// Of what kind an element is, where the list has a kind such as `list:category`.
    private func kindOfElement(_ expression: Expression) -> String? {
        guard let path = expression.accessPath.map(scopes.resolved), case .local(let id) = path.root,
            !scopes.isReassigned(id), path.steps.last == .element,
            let kind = records[id]?.part(at: Array(path.steps.dropLast()))?.kind, kind.hasPrefix("list:")
        else { return nil }
        return "text:" + kind.dropFirst("list:".count)
    }

    private func kind(_ operation: UnaryOperator, _ operand: Expression) -> String? {
        switch operation {
        case .not: "boolean"
        case .length, .bitwiseNot: "number"
        case .minus: kind(operand).map(KindInference.plain)
        }
    }

    /// The kind of a chain of operators up to, and without, the link at a place.
    package func kind(_ binary: BinaryExpression, upTo count: Int) -> String? {
        var result = kind(binary.first)
        for link in binary.links.prefix(count) {
            result = KindInference.kind(result, link.operation, kind(link.operand))
        }
        return result
    }

    /// A kind without what narrows it.
    package static func plain(_ kind: String) -> String {
        kind.firstIndex(of: ":").map { String(kind[..<$0]) } ?? kind
    }

    private static func kind(_ left: String?, _ operation: BinaryOperator, _ right: String?) -> String? {
        switch operation {
        case .less, .greater, .lessOrEqual, .greaterOrEqual, .equal, .notEqual: return "boolean"
        case .concatenate: return "text"
        case .and, .or: return nil
        case .modulo where left == "number:lateness": return "number:remainder"
        default: break
        }
        guard let left = left.map(plain), let right = right.map(plain) else { return nil }
        if left == "number" && right == "number" { return "number" }
        switch (left, operation, right) {
        case ("money", .add, "money"), ("money", .subtract, "money"), ("money", .multiply, "number"),
            ("number", .multiply, "money"), ("money", .multiply, "percent"), ("percent", .multiply, "money"),
            ("money", .divide, "number"):
            return "money"
        case ("money", .divide, "money"): return "number"
        case ("instant", .add, "period"), ("instant", .subtract, "period"), ("period", .add, "instant"):
            return "instant"
        case ("date", .add, "period"), ("date", .subtract, "period"), ("period", .add, "date"): return "date"
        case ("instant", .subtract, "instant"), ("date", .subtract, "date"), ("instant", .subtract, "date"),
            ("date", .subtract, "instant"), ("period", .add, "period"), ("period", .subtract, "period"),
            ("period", .multiply, "number"), ("number", .multiply, "period"):
            return "period"
        default: return nil
        }
    }
}
