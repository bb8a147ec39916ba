import Circulation
package import LuaRuntime
import LuaSyntax
import TextFormats

extension ScriptContext {
    /// Reads the script's arguments by what it declares, and makes `args` of them.
    ///
    /// - Throws: `LuaHostError` for a wrong declaration; ``ScriptUsageError`` for wrong arguments; ``ScriptHelpRequest``.
    func declareParameters(_ declaration: LuaValue, for call: APICall) throws -> LuaValue {
        guard parameters.declared.isEmpty else { throw call.fault("may be called once") }
        let arguments = try arguments(parameters.given, of: ParameterDeclaration(call: call).parameters(declaration))
        try state.define("args", value: arguments, in: environment)
        return arguments
    }

    /// Reads the words of a command line by what is declared of them.
    ///
    /// - Throws: ``ScriptUsageError`` for words that do not fit; ``ScriptHelpRequest`` where they ask for help.
    package func arguments(_ given: [String], of declared: [ScriptParameter]) throws -> LuaValue {
        (parameters.given, parameters.declared) = (given, declared)
        if parameters.wantsHelp { throw ScriptHelpRequest() }
        let (named, positional) = try Self.split(parameters.given, declared)
        var fields: [(key: LuaValue, value: LuaValue)] = []
        for parameter in declared {
            guard let text = named[parameter.name] ?? parameter.standard else {
                if parameter.isRequired {
                    throw ScriptUsageError(
                        message: "the argument --\(parameter.name.replacing("_", with: "-")) is missing")
                }
                continue
            }
            let (value, shown) = try parsed(text, parameter)
            fields.append((.string(parameter.name), value))
            document.parameters.append(
                ReportParameter(
                    name: parameter.name, value: shown,
                    words: try parameter.codes.flatMap { try names(of: $0).name(of: text) }))
        }
        for (index, text) in positional.enumerated() { fields.append((.integer(Int64(index) + 1), .string(text))) }
        return .table(LuaTable(entries: fields))
    }

    /// `args` of a script that declares nothing: the texts of the command line.
    func definePositionalArguments(_ texts: [String]) throws {
        parameters.given = texts
        try state.define("args", value: .texts(texts), in: environment)
    }

    // MARK: - The command line

    static func split(
        _ given: [String], _ declared: [ScriptParameter]
    ) throws(ScriptUsageError) -> (named: [String: String], positional: [String]) {
        var named: [String: String] = [:]
        var positional: [String] = []
        var rest = given[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positional += rest
                break
            }
            guard word.hasPrefix("--") else {
                positional.append(word)
                continue
            }
            let body = word.dropFirst(2)
            let equals = body.firstIndex(of: "=")
            let written = String(body[..<(equals ?? body.endIndex)])
            let (parameter, isNegated) = try ScriptContext.parameter(written, declared)
            if let equals {
                named[parameter.name] = String(body[body.index(after: equals)...])
            } else if parameter.kind == .boolean {
                named[parameter.name] = isNegated ? "false" : "true"
            } else if let value = rest.popFirst() {
                named[parameter.name] = value
            } else {
                throw ScriptUsageError(message: "--\(written) needs a value")
            }
        }
        return (named, positional)
    }

    private static func parameter(
        _ written: String, _ declared: [ScriptParameter]
    ) throws(ScriptUsageError) -> (ScriptParameter, isNegated: Bool) {
        let name = written.replacing("-", with: "_")
        if let found = declared.first(where: { $0.name == name }) { return (found, false) }
        if name.hasPrefix("no_"),
            let found = declared.first(where: { $0.kind == .boolean && $0.name == name.dropFirst(3) })
        {
            return (found, true)
        }
        let names = declared.map { $0.name.replacing("_", with: "-") }
        let hint = NameSuggestion.nearest(to: written, among: names).map { ", did you mean --\($0)?" }
        throw ScriptUsageError(
            message: "there is no argument --\(APIText.quotable(written))" + (hint ?? "; --help lists them"))
    }

    // MARK: - Values

    private func parsed(_ text: String, _ parameter: ScriptParameter) throws -> (LuaValue, ReportValue) {
        do {
            return try value(text, parameter)
        } catch let error as ScriptUsageError {
            throw error
        } catch {
            throw ScriptUsageError(message: "--\(parameter.name): \(APIText.safe(String(describing: error)))")
        }
    }

    private func value(_ text: String, _ parameter: ScriptParameter) throws -> (LuaValue, ReportValue) {
        func wrong(_ expected: String) -> ScriptUsageError {
            ScriptUsageError(message: "--\(parameter.name): \"\(APIText.quotable(text))\" is not \(expected)")
        }
        switch parameter.kind {
        case .text:
            if let choices = parameter.choices, !choices.contains(text) {
                throw wrong("one of " + choices.joined(separator: ", "))
            }
            return (.string(text), .text(text))
        case .integer:
            guard let number = Int64(text) else { throw wrong("a whole number") }
            return (.integer(number), .integer(number))
        case .number:
            guard let number = Double(text), number.isFinite else { throw wrong("a number") }
            return (.number(number), .number(number))
        case .boolean:
            guard let truth = ["true": true, "yes": true, "false": false, "no": false][text] else {
                throw wrong("true or false")
            }
            return (.boolean(truth), .boolean(truth))
        case .date:
            let date = text == "today" ? today : try CivilDate(parsing: text)
            return (.date(date), .date(date))
        case .instant:
            let instant = text == "now" ? now : try Instant(parsing: text, in: zone)
            return (.instant(instant), .instant(instant))
        case .money:
            let money = try Money(parsing: text, currency: library.currency)
            return (.money(money), .money(money))
        case .period: return try span(text)
        case .file:
            guard let opening = opensFiles else {
                throw ScriptUsageError(
                    message: "--\(parameter.name) is a file: the script is for the command line, 'moonshelf run'")
            }
            let file = ScriptFileArgument(path: text, opening: opening) { [unowned self] in try charge($0) }
            return (file.value, .text(text))
        }
    }

    private func span(_ text: String) throws -> (LuaValue, ReportValue) {
        let span = try DateSpan(parsing: text, today: today)
        var fields: [(String, LuaValue)] = []
        if let from = span.from { fields.append(("from", .date(from))) }
        if let to = span.to { fields.append(("to", .date(to))) }
        fields.append(("text", .string(text)))
        let ends = "\(span.from.map(\.description) ?? "")..\(span.to.map(\.description) ?? "")"
        return (.table(LuaTable(fields: fields)), .text(ends))
    }
}

