import Circulation
import LuaSyntax
import Scripting
import TextFormats

/// Finds promises (`never`, `always`, `same`) in a file of tests whose arguments are wrong, as far as a text shows: decision points,
/// the file of another policy, and fields of the case.
struct PromiseUse: LuaVisitor {
    private let file: String
    private let records: LibraryCase
    private let folder: ScriptFolder
    private(set) var findings: [Finding] = []

    /// - Parameters:
    ///   - fields: those of the library's own.
    ///   - folder: where the tests stand.
    static func findings(in chunk: Chunk, fields: CustomFields, folder: ScriptFolder) -> [Finding] {
        var visitor = PromiseUse(file: chunk.name, records: LibraryCase(fields), folder: folder)
        chunk.walk(&visitor)
        return visitor.findings
    }

    private init(file: String, records: LibraryCase, folder: ScriptFolder) {
        (self.file, self.records, self.folder) = (file, records, folder)
    }

    mutating func enter(_ expression: Expression) {
        guard let call = expression.call, case .variable(let variable) = call.callee.kind,
            variable.binding == .global, LuaProperties.words.contains(variable.name)
        else { return }
        let (word, arguments) = (variable.name, call.arguments)
        if arguments.count > 1, let point = arguments[1].stringLiteral, DecisionPoint(rawValue: point) == nil {
            report(
                "\(word): there is no decision point '\(SafeText.line(point))'", at: arguments[1].range,
                suggestion: NameSuggestion.nearest(to: point, among: DecisionPoint.allCases.map(\.rawValue)))
        }
        guard word == SameDeclaration.word else { return }
        if arguments.count < 3 {
            return report("same: a policy_file is missing as argument 3", at: expression.range)
        }
        checkFile(arguments[2])
        if arguments.count > 3 { checkFields(arguments[3]) }
    }

    // MARK: - The other policy

    private mutating func checkFile(_ argument: Expression) {
        if argument.stringLiteral != nil {
            return report("same: argument 3 is policy_file \(text(of: argument))", at: argument.range)
        }
        guard let call = argument.call, case .variable(let word) = call.callee.kind,
            word.name == SameDeclaration.fileWord, let literal = call.arguments.first, let name = literal.stringLiteral
        else { return }
        do {
            _ = try folder.policy(name)
        } catch {
            let place = error.line.map { "\(error.file ?? name):\($0): " } ?? ""
            report("same: \(place)\(error.message)", at: literal.range)
        }
    }

    private func text(of expression: Expression) -> String {
        expression.stringLiteral.map { LuaText.quoted($0) } ?? "\"town.lua\""
    }

    // MARK: - Fields

    private mutating func checkFields(_ argument: Expression) {
        switch argument.kind {
        case .table: break
        case .string, .integer, .number, .boolean:
            return report("same: argument 4 is a table of fields of the case", at: argument.range)
        default: return
        }
        guard case .object(let object)? = Self.json(argument) else { return }
        do {
            // In which currency amounts are meant a text does not say.
            _ = try CaseScope(object, of: records, currency: Self.currency(in: object) ?? .eur)
        } catch {
            report(
                "same: \(error.message)", at: Self.range(of: error.path[...], in: argument),
                suggestion: error.suggestion)
        }
    }

    private static func currency(in object: JSONObject) -> Currency? {
        for entry in object {
            if case .object(let inner) = entry.value, let found = currency(in: inner) { return found }
            for value in entry.value.arrayValue ?? [entry.value] {
                if let text = value.stringValue, let money = try? Money(parsing: text) { return money.currency }
            }
        }
        return nil
    }

    /// A value that is written out; nil for one that is not. What is not is left out of tables.
    private static func json(_ expression: Expression) -> JSON? {
        switch expression.withoutParentheses.kind {
        case .boolean(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .number(value)
        case .string: return expression.stringLiteral.map { .string($0) }
        case .suffixed:
            guard let call = expression.call, case .variable(let word) = call.callee.kind,
                ["money", "date"].contains(word.name)
            else { return nil }
            return call.arguments.first?.stringLiteral.map { .string($0) }
        case .table(let table):
            if table.entries.isEmpty { return .object([:]) }
            let list = table.entries.filter { if case .position = $0.key { true } else { false } }
            if list.count == table.entries.count {
                let values = list.compactMap { json($0.value) }
                return values.count == list.count ? .array(values) : nil
            }
            var object = JSONObject()
            for entry in table.entries {
                if let name = entry.name, let value = json(entry.value) { object[name.name] = value }
            }
            return .object(object)
        default: return nil
        }
    }

    /// Where a field is written.
    private static func range(of path: ArraySlice<String>, in table: Expression) -> SourceRange {
        guard let name = path.first, case .table(let entries) = table.kind,
            let entry = entries.entries.last(where: { $0.name?.name == name })
        else { return table.range }
        return path.count > 1 ? range(of: path.dropFirst(), in: entry.value) : entry.range
    }

    private mutating func report(_ message: String, at range: SourceRange, suggestion: String? = nil) {
        findings.append(
            Finding(code: "wrong_argument", file: file, range: range, message: message, suggestion: suggestion))
    }
}
