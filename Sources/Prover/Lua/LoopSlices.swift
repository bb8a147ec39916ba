import LuaSyntax

/// A loop's body taken apart into one for each group of variables that have to do with each other, such as a number that is counted
/// and the earliest of some dates: going round once for each comes to the same as going round once for all.
struct LoopSlices {
    /// The bodies; one where nothing can be taken apart.
    let bodies: [Block]

    init(_ body: Block, _ changes: ChangeFinder) {
        var finder = DependencyFinder(changes.changed)
        finder.look(at: body, under: [])
        let groups = finder.groups
        if groups.count < 2 || changes.mayEnd || !changes.isPlain || !finder.isPlain {
            bodies = [body]
        } else {
            bodies = groups.map { group in body.keeping(changes.changed.subtracting(group)) }
        }
    }
}

/// Finds which of the variables that a loop changes depend on which others.
private struct DependencyFinder {
    private let changed: Set<Int>
    private(set) var groups: [Set<Int>]
    /// Whether nothing else may be changed by what is left out.
    private(set) var isPlain = true

    init(_ changed: Set<Int>) {
        self.changed = changed
        groups = changed.sorted().map { [$0] }
    }

    private mutating func join(_ ids: Set<Int>) {
        let ids = ids.intersection(changed)
        guard ids.count > 1 else { return }
        let joined = groups.filter { !$0.isDisjoint(with: ids) }
        groups.removeAll { !$0.isDisjoint(with: ids) }
        groups.append(joined.reduce(into: []) { $0.formUnion($1) })
        groups.sort { ($0.min() ?? 0) < ($1.min() ?? 0) }
    }

    /// - Parameter outer: the variables that decide whether it is carried out.
    mutating func look(at block: Block, under outer: Set<Int>) {
        for statement in block.statements {
            switch statement.kind {
            case .empty: break
            case .local(_, let values):
                // A local variable of the body hands on what it is made of.
                if !uses(values).isDisjoint(with: changed) { isPlain = false }
            case .assignment(let targets, let values):
                let (needs, ids) = (outer.union(uses(values)), targets.compactMap(\.declaration))
                // So does one that is set there.
                if !changed.isSuperset(of: ids), !needs.isDisjoint(with: changed) { isPlain = false }
                join(needs.union(ids))
            case .block(let block): look(at: block, under: outer)
            case .conditional(let branches, let otherwise):
                var outer = outer
                for branch in branches {
                    outer.formUnion(uses([branch.condition]))
                    look(at: branch.block, under: outer)
                }
                if let otherwise { look(at: otherwise, under: outer) }
            default: isPlain = false
            }
        }
    }

    private mutating func uses(_ expressions: [Expression]) -> Set<Int> {
        var finder = CallFinder()
        for expression in expressions { expression.walk(&finder) }
        if finder.callsLocal { isPlain = false }
        return finder.declarations
    }
}

/// Finds the local variables that expressions name, and whether a function of the same function is called.
private struct CallFinder: LuaVisitor {
    private(set) var declarations: Set<Int> = []
    private(set) var callsLocal = false

    mutating func enter(_ expression: Expression) {
        if let declaration = expression.declaration { declarations.insert(declaration) }
        guard case .suffixed(let suffixed) = expression.kind, case .call? = suffixed.suffixes.first?.kind,
            case .variable(let variable) = suffixed.base.kind, case .local = variable.binding
        else { return }
        callsLocal = true
    }

    mutating func enter(_ function: FunctionBody) { callsLocal = true }
}

extension Block {
    /// The same without assignments to some variables.
    fileprivate func keeping(_ others: Set<Int>) -> Block {
        Block(statements: statements.compactMap { $0.keeping(others) }, range: range)
    }
}

extension Statement {
    fileprivate func keeping(_ others: Set<Int>) -> Statement? {
        switch kind {
        case .assignment(let targets, _):
            let ids = targets.compactMap(\.declaration)
            return ids.isEmpty || !others.isSuperset(of: ids) ? self : nil
        case .block(let block): return Statement(kind: .block(block.keeping(others)), range: range)
        case .conditional(let branches, let otherwise):
            let kept = branches.map { Branch(condition: $0.condition, block: $0.block.keeping(others)) }
            return Statement(kind: .conditional(kept, otherwise: otherwise?.keeping(others)), range: range)
        default: return self
        }
    }
}
