import Desk

/// The API and the language of policies as a definition file for the Lua language server.
///
/// The notation is that of <https://luals.github.io/wiki/annotations/>.
struct LuaCATSReference {
    /// Words of the tests of policies, which are declared elsewhere.
    let testWords: [PolicyWord]
    /// The API as a library has it.
    let api: LibraryAPI

    func render() -> String {
        var parts = ["---@meta\n-- Generated from the declaration of the Lua API by `moonshelf api --luacats`."]
        parts += LuaCATSValue.all.map(\.text)
        parts += api.records.map { recordClass($0) }
        parts += events
        for module in api.modules {
            if !module.name.isEmpty {
                parts.append("---\(module.summary)\n---@class \(module.name)lib\n\(module.name) = {}")
            }
            parts += module.functions.map(function)
        }
        parts.append(
            """
            ---The script's arguments: by name as `report.params` declared them, and the rest by number.
            ---@type table<string|integer, any>
            args = {}
            """)
        parts += policies
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The names of events, what each has, and what a table of functions for events may have.
    private var events: [String] {
        let names = ["---The name of an event.", "---@alias event_name"]
        let handlers = ["---Functions for events, by the name of the event.", "---@class event_handlers"]
        return [(names + EventDeclaration.all.map { "---| \"\($0.name)\"" }).joined(separator: "\n")]
            + EventDeclaration.all.map { recordClass($0.recordType) }
            + [
                (handlers
                    + EventDeclaration.all.map {
                        "---@field [\"\($0.name)\"] fun(event: \($0.recordType.name)) \($0.summary)"
                    }).joined(separator: "\n")
            ]
    }

    func recordClass(_ record: APIRecordType) -> String {
        (["---\(record.summary)", "---@class \(record.name)"]
            + record.fields.map { field in
                line(
                    "---@field \(field.name)\(field.isRequired ? "" : "?") \(LuaCATSReference.read(field.type))", field)
            }).joined(separator: "\n")
    }

    /// An annotation with what is written about it.
    private func line(_ annotation: String, _ parameter: APIParameter) -> String {
        parameter.documentation.isEmpty ? annotation : "\(annotation) \(parameter.documentation)"
    }

    /// The type of what is read: values come as themselves, never as the text that arguments may be.
    static func read(_ type: APIType) -> String {
        switch type {
        case .date: "date"
        case .instant: "instant"
        case .money: "money"
        case .percent: "percent"
        case .optional(let type): optional(type)
        case .list(.fields(let fields)):
            "{ " + fields.map { "\($0.name)\($0.isRequired ? "" : "?"): \(read($0.type))" }.joined(separator: ", ")
                + " }[]"
        default: type.annotation
        }
    }

    private static func optional(_ type: APIType) -> String {
        let text = read(type)
        return text.contains("|") ? "\(text)|nil" : "\(text)?"
    }

    private func function(_ function: APIFunction) -> String {
        definition(
            function.fullName, function.summary, details: function.details, function.parameters, function.result,
            alone: function.namedArguments?.first)
    }

    /// A function with its annotations.
    ///
    /// - Parameter alone: the argument of a table that may stand in place of the table.
    func definition(
        _ name: String, _ summary: String, details: String = "", _ parameters: [APIParameter], _ result: APIResult,
        alone: APIParameter? = nil
    ) -> String {
        var lines = ["---\(summary)"]
        if !details.isEmpty {
            let paragraphs = details.split(separator: "\n", omittingEmptySubsequences: false)
            lines += ["---"] + paragraphs.map { "---\($0)" }
        }
        for parameter in parameters {
            let isOptional = !parameter.isRequired || hasOnlyOptionalFields(parameter.type)
            var type = parameter.type.annotation
            if let alone, alone.type != .any { type += "|\(alone.type.annotation)" }
            lines.append(line("---@param \(parameter.name)\(isOptional ? "?" : "") \(type)", parameter))
        }
        lines += results(result)
        let names = parameters.map(\.name).joined(separator: ", ")
        return (lines + ["function \(name)(\(names)) end"]).joined(separator: "\n")
    }

    private func hasOnlyOptionalFields(_ type: APIType) -> Bool {
        if case .fields(let fields) = type { !fields.contains(where: \.isRequired) } else { false }
    }

    private func results(_ result: APIResult) -> [String] {
        switch result {
        case .nothing: []
        case .value(let type): ["---@return \(Self.read(type))"]
        case .found(let type): ["---@return \(Self.optional(type))"]
        case .written(let type):
            ["---@return \(Self.optional(type))", "---@return refusal refusal nil unless the first is nil"]
        case .each(let type): ["---@return fun(): \(Self.optional(type))"]
        }
    }
}
