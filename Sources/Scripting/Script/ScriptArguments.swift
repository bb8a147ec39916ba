package import LuaSyntax

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
                return parameters(table)
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

    private static func parameters(_ table: TableConstructor) -> [ScriptParameter]? {
        var parameters: [ScriptParameter] = []
        for entry in table.entries {
            guard let parameter = parameter(entry) else { return nil }
            parameters.append(parameter)
        }
        return parameters
    }

    private static func parameter(_ entry: TableConstructor.Entry) -> ScriptParameter? {
        if let type = entry.value.stringLiteral {
            guard let name = entry.name?.name, let kind = ScriptParameter.Kind(rawValue: type) else { return nil }
            return ScriptParameter(
                name: name, kind: kind, choices: nil, standard: nil, isRequired: false, help: "")
        }
        guard case .table(let table) = entry.value.kind else { return nil }
        var values: [String: Expression] = [:]
        for entry in table.entries {
            guard let key = entry.name?.name else { return nil }
            values[key] = entry.value
        }
        guard let name = entry.name?.name ?? values["name"]?.stringLiteral,
            let kind = values["type"].map({ $0.stringLiteral.flatMap(ScriptParameter.Kind.init) }) ?? .text
        else { return nil }
        return ScriptParameter(
            name: name, kind: kind, choices: values["choices"].flatMap(texts),
            standard: values["default"].map { _ in "" },
            isRequired: values["required"]?.kind == .boolean(true), help: "")
    }

    private static func texts(_ expression: Expression) -> [String]? {
        guard case .table(let table) = expression.kind else { return nil }
        let texts = table.entries.compactMap(\.value.stringLiteral)
        return texts.count == table.entries.count ? texts : nil
    }
}