/// Reads what `report.params` was given.
struct ParameterDeclaration {
    let call: APICall

    func parameters(_ value: LuaValue) throws -> [ScriptParameter] {
        guard case .table(let table) = value else {
            throw call.fault("'declarations' must be a table, got a \(value.typeName)")
        }
        return try table.entries.map { entry in
            switch (entry.key, entry.value) {
            case (.string(let name), let declaration): return try parameter(name, declaration)
            case (.integer, .table(let declaration)):
                guard case .string(let name) = declaration["name"] else {
                    throw call.fault("a declaration has no 'name'")
                }
                return try parameter(name, entry.value)
            default: throw call.fault("a declaration must be name = type or name = { ... }")
            }
        }
    }

    static let keys = ["name", "type", "default", "help", "required", "choices", "of"]

    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F }
    }

    private func parameter(_ name: String, _ value: LuaValue) throws -> ScriptParameter {
        guard Self.isName(name) else {
            throw call.fault("'\(APIText.quotable(name))' is not a name for an argument")
        }
        guard case .table(let table) = value else {
            return ScriptParameter(
                name: name, kind: try kind(value, of: name), choices: nil, standard: nil, isRequired: false, help: "")
        }
        for entry in table.entries where !ParameterDeclaration.keys.contains(entry.key.stringValue ?? "") {
            throw call.fault(
                "'\(name)' has no '\(APIText.quotable(entry.key.stringValue ?? "?"))'; there are "
                    + ParameterDeclaration.keys.joined(separator: ", "))
        }
        let choices = table["choices"].tableValue?.array.compactMap(\.stringValue)
        let codes = try ReportReading(call: call).kind(table["of"], at: "\(name).of")
        let kind = table["type"].isNil ? .text : try kind(table["type"], of: name)
        guard codes == nil || kind == .text else { throw call.fault("'\(name)' has 'of', and is no text") }
        return ScriptParameter(
            name: name, kind: kind, choices: choices, codes: codes, standard: try standard(table["default"], of: name),
            isRequired: table["required"].booleanValue ?? false, help: table["help"].stringValue ?? "")
    }

    private func kind(_ value: LuaValue, of name: String) throws -> ScriptParameter.Kind {
        let words = ScriptParameter.Kind.allCases.map(\.rawValue)
        guard case .string(let word) = value else { throw call.fault("the type of '\(name)' must be text") }
        if let kind = ScriptParameter.Kind(rawValue: word) { return kind }
        let hint = NameSuggestion.nearest(to: word, among: words).map { "did you mean '\($0)'?" }
        throw call.fault(
            "'\(name)' has no type '\(APIText.quotable(word))'; "
                + (hint ?? "there are " + words.joined(separator: ", ")))
    }

    private func standard(_ value: LuaValue, of name: String) throws -> String? {
        switch value {
        case .nil: return nil
        case .string(let text): return text
        case .boolean(let truth): return String(truth)
        case .integer(let number): return String(number)
        case .number(let number): return number.description
        case .value(let small): return small.money.map(\.amountText) ?? small.text
        default: throw call.fault("the default of '\(name)' cannot be a \(value.typeName)")
        }
    }
}
