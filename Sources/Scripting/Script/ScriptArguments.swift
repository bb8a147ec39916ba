package import LuaSyntax
import TextFormats

/// What can be said of a script's arguments without running it.
package enum ScriptArguments {
    /// Why a script will not take the words of a command line, by what it declares in the literal table of its
    /// `report.params { ... }`; nil: they are valid, as far as its text shows.
    ///
    /// Names, words that must be chosen from a list and required arguments are looked at; dates and the like are read
    /// when the script runs.
    package static func fault(of words: [String], in chunk: Chunk) -> String? {
        guard let declared = declared(in: chunk) else { return nil }
        do throws(ScriptUsageError) {
            let (named, _) = try ScriptContext.split(words, declared)
            for parameter in declared {
                guard let text = named[parameter.name] else {
                    guard parameter.isRequired && parameter.standard == nil else { continue }
                    throw ScriptUsageError(
                        message: "the argument --\(parameter.name.replacing("_", with: "-")) is missing")
                }
                guard let choices = parameter.choices, !choices.contains(text) else { continue }
                throw ScriptUsageError(
                    message: "--\(parameter.name): \"\(APIText.quotable(text))\" is not one of "
                        + choices.joined(separator: ", "))
            }
            return nil
        } catch {
            return error.message
        }
    }

    /// The arguments that are declared; nil where no statement of the script's own level does so in plain words.
    private static func declared(in chunk: Chunk) -> [ScriptParameter]? {
        for statement in chunk.block.statements {
            let calls: [Expression] =
                switch statement.kind {
                case .call(let call): [call]
                case .local(_, let values), .assignment(_, let values): values
                default: []
                }
            for call in calls {
                guard let table = declaration(call) else { continue }
                return try? parameters(of: table, isStrict: false)
            }
        }
        return nil
    }

    /// The table of `report.params { ... }`.
    private static func declaration(_ expression: Expression) -> TableConstructor? {
        guard case .suffixed(let call) = expression.kind, case .variable(let variable) = call.base.kind,
            variable.binding == .global, variable.name == "report", call.suffixes.count == 2,
            case .field(let function) = call.suffixes[0].kind, function.name == "params",
            case .call(let arguments) = call.suffixes[1].kind, let first = arguments.first,
            case .table(let table) = first.kind
        else { return nil }
        return table
    }

    /// The arguments that a table declares which is written out, as `report.params` and a plugin's commands have them.
    ///
    /// - Parameter isStrict: whether all of it is written out; else a default may be made when the script runs.
    /// - Throws: ``ParameterFault`` at the first entry that cannot be read.
    package static func parameters(
        of table: TableConstructor, isStrict: Bool
    ) throws(ParameterFault) -> [ScriptParameter] {
        var parameters: [ScriptParameter] = []
        for entry in table.entries {
            let next = try parameter(entry, isStrict)
            guard !parameters.contains(where: { $0.name == next.name }) else {
                throw ParameterFault("'\(next.name)' stands twice", entry.range)
            }
            parameters.append(next)
        }
        return parameters
    }

    private static func parameter(
        _ entry: TableConstructor.Entry, _ isStrict: Bool
    ) throws(ParameterFault) -> ScriptParameter {
        var values: [String: Expression] = ["type": entry.value]
        if case .table(let table) = entry.value.kind {
            values = [:]
            for entry in table.entries {
                guard let key = entry.name?.name, ParameterDeclaration.keys.contains(key) else {
                    let keys = ParameterDeclaration.keys.joined(separator: ", ")
                    throw ParameterFault("an argument has \(keys), written out", entry.range)
                }
                values[key] = entry.value
            }
        }
        guard let name = entry.name?.name ?? values["name"]?.stringLiteral, ParameterDeclaration.isName(name) else {
            throw ParameterFault("an argument is name = type or name = { ... }, of letters, digits and _", entry.range)
        }
        return ScriptParameter(
            name: name, kind: try kind(values["type"]), choices: try choices(values["choices"]),
            codes: values["of"]?.stringLiteral.flatMap(ReportCodeKind.init),
            standard: try standard(values["default"], isStrict),
            isRequired: values["required"]?.kind == .boolean(true), help: values["help"]?.stringLiteral ?? "")
    }

    private static func kind(_ value: Expression?) throws(ParameterFault) -> ScriptParameter.Kind {
        guard let value else { return .text }
        if let kind = value.stringLiteral.flatMap(ScriptParameter.Kind.init) { return kind }
        let words = ScriptParameter.Kind.allCases.map(\.rawValue)
        throw ParameterFault(
            "an argument is of the type \(words.joined(separator: ", "))", value.range,
            suggestion: value.stringLiteral.flatMap { NameSuggestion.nearest(to: $0, among: words) })
    }

    private static func choices(_ value: Expression?) throws(ParameterFault) -> [String]? {
        guard let value else { return nil }
        if case .table(let table) = value.kind {
            let texts = table.entries.compactMap(\.value.stringLiteral)
            if texts.count == table.entries.count { return texts }
        }
        throw ParameterFault("'choices' is a list of texts that are written out", value.range)
    }

    private static func standard(_ value: Expression?, _ isStrict: Bool) throws(ParameterFault) -> String? {
        switch value?.kind {
        case nil: return nil
        case .boolean(let it)?: return String(it)
        case .integer(let it)?: return String(it)
        case .number(let it)?: return it.description
        default:
            if let value, value.stringLiteral == nil, isStrict {
                throw ParameterFault("a default is a text, a number, true or false, written out", value.range)
            }
            return value?.stringLiteral ?? ""
        }
    }
}

/// What is wrong with a declaration of arguments, and where.
package struct ParameterFault: Error, Sendable {
    package let message: String
    package let range: SourceRange
    /// What was probably meant.
    package let suggestion: String?

    init(_ message: String, _ range: SourceRange, suggestion: String? = nil) {
        self.message = message
        self.range = range
        self.suggestion = suggestion
    }
}
