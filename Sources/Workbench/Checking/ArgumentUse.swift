import Circulation
import LuaSyntax
import Scripting
import TextFormats

/// Finds calls of functions of the Lua API whose arguments these do not take, as far as a text shows: `wrong_argument`
/// for names, counts, kinds and words that are written out, and for what is missing.
struct ArgumentUse: LuaVisitor {
    private let file: String
    private let scopes: ScopeAnalysis
    private let api: LibraryAPI
    /// Globals that the script itself sets.
    private let written: Set<String>
    private(set) var findings: [Finding] = []

    /// - Parameter fields: those of the library's own, which functions take as well.
    static func findings(in chunk: Chunk, fields: CustomFields = .none) -> [Finding] {
        let scopes = ScopeAnalysis(chunk)
        var visitor = ArgumentUse(
            file: chunk.name, scopes: scopes, api: LibraryAPI(fields),
            written: Set(scopes.globalWrites.map(\.variable.name)))
        chunk.walk(&visitor)
        return visitor.findings
    }

    mutating func enter(_ expression: Expression) {
        guard let (names, arguments) = expression.calledGlobal(scopes), names.count <= 2, !written.contains(names[0]),
            let function = LuaAPI.function(names.joined(separator: "."))
        else { return }
        check(arguments, of: api.function(function), at: expression.range)
    }

    // MARK: - Arguments of a call

    private mutating func check(_ arguments: [Expression], of function: APIFunction, at range: SourceRange) {
        let isOpen = arguments.last.map(Self.maybeSeveral) ?? false
        if let fields = function.namedArguments {
            guard arguments.count <= 1 else {
                let message = "takes one table of named arguments, got \(arguments.count) arguments"
                return report(function, message, at: range)
            }
            guard let given = arguments.first else { return missing(function, fields, given: [], at: range) }
            let value = scopes.resolved(given)
            // A variable's table may have been added to meanwhile.
            guard case .table(let table) = value.kind, value == given else { return }
            return check(table, fields, of: function, path: "")
        }
        let parameters = function.parameters
        if parameters.isEmpty, arguments.count == 1, case .table(let table) = arguments[0].kind, table.entries.isEmpty {
            return
        }
        guard arguments.count <= parameters.count else {
            let count = parameters.count == 1 ? "1 argument" : "\(parameters.count) arguments"
            return report(function, "takes at most \(count), got \(arguments.count)", at: range)
        }
        for (parameter, argument) in zip(parameters, arguments) {
            check(argument, parameter, of: function, path: parameter.name)
        }
        guard !isOpen else { return }
        missing(function, Array(parameters.dropFirst(arguments.count)), given: [], at: range)
    }

    /// Whether an expression at the end of a list may stand for several values.
    private static func maybeSeveral(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .vararg: true
        case .suffixed(let suffixed):
            switch suffixed.suffixes.last?.kind {
            case .call, .method: true
            default: false
            }
        default: false
        }
    }

    private mutating func missing(
        _ function: APIFunction, _ parameters: [APIParameter], given: Set<String>, path: String = "",
        at range: SourceRange
    ) {
        for parameter in parameters where parameter.isRequired && !given.contains(parameter.name) {
            report(function, "'\(path)\(parameter.name)' is missing", at: range)
        }
    }

    /// A table of named arguments.
    private mutating func check(
        _ table: TableConstructor, _ fields: [APIParameter], of function: APIFunction, path: String
    ) {
        let names = fields.map(\.name)
        var given: Set<String> = []
        // Whether names may be given that are not known: computed ones, or one that is misspelt.
        var isOpen = false
        for entry in table.entries {
            guard let name = entry.name else {
                if case .position = entry.key, !takesRecord(fields, path) {
                    report(function, "takes named arguments, got one without a name", at: entry.range)
                }
                isOpen = true
                continue
            }
            given.insert(name.name)
            if let field = fields.first(where: { $0.name == name.name }) {
                check(entry.value, field, of: function, path: "\(path)\(field.name)")
            } else if !takesRecord(fields, path) || !table.entries.contains(where: { $0.name?.name == "id" }) {
                isOpen = true
                report(
                    function, "has no argument '\(path)\(name.name)'", at: name.range,
                    suggestion: NameSuggestion.nearest(to: name.name, among: names))
            }
        }
        if !isOpen, !takesRecord(fields, path) || !given.contains("id") {
            missing(function, fields, given: given, path: path, at: table.range)
        }
    }

    /// Whether a record may stand in place of the table, since it is what the first argument identifies.
    private func takesRecord(_ fields: [APIParameter], _ path: String) -> Bool {
        guard path.isEmpty, case .reference? = fields.first?.type else { return false }
        return !fields.contains { $0.name == "id" }
    }

    // MARK: - One value

    private mutating func check(
        _ value: Expression, _ parameter: APIParameter, of function: APIFunction, path: String
    ) {
        check(value, as: parameter.type, isRequired: parameter.isRequired, of: function, path: path)
    }

    private mutating func check(
        _ value: Expression, as type: APIType, isRequired: Bool, of function: APIFunction, path: String
    ) {
        let value = value.withoutParentheses
        switch (type, value.kind) {
        case (.optional(let inner), _): check(value, as: inner, isRequired: false, of: function, path: path)
        case (_, .nil):
            if isRequired { report(function, "'\(path)' is missing", at: value.range) }
        case (.fields(let fields), .table(let table)): check(table, fields, of: function, path: "\(path).")
        case (.list(let element), .table(let table)):
            for (index, entry) in table.entries.enumerated() {
                guard case .position = entry.key else { continue }
                check(entry.value, as: element, isRequired: true, of: function, path: "\(path)[\(index + 1)]")
            }
        case (.choice(let words), .string(let bytes)):
            let word = String(decoding: bytes, as: UTF8.self)
            guard !words.contains(word) else { return }
            report(
                function, "'\(path)' is one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))", at: value.range,
                suggestion: NameSuggestion.nearest(to: word, among: words).map { "\"\($0)\"" })
        default:
            guard let kind = value.kind.literalKind, !type.takes(kind, value.kind) else { return }
            report(function, "'\(path)' must be \(type.name), got \(kind.rawValue)", at: value.range)
        }
    }

    private mutating func report(
        _ function: APIFunction, _ message: String, at range: SourceRange, suggestion: String? = nil
    ) {
        findings.append(
            Finding(
                code: "wrong_argument", file: file, range: range, message: "\(function.fullName): \(message)",
                suggestion: suggestion))
    }
}

