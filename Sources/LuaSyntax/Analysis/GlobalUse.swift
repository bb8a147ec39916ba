import TextFormats

/// Finds globals, and members of globals, that do not exist.
///
/// Globals that the chunk itself assigns are known, and so are members it adds. Local variables that only stand for a
/// module, as after `local c = catalogue`, are seen through.
package struct GlobalUse {
    private let known: KnownNames
    private let file: String

    package init(known: KnownNames, file: String) {
        self.known = known
        self.file = file
    }

    /// The findings `unknown_global` and `unknown_api`, in order of place.
    package func findings(in chunk: Chunk) -> [Finding] {
        let scopes = ScopeAnalysis(chunk)
        var visitor = MemberVisitor(known: extended(with: chunk, scopes), file: file, scopes: scopes)
        chunk.walk(&visitor)
        return visitor.findings.sorted()
    }

    /// What is known, and what the chunk defines itself.
    private func extended(with chunk: Chunk, _ scopes: ScopeAnalysis) -> KnownNames {
        var result = known
        for write in scopes.globalWrites {
            result.members[write.variable.name, default: KnownNames(isOpen: true)].isOpen = true
        }
        var collector = MemberDefinitions()
        chunk.walk(&collector)
        for path in collector.paths { result.define(scopes.resolved(path)) }
        return result
    }
}

extension KnownNames {
    /// Adds what an assignment to a path defines: one member, of which nothing is known.
    fileprivate mutating func define(_ path: AccessPath) {
        guard case .global(let root) = path.root, members[root.name] != nil else { return }
        define([root.name] + path.steps.map(\.name))
    }

    private mutating func define(_ names: [String?]) {
        guard let first = names.first, let name = first else { return isOpen = true }
        if names.count == 1 {
            if members[name] == nil { members[name] = KnownNames(isOpen: true) }
        } else {
            members[name]?.define(Array(names.dropFirst()))
        }
    }
}

extension AccessPath.Step {
    fileprivate var name: String? {
        guard case .field(let identifier) = self else { return nil }
        return identifier.name
    }
}

/// Gathers the fields that a chunk assigns.
private struct MemberDefinitions: LuaVisitor {
    private(set) var paths: [AccessPath] = []

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .assignment(let targets, _): paths += targets.filter { !$0.isVariable }.compactMap(\.accessPath)
        case .function(let target, _) where !target.isVariable: paths += [target.accessPath].compactMap { $0 }
        default: break
        }
    }
}

/// Compares the paths of a chunk with what is known.
private struct MemberVisitor: LuaVisitor {
    let known: KnownNames
    let file: String
    let scopes: ScopeAnalysis
    private(set) var findings: [Finding] = []
    /// The variables that are called, or of which a field is read.
    private var bases: Set<SourceRange> = []

    init(known: KnownNames, file: String, scopes: ScopeAnalysis) {
        self.known = known
        self.file = file
        self.scopes = scopes
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .variable(let variable) where variable.binding == .global: checkGlobal(variable)
        case .suffixed(let suffixed):
            if case .variable(let base) = suffixed.base.kind { bases.insert(base.range) }
            checkMembers(expression)
        default: break
        }
    }

    private mutating func checkGlobal(_ variable: Variable) {
        guard !known.isOpen, known.members[variable.name] == nil, variable.name != "_ENV" else { return }
        let meant =
            NameSuggestion.foreign[variable.name]
            ?? NameSuggestion.nearest(to: variable.name, among: known.members.keys)
        // A name that is called or has fields is none that lacks its quotation marks.
        let isValue = meant == nil && !bases.contains(variable.range)
        findings.append(
            Finding(
                code: "unknown_global", file: file, range: variable.range,
                message: "there is no '\(variable.name)'"
                    + (isValue ? "; \(NameSuggestion.quotes(variable.name))" : ""),
                suggestion: meant))
    }

    private mutating func checkMembers(_ expression: Expression) {
        guard let (written, _) = expression.leadingPath else { return }
        let path = scopes.resolved(written)
        guard case .global(let root) = path.root, var node = known.members[root.name] else { return }
        var name = root.name
        // What the variable's own definition says is reported there.
        let firstOwn = path.steps.count - written.steps.count
        for (index, step) in path.steps.enumerated() {
            guard case .field(let member) = step, !node.isOpen, !node.members.isEmpty else { return }
            guard let next = node.members[member.name] else {
                if index >= firstOwn { report(member, of: name, node) }
                return
            }
            name += ".\(member.name)"
            node = next
        }
    }

    private mutating func report(_ member: Identifier, of name: String, _ node: KnownNames) {
        findings.append(
            Finding(
                code: "unknown_api", file: file, range: member.range, message: "'\(name)' has no '\(member.name)'",
                suggestion: NameSuggestion.nearest(to: member.name, among: node.members.keys)))
    }
}
