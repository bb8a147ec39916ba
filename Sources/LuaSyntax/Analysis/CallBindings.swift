/// What calls hand over in place of the parameters of local functions, so that what a function does with its parameters can
/// be judged call by call.
package struct CallBindings: Sendable {
    /// The parameters of a function, each with what one call hands over for it.
    private typealias Binding = [Int: Expression]

    private let scopes: ScopeAnalysis
    private let bindings: [Int: [Binding]]
    /// The function of each parameter: both by id.
    private let owners: [Int: Int]

    private static let deepestCall = 4
    private static let mostPairs = 64

    package init(_ chunk: Chunk, scopes: ScopeAnalysis) {
        self.scopes = scopes
        var collector = CallCollector(scopes: scopes)
        chunk.walk(&collector)
        var bindings: [Int: [Binding]] = [:]
        var owners: [Int: Int] = [:]
        for call in collector.calls {
            var binding: Binding = [:]
            for (parameter, argument) in zip(call.function.parameters, call.arguments) {
                owners[parameter.id] = call.function.id
                binding[parameter.id] = argument
            }
            bindings[call.function.id, default: []].append(binding)
        }
        self.bindings = bindings
        self.owners = owners
    }

    /// Two expressions that meet, with what each call of the function around them hands over in place of its parameters; empty
    /// where neither is such a parameter.
    package func bound(_ left: Expression, _ right: Expression) -> [(left: Expression, right: Expression)] {
        var found: [(left: Expression, right: Expression)] = []
        bind(left, right, depth: 0, into: &found)
        return found
    }

    private func bind(
        _ left: Expression, _ right: Expression, depth: Int, into found: inout [(left: Expression, right: Expression)]
    ) {
        guard depth < Self.deepestCall, found.count < Self.mostPairs else { return }
        let parameters = [left, right].compactMap(parameter)
        // Of two functions, one within the other, the inner one is declared later.
        guard let function = parameters.compactMap({ owners[$0] }).max() else { return }
        for binding in bindings[function] ?? [] {
            let pair = (substituted(left, binding), substituted(right, binding))
            guard pair.0 != nil || pair.1 != nil else { continue }
            let (one, other) = (pair.0 ?? left, pair.1 ?? right)
            if found.count < Self.mostPairs { found.append((one, other)) }
            bind(one, other, depth: depth + 1, into: &found)
        }
    }

    /// The parameter that an expression stands for, where it keeps what a call gave it.
    private func parameter(_ expression: Expression) -> Int? {
        guard case .variable(let variable) = scopes.resolved(expression).kind, let id = variable.declaration,
            owners[id] != nil, !scopes.isReassigned(id)
        else { return nil }
        return id
    }

    private func substituted(_ expression: Expression, _ binding: Binding) -> Expression? {
        parameter(expression).flatMap { binding[$0] }
    }

    // MARK: - Texts

    /// The texts that an expression may be, with their places: its own, that of a variable, those of a list that is gone
    /// through, and those that `and` and `or` choose from.
    package func texts(_ expression: Expression, depth: Int = 0) -> [(text: String, range: SourceRange)] {
        guard depth < 8 else { return [] }
        let value = scopes.resolved(expression)
        if let text = value.stringLiteral { return [(text, value.range)] }
        switch value.kind {
        case .binary(let binary):
            guard binary.links.allSatisfy({ $0.operation == .and || $0.operation == .or }) else { return [] }
            return ([binary.first] + binary.links.map(\.operand)).flatMap { texts($0, depth: depth + 1) }
        case .variable(let variable):
            guard let id = variable.declaration, case .element(let list) = scopes.definition(of: id) else { return [] }
            return elements(of: list, depth: depth)
        default: return []
        }
    }

    /// The texts of a list, or the one text that an expression is.
    package func elements(of expression: Expression, depth: Int = 0) -> [(text: String, range: SourceRange)] {
        guard case .table(let table) = scopes.resolved(expression).kind else {
            return texts(expression, depth: depth + 1)
        }
        return table.entries.filter { if case .name = $0.key { false } else { true } }
            .flatMap { texts($0.value, depth: depth + 1) }
    }

    /// The keys of a table that is written down, where it is a set or a choice by names.
    package func keys(of expression: Expression) -> [(text: String, range: SourceRange)] {
        guard case .table(let table) = scopes.resolved(expression).kind else { return [] }
        return table.entries.compactMap { entry in entry.name.map { ($0.name, $0.range) } }
    }
}