/// What a literal is.
private enum LiteralKind: String {
    case boolean = "a boolean"
    case number = "a number"
    case text = "text"
    case function = "a function"
    case table = "a table"
}

extension Expression.Kind {
    /// Nil for what is not written out.
    fileprivate var literalKind: LiteralKind? {
        switch self {
        case .boolean: .boolean
        case .integer, .number: .number
        case .string: .text
        case .function: .function
        case .table: .table
        case .nil, .vararg, .variable, .parenthesized, .suffixed, .unary, .binary: nil
        }
    }
}

extension APIType {
    /// Whether a literal may be a value of the type.
    fileprivate func takes(_ kind: LiteralKind, _ literal: Expression.Kind) -> Bool {
        switch self {
        case .any: true
        case .json: kind != .function
        case .boolean: kind == .boolean
        case .integer(let range):
            switch literal {
            case .integer(let number): range.contains(number)
            case .number(let number): number.rounded() == number
            // Lua turns a text that is a number into one.
            default: kind == .text
            }
        case .number: kind == .number || kind == .text
        case .text, .choice, .event: kind == .text
        case .date, .instant, .money: kind == .text
        case .percent, .period: false
        case .function, .iterator: kind == .function
        case .list, .fields, .record: kind == .table
        case .reference(let reference):
            kind == .table || (kind == .number && reference.identifiesByNumber)
                || (kind == .text && reference.identifiesByText)
        case .optional(let type): type.takes(kind, literal)
        }
    }
}

extension Expression {
    /// The names of a global function that the expression calls, such as `loans` and `checkout`, through local variables,
    /// and the arguments of the call.
    fileprivate func calledGlobal(_ scopes: ScopeAnalysis) -> (names: [String], arguments: [Expression])? {
        guard case .suffixed(let suffixed) = kind else { return nil }
        let base = scopes.resolved(suffixed.base)
        guard case .variable(let variable) = base.kind, variable.binding == .global else {
            return aliased(suffixed, base)
        }
        return suffixed.call(after: [variable.name])
    }

    /// A call through a local variable that is a module or one of its functions.
    private func aliased(_ call: SuffixedExpression, _ base: Expression) -> (names: [String], arguments: [Expression])?
    {
        guard case .suffixed(let path) = base.kind, case .variable(let variable) = path.base.kind,
            variable.binding == .global
        else { return nil }
        var names = [variable.name]
        for suffix in path.suffixes {
            guard case .field(let field) = suffix.kind else { return nil }
            names.append(field.name)
        }
        return call.call(after: names)
    }
}

extension SuffixedExpression {
    /// The first call behind fields, with the names before it.
    fileprivate func call(after first: [String]) -> (names: [String], arguments: [Expression])? {
        var names = first
        for suffix in suffixes {
            switch suffix.kind {
            case .field(let field): names.append(field.name)
            case .call(let arguments): return (names, arguments)
            case .index, .method: return nil
            }
        }
        return nil
    }
}
