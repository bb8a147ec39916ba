import Circulation
import LuaSyntax
import Scripting

/// Collects names, literals and what fields are compared with.
struct WordCollector: LuaVisitor {
    private(set) var texts: [String: [String]] = [:]
    private(set) var words: Set<String> = []
    private(set) var integers: Set<Int64> = []
    private(set) var amounts: Set<Int64> = []
    private(set) var dates: Set<CivilDate> = []
    private(set) var times: Set<CivilTime> = []
    private(set) var reads: Set<String> = []
    /// What fields are compared, reckoned or joined with.
    private(set) var kinds: [String: Set<CaseVocabulary.Kind>] = [:]
    /// Fields that are handed to functions.
    private(set) var handedOn: Set<String> = []
    /// The keys of tables by the names of the variables and fields that hold them, and the fields that are looked up in
    /// them.
    private var keys: [String: [String]] = [:]
    private var lookups: [(table: String, field: String)] = []
    /// The fields that local variables stand for, by declaration.
    private var aliases: [Int: String] = [:]
    /// The parameters of local functions, by the function's declaration: they stand for what calls hand over.
    private var parameters: [Int: [Int]] = [:]
    /// Tables in which a parameter is looked up, by its declaration; calls come later in a file.
    private var parameterLookups: [Int: [String]] = [:]

    /// Before another file: its variables are others.
    mutating func begin() { (aliases, parameters, parameterLookups) = ([:], [:], [:]) }

