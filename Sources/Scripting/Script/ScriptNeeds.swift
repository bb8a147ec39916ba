package import LuaSyntax

/// What a script says it needs, read from its text before anything of it runs.
package enum ScriptNeeds {
    /// The capabilities of a literal `needs { "loans.write" }` as the first statement; none where there is no such call.
    ///
    /// - Throws: ``CapabilityError`` for a name that does not exist, and for a first statement that calls `needs` with
    ///   anything but plain strings.
    package static func capabilities(of chunk: Chunk) throws(CapabilityError) -> Set<Capability> {
        guard let first = chunk.block.statements.first(where: { $0.kind != .empty }),
            let arguments = arguments(of: first)
        else { return [] }
        guard let names = literals(arguments) else { throw .misplaced(line: first.range.start.line) }
        var capabilities: Set<Capability> = []
        for name in names {
            let capability = try Capability.named(name)
            if capability != .read { capabilities.insert(capability) }
        }
        return capabilities
    }

    /// The arguments if the statement calls the global `needs`.
    private static func arguments(of statement: Statement) -> [Expression]? {
        guard case .call(let expression) = statement.kind, case .suffixed(let call) = expression.kind,
            case .variable(let variable) = call.base.kind, variable.binding == .global, variable.name == "needs",
            call.suffixes.count == 1, case .call(let arguments) = call.suffixes[0].kind
        else { return nil }
        return arguments
    }

    private static func literals(_ arguments: [Expression]) -> [String]? {
        guard arguments.count == 1 else { return nil }
        if let name = arguments[0].stringLiteral { return [name] }
        guard case .table(let table) = arguments[0].kind else { return nil }
        var names: [String] = []
        for entry in table.entries {
            guard case .position = entry.key, let name = entry.value.stringLiteral else { return nil }
            names.append(name)
        }
        return names
    }
}
