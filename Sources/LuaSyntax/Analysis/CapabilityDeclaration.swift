/// What a script says at its top that it needs: `needs { "loans.write", "notifications.write" }`.
///
/// It is read without running the script, so it has to be the first statement and its names literals.
package struct CapabilityDeclaration: Hashable, Sendable {
    /// The names, each with the place of its literal; empty for a script that declares nothing.
    package let capabilities: [Identifier]
    /// The findings `capability`: names that are not literals, and uses of `needs` elsewhere.
    package let findings: [Finding]

    package init(_ chunk: Chunk, file: String) {
        let first = chunk.block.statements.first { $0.kind != .empty }
        let declared = first.flatMap(CapabilityDeclaration.names)
        var collector = NeedsCollector()
        chunk.walk(&collector)
        capabilities = declared?.compactMap { $0.name } ?? []
        let computed = declared?.filter { $0.name == nil }.map(\.range) ?? []
        let elsewhere = collector.ranges.filter { declared == nil || $0.start != first?.range.start }
        findings =
            (computed.map { range in
                Finding(
                    code: "capability", file: file, range: range,
                    message:
                        "'needs' takes the names of capabilities as literals, so that they can be read before running")
            }
            + elsewhere.map { range in
                Finding(
                    code: "capability", file: file, range: range,
                    message: "'needs' is only read as the first statement, called with the names of capabilities")
            }).sorted()
    }

    private struct Name {
        var name: Identifier?
        var range: SourceRange
    }

    /// The arguments of `needs`, given as a list or as a single name; nil for any other statement.
    private static func names(in statement: Statement) -> [Name]? {
        guard case .call(let expression) = statement.kind, let call = expression.call,
            case .variable(let callee) = call.callee.kind, callee.binding == .global, callee.name == "needs",
            call.arguments.count == 1
        else { return nil }
        return call.arguments.flatMap { argument in
            guard case .table(let table) = argument.kind else { return [name(argument, isKeyed: false)] }
            return table.entries.map { name($0.value, isKeyed: $0.name != nil) }
        }
    }

    private static func name(_ expression: Expression, isKeyed: Bool) -> Name {
        let literal = isKeyed ? nil : expression.stringLiteral
        return Name(name: literal.map { Identifier(name: $0, range: expression.range) }, range: expression.range)
    }
}

/// Gathers the places where the global `needs` is named.
private struct NeedsCollector: LuaVisitor {
    private(set) var ranges: [SourceRange] = []

    mutating func enter(_ expression: Expression) {
        guard case .variable(let variable) = expression.kind, variable.binding == .global, variable.name == "needs"
        else { return }
        ranges.append(variable.range)
    }
}
