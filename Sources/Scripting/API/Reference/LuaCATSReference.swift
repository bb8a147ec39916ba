/// The API as a definition file for the Lua language server.
struct LuaCATSReference {
    func render() -> String {
        var parts = ["---@meta\n-- Generated from the declaration of the Lua API by `moonshelf api --luacats`."]
        parts += ["money", "date", "instant", "period", "percent"].map(valueClass)
        parts += LuaAPI.records.map(recordClass)
        for module in LuaAPI.modules {
            if !module.name.isEmpty { parts.append("---\(module.summary)\n\(module.name) = {}") }
            parts += module.functions.map(function)
        }
        parts.append(
            "---The script's arguments: by name as `report.params` declared them, and the rest by number.\n---@type table\nargs = {}"
        )
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func valueClass(_ name: String) -> String {
        var lines = ["---@class \(name)"]
        let fields: [String: [String]] = [
            "date": ["year", "month", "day", "weekday", "yearday"], "instant": [], "period": ["count"],
        ]
        lines += (fields[name] ?? []).map { "---@field \($0) integer" }
        switch name {
        case "date", "instant":
            lines += ["---@operator add(period): \(name)", "---@operator sub(period): \(name)"]
        case "money":
            lines += [
                "---@operator add(money): money", "---@operator sub(money): money", "---@operator mul(integer): money",
            ]
        case "period": lines += ["---@operator add(period): period", "---@operator mul(integer): period"]
        default: break
        }
        return lines.joined(separator: "\n")
    }

    private func recordClass(_ record: APIRecordType) -> String {
        (["---\(record.summary)", "---@class \(record.name)"]
            + record.fields.map { field in
                "---@field \(field.name)\(field.isRequired ? "" : "?") \(read(field.type)) \(field.documentation)"
                    .trimmingTrailingBlanks
            }).joined(separator: "\n")
    }

    /// The type of a field that is read: values come as themselves, never as the text that arguments may be.
    private func read(_ type: APIType) -> String {
        switch type {
        case .date: "date"
        case .instant: "instant"
        case .money: "money"
        default: type.annotation
        }
    }

    private func function(_ function: APIFunction) -> String {
        var lines = ["---\(function.summary)"]
        if !function.details.isEmpty {
            let paragraphs = function.details.split(separator: "\n", omittingEmptySubsequences: false)
            lines += ["---"] + paragraphs.map { "---\($0)" }
        }
        for parameter in function.parameters {
            let isOptional = !parameter.isRequired || hasOnlyOptionalFields(parameter.type)
            lines.append(
                "---@param \(parameter.name)\(isOptional ? "?" : "") \(parameter.type.annotation) \(parameter.documentation)"
                    .trimmingTrailingBlanks)
        }
        lines += results(function.result)
        let names = function.parameters.map(\.name).joined(separator: ", ")
        return (lines + ["function \(function.fullName)(\(names)) end"]).joined(separator: "\n")
    }

    private func hasOnlyOptionalFields(_ type: APIType) -> Bool {
        if case .fields(let fields) = type { !fields.contains(where: \.isRequired) } else { false }
    }

    private func results(_ result: APIResult) -> [String] {
        switch result {
        case .nothing: []
        case .value(let type): ["---@return \(read(type))"]
        case .found(let type): ["---@return \(read(type))?"]
        case .written(let type): ["---@return \(read(type))?", "---@return refusal?"]
        case .each(let type): ["---@return fun(): \(read(type))?"]
        }
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