    /// For each field that is looked up in a table, the keys of that table.
    var lookedUp: [String: [String]] {
        var found: [String: [String]] = [:]
        for lookup in lookups {
            for key in keys[lookup.table] ?? [] where !found[lookup.field, default: []].contains(key) {
                found[lookup.field, default: []].append(key)
            }
        }
        return found
    }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .local(let declarations, let values):
            for (declaration, value) in zip(declarations, values) {
                if let field = fieldWithDefault(value) { aliases[declaration.id] = field }
                addKeys(of: value, named: declaration.name)
            }
        case .localFunction(let declaration, let body): parameters[declaration.id] = body.parameters.map(\.id)
        case .assignment(let targets, let values):
            for (target, value) in zip(targets, values) {
                if let name = name(of: target) { addKeys(of: value, named: name) }
            }
        default: break
        }
    }

    /// Tables of the same name count as one: which of them is meant does not matter for what may be asked.
    private mutating func addKeys(of value: Expression, named name: String) {
        guard case .table(let table) = value.kind else { return }
        keys[name, default: []] += table.entries.compactMap { $0.name?.name }
    }

    /// The name of the variable, or of the field, that holds a table.
    private func name(of expression: Expression) -> String? {
        if case .variable(let variable) = expression.withoutParentheses.kind { return variable.name }
        return expression.lastField
    }

    /// Of `most[key]` what the key stands for.
    private mutating func addLookup(of key: Expression, in table: String) {
        if let field = fieldWithDefault(key) {
            lookups.append((table, field))
        } else if case .variable(let variable) = key.withoutParentheses.kind, let id = variable.declaration {
            parameterLookups[id, default: []].append(table)
        }
    }

    /// What a call of a local function hands over stands for its parameters.
    private mutating func addArguments(_ arguments: [Expression], of base: Expression) {
        guard case .variable(let variable) = base.kind, let id = variable.declaration,
            let parameters = parameters[id]
        else { return }
        for (parameter, argument) in zip(parameters, arguments) {
            guard let field = fieldWithDefault(argument) else { continue }
            for table in parameterLookups[parameter] ?? [] { lookups.append((table, field)) }
        }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .integer(let value): integers.insert(value)
        case .number(let value): if let whole = Int64(exactly: value.rounded()) { integers.insert(whole) }
        case .string: addText(expression)
        case .suffixed(let suffixed): addSuffixed(expression, suffixed)
        case .binary(let binary):
            addComparison(binary)
            addKinds(binary)
        case .table(let table):
            for entry in table.entries {
                if let name = entry.name?.name { addKeys(of: entry.value, named: name) }
                if let name = entry.name?.name, RuleField.named[name] == nil, name.utf8.count <= 40 {
                    words.insert(name)
                }
            }
        default: break
        }
    }

    private mutating func addText(_ expression: Expression) {
        guard let text = expression.stringLiteral, !text.isEmpty, text.utf8.count <= 40 else { return }
        if let date = try? CivilDate(parsing: text) {
            dates.insert(date)
        } else if let time = try? CivilTime(parsing: text) {
            times.insert(time)
        } else if !text.contains(" ") {
            words.insert(text)
            // What a pattern looks for.
            let plain = text.replacing(/%./, with: "").filter(\.isLetter)
            if text.contains("%"), plain.count > 2 { words.insert(plain) }
        }
    }

    private mutating func addSuffixed(_ expression: Expression, _ suffixed: SuffixedExpression) {
        // The name of what an index would be looked up in.
        var table: String? = if case .variable(let variable) = suffixed.base.kind { variable.name } else { nil }
        for (index, suffix) in suffixed.suffixes.enumerated() {
            switch suffix.kind {
            case .field(let name), .method(let name, _):
                reads.insert(name.name)
                table = name.name
            case .index(let key):
                if let name = key.stringLiteral { reads.insert(name) }
                if let table { addLookup(of: key, in: table) }
                table = key.stringLiteral
            case .call(let arguments):
                if suffixed.isToString {
                    // Whatever it is, its text counts.
                    for name in arguments.compactMap(fieldWithDefault) {
                        kinds[name, default: []].formUnion(CaseVocabulary.Kind.allCases)
                    }
                } else {
                    handedOn.formUnion(arguments.compactMap { field($0) })
                }
                if index == 0 { addArguments(arguments, of: suffixed.base) }
                table = nil
            }
        }
        addMethods(suffixed)
        addMembership(expression)
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "money", let text = call.arguments.first?.stringLiteral,
            let money = try? Money(parsing: text.split(separator: " ").first.map(String.init) ?? "", currency: .eur)
        else { return }
        amounts.insert(money.minorUnits)
    }

    /// `has(patron.categories, { "child", "pupil" })` names categories as a comparison does.
    private mutating func addMembership(_ expression: Expression) {
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "has", call.arguments.count >= 2, let list = field(call.arguments[0])
        else { return }
        var values = [call.arguments[1]]
        if case .table(let table) = values[0].kind { values = table.entries.map(\.value) }
        let name = Self.singles[list] ?? list
        for text in values.compactMap(\.stringLiteral) where !texts[name, default: []].contains(text) {
            texts[name, default: []].append(text)
        }
    }

    /// The fields that stand first in a list of what is above them.
    private static let singles = [
        "categories": "category", "item_types": "item_type", "branches": "branch", "copy_branches": "copy_branch",
        "home_branches": "home_branch",
    ]

    /// The name of the field that an expression reads, also through a local variable.
    private func field(_ expression: Expression) -> String? {
        if case .variable(let variable) = expression.withoutParentheses.kind {
            return variable.declaration.flatMap { aliases[$0] }
        }
        return expression.lastField
    }

    /// The same of `(x.level or 0)`.
    private func fieldWithDefault(_ expression: Expression) -> String? {
        if case .binary(let binary) = expression.withoutParentheses.kind, binary.links.count == 1,
            binary.links[0].operation == .or
        {
            return field(binary.first)
        }
        return field(expression)
    }

    /// `x.name:lower()`
    private mutating func addMethods(_ suffixed: SuffixedExpression) {
        if case .method = suffixed.suffixes.first?.kind, let name = field(suffixed.base) {
            kinds[name, default: []].insert(.text)
        }
        for (suffix, next) in zip(suffixed.suffixes, suffixed.suffixes.dropFirst()) {
            guard case .field(let field) = suffix.kind, case .method = next.kind else { continue }
            kinds[field.name, default: []].insert(.text)
        }
    }

    /// `x.level > 3`, `(x.level or 0)`, `x.level * 2`, `x.name .. "!"`.
    private mutating func addKinds(_ binary: BinaryExpression) {
        var left = binary.first
        for link in binary.links {
            for (side, other) in [(left, link.operand), (link.operand, left)] {
                guard let name = fieldWithDefault(side), let kind = link.operation.kind(beside: other) else { continue }
                kinds[name, default: []].insert(kind)
            }
            left = link.operand
        }
    }

    private mutating func addComparison(_ binary: BinaryExpression) {
        // What follows the first operator is joined to the outcome of the comparison.
        guard let link = binary.links.first, link.operation == .equal || link.operation == .notEqual
        else { return }
        for (side, other) in [(binary.first, link.operand), (link.operand, binary.first)] {
            guard let text = other.stringLiteral, let name = field(side) else { continue }
            if !texts[name, default: []].contains(text) { texts[name, default: []].append(text) }
        }
    }
}

extension SuffixedExpression {
    /// `tostring(x)` and what follows it.
    fileprivate var isToString: Bool {
        guard case .variable(let variable) = base.kind else { return false }
        return variable.binding == .global && variable.name == "tostring"
    }
}

extension Expression {
    /// The name of the field that is read last.
    fileprivate var lastField: String? {
        guard case .suffixed(let suffixed) = withoutParentheses.kind else { return nil }
        switch suffixed.suffixes.last?.kind {
        case .field(let name): return name.name
        case .index(let key): return key.stringLiteral
        default: return nil
        }
    }

    fileprivate var literalKind: CaseVocabulary.Kind? {
        switch withoutParentheses.kind {
        case .integer, .number: .number
        case .string: .text
        case .boolean: .boolean
        default: nil
        }
    }
}

extension BinaryOperator {
    /// What a value is taken for that stands beside another.
    fileprivate func kind(beside other: Expression) -> CaseVocabulary.Kind? {
        switch self {
        case .equal, .notEqual, .or: other.literalKind
        case .less, .greater, .lessOrEqual, .greaterOrEqual: other.literalKind ?? .number
        case .concatenate: .text
        case .and: nil
        default: .number
        }
    }
}
