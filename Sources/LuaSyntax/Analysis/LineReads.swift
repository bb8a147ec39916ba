/// Which variables and fields each line of a chunk reads, as far as their names are written: `case.patron.age`.
package struct LineReads: Sendable {
    /// A local variable of the chunk or of a function, and the fields that follow it.
    package struct Path: Hashable, Sendable {
        package let names: [String]
        package let position: SourcePosition

        /// As it is written: `case.patron.age`.
        package var text: String { names.joined(separator: ".") }
    }

    /// In order of place, each path once a line.
    package let paths: [Int: [Path]]

    /// - Parameter chunk: reads inside functions are reported; code that runs once, while the file loads, is not.
    package init(_ chunk: Chunk) {
        var visitor = ReadVisitor(declarations: chunk.declarations)
        chunk.walk(&visitor)
        paths = visitor.found.mapValues { paths in
            var seen: Set<[String]> = []
            return paths.sorted { $0.position < $1.position }.filter { seen.insert($0.names).inserted }
        }
    }
}

private struct ReadVisitor: LuaVisitor {
    let declarations: [LocalDeclaration]
    private(set) var found: [Int: [LineReads.Path]] = [:]
    private var depth = 0
    /// Beginnings of longer paths, and variables that are assigned.
    private var skipped: Set<SourceRange> = []

    init(declarations: [LocalDeclaration]) {
        self.declarations = declarations
    }

    mutating func enter(_ function: FunctionBody) { depth += 1 }
    mutating func leave(_ function: FunctionBody) { depth -= 1 }

    mutating func enter(_ statement: Statement) {
        if case .assignment(let targets, _) = statement.kind { skipped.formUnion(targets.map(\.range)) }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .variable: add(expression)
        case .suffixed(let suffixed):
            add(expression)
            skipped.insert(suffixed.base.range)
        default: break
        }
    }

    private mutating func add(_ expression: Expression) {
        guard depth > 0, skipped.remove(expression.range) == nil, let path = expression.leadingPath?.path,
            case .local(let id) = path.root
        else { return }
        var names = [declarations[id].name]
        for step in path.steps.dropLast(expression.isMethodOfPath ? 1 : 0) {
            guard case .field(let field) = step else { return }
            names.append(field.name)
        }
        found[expression.range.start.line, default: []].append(
            LineReads.Path(names: names, position: expression.range.start))
    }
}

extension Expression {
    /// Whether the path it begins with ends in the name of a method, as in `text:upper()`.
    fileprivate var isMethodOfPath: Bool {
        guard case .suffixed(let suffixed) = kind, let count = leadingPath?.count, count < suffixed.suffixes.count,
            case .method = suffixed.suffixes[count].kind
        else { return false }
        return true
    }
}
