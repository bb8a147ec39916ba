/// Follows records from the functions that are given them into the local functions these call.
struct RecordFlow {
    private let given: [Int: FieldTree]
    private let scopes: ScopeAnalysis

    /// - Parameter given: what parameters are known to be, by ``LocalDeclaration/id``.
    init(given: [Int: FieldTree], scopes: ScopeAnalysis) {
        self.given = given
        self.scopes = scopes
    }

    /// What is known of each parameter.
    ///
    /// A parameter of a local function is known only if every call of it by name passes something known. Each round
    /// follows calls one level deeper.
    func records(in chunk: Chunk) -> [Int: FieldTree] {
        var collector = CallCollector(scopes: scopes)
        chunk.walk(&collector)
        var records = given
        for _ in 0..<RecordFlow.deepestCall {
            let next = round(records, collector.calls)
            guard next != records else { break }
            records = next
        }
        return records
    }

    /// The given parameters, and those that any call of a local function by name hands a given one or a part of it.
    static func parameters(reachedFrom given: Set<Int>, in chunk: Chunk, scopes: ScopeAnalysis) -> Set<Int> {
        var collector = CallCollector(scopes: scopes)
        chunk.walk(&collector)
        var reached = given
        for _ in 0..<deepestCall {
            let before = reached.count
            for call in collector.calls {
                for (parameter, argument) in zip(call.function.parameters, call.arguments) {
                    guard let path = argument.accessPath.map(scopes.resolved), case .local(let id) = path.root,
                        reached.contains(id), !scopes.isReassigned(id)
                    else { continue }
                    reached.insert(parameter.id)
                }
            }
            if reached.count == before { break }
        }
        return reached
    }

    private static let deepestCall = 16

    private func round(_ records: [Int: FieldTree], _ calls: [CallCollector.Call]) -> [Int: FieldTree] {
        var found: [Int: FieldTree] = [:]
        var unknown: Set<Int> = []
        for call in calls {
            for (parameter, argument) in zip(call.function.parameters, call.arguments) {
                guard let tree = tree(of: argument, records) else {
                    unknown.insert(parameter.id)
                    continue
                }
                found[parameter.id] = found[parameter.id]?.merging(tree) ?? tree
            }
        }
        return found.filter { !unknown.contains($0.key) }.merging(given) { $1 }
    }

    private func tree(of argument: Expression, _ records: [Int: FieldTree]) -> FieldTree? {
        guard let path = argument.accessPath.map(scopes.resolved), case .local(let id) = path.root,
            !scopes.isReassigned(id)
        else { return nil }
        return records[id]?.part(at: path.steps)
    }
}

/// Gathers the calls of local functions by name.
struct CallCollector: LuaVisitor {
    struct Call {
        var function: FunctionBody
        var arguments: [Expression]
    }

    let scopes: ScopeAnalysis
    private(set) var calls: [Call] = []

    mutating func enter(_ expression: Expression) {
        guard case .suffixed(let suffixed) = expression.kind, case .call(let arguments) = suffixed.suffixes.first?.kind,
            let function = scopes.function(suffixed.base)
        else { return }
        calls.append(Call(function: function, arguments: arguments))
    }
}
