package import Circulation
package import LuaSyntax
package import Scripting
import TextFormats

/// Reads a script of the desk without running it: names that do not exist, and capabilities.
package enum ScriptCheck {
    /// Whether a file is a script: it makes no policy, and either says what it needs, reports, or names a module of the
    /// API.
    static func isScript(_ chunk: Chunk) -> Bool {
        guard PolicyOutline(chunk) == nil else { return false }
        var visitor = GlobalNames()
        chunk.walk(&visitor)
        if visitor.names.contains("policy") { return false }
        return !visitor.names.isDisjoint(with: Set(LuaAPI.modules.map(\.name)).union(["needs", "args"]))
    }

    /// - Parameters:
    ///   - known: the names that it may use.
    ///   - most: what it may declare; nil: anything.
    ///   - fields: those of the library's own.
    package static func findings(
        in chunk: Chunk, known: KnownNames = .script, most: Set<Capability>? = nil, fields: CustomFields = .none
    ) -> [Finding] {
        let declaration = CapabilityDeclaration(chunk, file: chunk.name)
        var findings = GlobalUse(known: known, file: chunk.name).findings(in: chunk) + declaration.findings
        findings += ArgumentUse.findings(in: chunk, fields: fields)
        var declared: Set<Capability> = [.read]
        for name in declaration.capabilities {
            if let capability = Capability(rawValue: name.name) {
                declared.insert(capability)
                if let most, !most.contains(capability) {
                    findings.append(
                        Finding(
                            code: "capability", file: chunk.name, range: name.range,
                            message: "the plugin does not declare \(name.name) in its 'needs'"))
                }
            } else {
                findings.append(
                    Finding(
                        code: "capability", file: chunk.name, range: name.range,
                        message: "there is no capability '\(name.name)'",
                        suggestion: NameSuggestion.nearest(to: name.name, among: Capability.grantable.map(\.rawValue))))
            }
        }
        var uses = CapabilityUse(scopes: ScopeAnalysis(chunk))
        chunk.walk(&uses)
        findings += uses.found.filter { !declared.contains($0.capability) }.map { use in
            let needs = (declaration.capabilities.map(\.name) + [use.capability.rawValue]).map { "\"\($0)\"" }
            return Finding(
                code: "capability", file: chunk.name, range: use.range,
                message:
                    "\(use.name) needs the capability \(use.capability.rawValue), which the script does not declare",
                suggestion: "needs { \(needs.joined(separator: ", ")) }")
        }
        let used = Set(uses.found.map(\.capability))
        if !uses.isComputed {
            findings += declaration.capabilities.compactMap { name in
                guard let capability = Capability(rawValue: name.name), capability != .loansOverride,
                    capability != .read, !used.contains(capability)
                else { return nil }
                return Finding(
                    code: "capability", severity: .warning, file: chunk.name, range: name.range,
                    message: "the script declares \(name.name) and calls nothing that needs it")
            }
        }
        return findings
    }

    /// Calls of the API in a file whose arguments it does not take.
    package static func wrongArguments(in chunk: Chunk, fields: CustomFields) -> [Finding] {
        ArgumentUse.findings(in: chunk, fields: fields)
    }

    private struct GlobalNames: LuaVisitor {
        private(set) var names: Set<String> = []

        mutating func enter(_ expression: Expression) {
            if case .variable(let variable) = expression.kind, variable.binding == .global {
                names.insert(variable.name)
            }
        }
    }
}

/// What files need of the desk.
package enum ScriptCapabilities {
    /// The findings `capability`: functions that a chunk names and that need more than was declared elsewhere.
    package static func undeclared(in chunk: Chunk, declared: Set<Capability>) -> [Finding] {
        var uses = CapabilityUse(scopes: ScopeAnalysis(chunk))
        chunk.walk(&uses)
        return uses.found.filter { !declared.contains($0.capability) }.map { use in
            Finding(
                code: "capability", file: chunk.name, range: use.range,
                message: "\(use.name) needs the capability \(use.capability.rawValue), which is not declared",
                suggestion: "needs = { \"\(use.capability.rawValue)\" }")
        }
    }
}

/// Gathers the functions of the API that a script names, with the capability of each.
private struct CapabilityUse: LuaVisitor {
    struct Use {
        var name: String
        var capability: Capability
        var range: SourceRange
    }

    let scopes: ScopeAnalysis
    private(set) var found: [Use] = []
    /// Whether functions may be called that are not written out, or in another file.
    private(set) var isComputed = false

    private static let capabilities = Dictionary(
        LuaAPI.functions.map { ($0.fullName, $0.capability) }, uniquingKeysWith: { first, _ in first })
    private static let modules = Set(LuaAPI.modules.map(\.name))

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.binding == .global,
            variable.name == "require" || variable.name == "load"
        {
            isComputed = true
        }
        guard case .suffixed = expression.kind, let path = expression.leadingNames(scopes) else { return }
        guard let module = path.first, Self.modules.contains(module) else { return }
        guard path.count > 1 else {
            isComputed = true
            return
        }
        let name = "\(module).\(path[1])"
        guard let capability = Self.capabilities[name] else { return }
        found.append(Use(name: name, capability: capability, range: expression.range))
    }
}

extension Expression {
    /// The global and the names behind it with which the expression begins, through local variables.
    fileprivate func leadingNames(_ scopes: ScopeAnalysis) -> [String]? {
        guard case .suffixed(let suffixed) = kind else { return nil }
        let base = scopes.resolved(suffixed.base)
        var names: [String]
        switch base.kind {
        case .variable(let variable) where variable.binding == .global: names = [variable.name]
        case .suffixed: names = base.leadingNames(scopes) ?? []
        default: return nil
        }
        for suffix in suffixed.suffixes {
            guard case .field(let field) = suffix.kind else { break }
            names.append(field.name)
        }
        return names.isEmpty ? nil : names
    }
}
