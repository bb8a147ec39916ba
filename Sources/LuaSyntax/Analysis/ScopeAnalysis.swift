/// What every name of a chunk stands for, and what is known of each local variable's value.
package struct ScopeAnalysis: Sendable {
    /// A place where a variable is read or assigned.
    package struct Use: Hashable, Sendable {
        package let variable: Variable
        package let isWrite: Bool
        /// The ``FunctionBody/id`` of the function it stands in; zero for the chunk itself.
        package let function: Int
    }

    /// What a local variable holds from its declaration on.
    package enum Definition: Hashable, Sendable {
        case value(Expression)
        case function(FunctionBody)
        /// The value variable of a loop over `pairs` or `ipairs` of an expression.
        case element(of: Expression)
    }

    /// Every use of a variable, in reading order.
    package let uses: [Use]

    private let definitions: [Int: Definition]
    private let assigned: Set<Int>
    private let parents: [Int: Int]
    /// The paths that local variables stand for, by declaration, with no such variable left at their root.
    private var origins: [Int: AccessPath] = [:]

    package init(_ chunk: Chunk) {
        var collector = ScopeCollector()
        chunk.walk(&collector)
        uses = collector.uses
        definitions = collector.definitions
        parents = collector.parents
        assigned = Set(collector.uses.filter(\.isWrite).compactMap(\.variable.declaration))
        // What a variable is defined by was declared before it.
        for declaration in chunk.declarations {
            guard let origin = origin(of: declaration.id) else { continue }
            origins[declaration.id] = resolved(origin).truncated(to: ScopeAnalysis.longestOrigin)
        }
    }

    /// Records are not as deep as this, and a chain of definitions could make a path as long as a file squared.
    private static let longestOrigin = 64

    package var globalReads: [Use] { uses.filter { $0.variable.binding == .global && !$0.isWrite } }
    package var globalWrites: [Use] { uses.filter { $0.variable.binding == .global && $0.isWrite } }

    /// Assignments inside a function to a variable of an enclosing function or of the chunk, or to a global.
    package var outerAssignments: [Use] {
        uses.filter { use in
            guard use.isWrite, use.function != 0 else { return false }
            if case .local = use.variable.binding { return false }
            return true
        }
    }

    /// What a local variable holds throughout; nil where that is unknown or the variable is assigned again.
    package func definition(of declaration: Int) -> Definition? {
        assigned.contains(declaration) ? nil : definitions[declaration]
    }

    /// Whether a local variable is assigned anywhere after its declaration.
    package func isReassigned(_ declaration: Int) -> Bool {
        assigned.contains(declaration)
    }

    /// The function around a function: both by ``FunctionBody/id``; nil for the chunk itself.
    package func enclosingFunction(of function: Int) -> Int? {
        parents[function]
    }

    /// The function itself, the one around it, and so on; without the chunk.
    package func functionsAround(_ function: Int) -> [Int] {
        var result: [Int] = []
        var next: Int? = function
        while let current = next, current != 0 {
            result.append(current)
            next = parents[current]
        }
        return result
    }

    /// The expression a local variable stands for, through any number of variables.
    package func resolved(_ expression: Expression) -> Expression {
        var current = expression.withoutParentheses
        while case .variable(let variable) = current.kind, let id = variable.declaration,
            case .value(let value) = definition(of: id)
        {
            current = value.withoutParentheses
        }
        return current
    }

    /// Where what an expression stands for is written: the expression itself, or, where local variables that are read
    /// nowhere else lead to it, a literal behind them. A fault of such a literal stands there, not where it is read.
    package func written(_ expression: Expression) -> Expression {
        var current = expression.withoutParentheses
        while case .variable(let variable) = current.kind, let id = variable.declaration,
            case .value(let value) = definition(of: id), reads(of: id) == 1
        {
            current = value.withoutParentheses
        }
        return current.isPlainLiteral ? current : expression
    }

    private func reads(of declaration: Int) -> Int {
        uses.count { $0.variable.declaration == declaration && !$0.isWrite }
    }

    /// The last of the local variables through which an expression stands for something else.
    func lastVariable(_ expression: Expression) -> Int? {
        var last: Int?
        var current = expression.withoutParentheses
        while case .variable(let variable) = current.kind, let id = variable.declaration {
            last = id
            guard case .value(let value) = definition(of: id) else { break }
            current = value.withoutParentheses
        }
        return last
    }

    /// The function an expression is, or that the local variable it names holds.
    package func function(_ expression: Expression) -> FunctionBody? {
        let expression = resolved(expression)
        if case .function(let body) = expression.kind { return body }
        if case .variable(let variable) = expression.kind, let id = variable.declaration,
            case .function(let body) = definition(of: id)
        {
            return body
        }
        return nil
    }

    /// A path with local variables that stand for paths replaced by these: after `local p = case.patron`, `p.category`
    /// is `case.patron.category`.
    package func resolved(_ path: AccessPath) -> AccessPath {
        guard case .local(let id) = path.root, let origin = origins[id] else { return path }
        return AccessPath(root: origin.root, steps: origin.steps + path.steps)
    }

    private func origin(of declaration: Int) -> AccessPath? {
        switch definition(of: declaration) {
        case .value(let value): return value.accessPath
        case .element(let list):
            guard var path = list.accessPath else { return nil }
            path.steps.append(.element)
            return path
        case .function, nil: return nil
        }
    }
}
