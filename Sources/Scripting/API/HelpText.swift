import Desk
import LuaRuntime
import LuaSyntax
import TextFormats

/// What `help()` prints.
package enum HelpText {
    /// The overview: all modules with their functions.
    package static var overview: String {
        var lines = ["The Lua API. help(\"NAME\") tells more about a module, a function or a type of record.", ""]
        for module in LuaAPI.modules {
            lines.append("\(module.name.isEmpty ? "global functions" : module.name): \(module.summary)")
            lines.append("    " + module.functions.map(\.name).joined(separator: "  "))
        }
        lines += ["", "types of records: " + LuaAPI.records.map(\.name).joined(separator: "  ")]
        lines += ["", "events: " + EventDeclaration.all.map(\.name).joined(separator: "  ")]
        return lines.joined(separator: "\n")
    }

    /// What is known under a name; nil if there is nothing of that name.
    package static func about(_ name: String, in api: LibraryAPI = .plain) -> String? {
        let parts = [
            api.function(named: name).map(text), LuaAPI.module(name).map(text), api.record(named: name).map(text),
            EventDeclaration.named(name).map(EventPages.text),
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    }

    /// What to say about a name that nothing has.
    ///
    /// - Parameter others: names that are known beside those of the API.
    package static func unknown(_ name: String, others: [String] = []) -> String {
        let own =
            LuaAPI.functions.map(\.fullName) + LuaAPI.modules.map(\.name) + LuaAPI.records.map(\.name)
            + EventDeclaration.all.map(\.name)
        let names = own + others
        let hint = NameSuggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
        return "There is nothing called '\(APIText.quotable(name))'" + (hint ?? "; help() lists what there is.")
    }

    // MARK: - Parts

    private static func text(of module: APIModule) -> String {
        (["\(module.name): \(module.summary)", ""]
            + module.functions.map { "  \($0.signature)\n      \($0.summary)\(capability($0))" })
            .joined(separator: "\n")
    }

    private static func capability(_ function: APIFunction) -> String {
        function.capability == .read ? "" : " [\(function.capability.rawValue)]"
    }

    static func text(of record: APIRecordType) -> String {
        (["\(record.name): \(record.summary)", ""] + record.fields.map { line($0, optional: "may be nil") })
            .joined(separator: "\n")
    }

    private static func text(of function: APIFunction) -> String {
        var lines = [function.signature, "  \(function.summary)"]
        if !function.details.isEmpty { lines.append("  \(function.details)") }
        lines += argumentLines(function.parameters)
        lines.append("  gives: \(function.result.text)")
        if !function.refusals.isEmpty { lines.append("  refused with: " + function.refusals.joined(separator: ", ")) }
        if function.capability != .read { lines.append("  needs: \(function.capability.rawValue)") }
        lines.append(function.examples.count == 1 ? "  example:" : "  examples:")
        lines.append(APIExample.text(of: function.examples, indent: "      "))
        return lines.joined(separator: "\n")
    }

    static func argumentLines(_ parameters: [APIParameter], indent: String = "") -> [String] {
        parameters.flatMap { parameter -> [String] in
            guard case .fields(let fields) = parameter.type else {
                return [indent + line(parameter, optional: "optional")]
            }
            if parameters.count == 1 { return argumentLines(fields, indent: indent) }
            return [indent + line(parameter, optional: "optional")] + argumentLines(fields, indent: indent + "  ")
        }
    }

    private static func line(_ parameter: APIParameter, optional: String) -> String {
        var text = "  \(parameter.name): \(parameter.type.name)"
        if let standard = parameter.standard {
            text += " = \(standard)"
        } else if !parameter.isRequired {
            text += ", \(optional)"
        }
        return parameter.documentation.isEmpty ? text : text + " - \(parameter.documentation)"
    }
}

extension APICall {
    /// The help for what was named: by text, by the function itself, or by its module.
    func helpText() throws -> String {
        guard let named: LuaValue = arguments["name"], !named.isNil else { return HelpText.overview }
        guard case .string(let name) = named else {
            throw fault("'name' must be a name, a function or a module of the API")
        }
        return HelpText.about(name, in: script.api) ?? HelpText.unknown(name)
    }
}
