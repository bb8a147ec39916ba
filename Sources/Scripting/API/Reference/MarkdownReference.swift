/// The API as a page of Markdown.
struct MarkdownReference {
    func render() -> String {
        var parts = [
            "# The Lua API",
            "<!-- Generated from the declaration of the API by `moonshelf api --markdown`. Do not edit. -->",
            "Records are plain tables. A read that finds nothing gives `nil`. A write gives the record, or `nil` and a "
                + "refusal. A wrong argument raises an error that names it. Named arguments go in one table.",
            "Modules: "
                + LuaAPI.modules.map { "[\(title($0))](#\(anchor(title($0))))" }.joined(separator: ", ")
                + ". [Types of records](#types-of-records).",
        ]
        parts += LuaAPI.modules.map(text)
        parts.append("## Types of records")
        parts += LuaAPI.records.map(text)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func title(_ module: APIModule) -> String { module.name.isEmpty ? "Global functions" : module.name }

    private func anchor(_ title: String) -> String { title.lowercased().replacing(" ", with: "-") }

    private func text(of module: APIModule) -> String {
        (["## \(title(module))", module.summary] + module.functions.map(text)).joined(separator: "\n\n")
    }

    private func text(of function: APIFunction) -> String {
        var parts = ["### `\(function.signature)`", function.summary]
        if !function.details.isEmpty { parts.append(function.details) }
        let rows = rows(of: function.parameters)
        if !rows.isEmpty {
            parts.append((["| argument | type | |", "|---|---|---|"] + rows).joined(separator: "\n"))
        }
        var facts = ["Gives \(cell(function.result.text))."]
        if !function.refusals.isEmpty {
            facts.append("Refused with " + function.refusals.map { "`\($0)`" }.joined(separator: ", ") + ".")
        }
        if function.capability != .read { facts.append("Needs `\(function.capability.rawValue)`.") }
        parts.append(facts.joined(separator: " "))
        let examples = function.examples.map { $0.result.isEmpty ? $0.code : "\($0.code)  --> \($0.result)" }
        if !examples.isEmpty { parts.append("```lua\n\(examples.joined(separator: "\n"))\n```") }
        return parts.joined(separator: "\n\n")
    }

    private func rows(of parameters: [APIParameter], prefix: String = "") -> [String] {
        parameters.flatMap { parameter -> [String] in
            guard case .fields(let fields) = parameter.type else { return [row(parameter, prefix)] }
            if parameters.count == 1 { return rows(of: fields, prefix: prefix) }
            return [row(parameter, prefix)] + rows(of: fields, prefix: "\(prefix)\(parameter.name).")
        }
    }

    private func row(_ parameter: APIParameter, _ prefix: String) -> String {
        var notes: [String] = []
        if !parameter.documentation.isEmpty { notes.append(parameter.documentation) }
        if parameter.isRequired { notes.append("required") }
        if let standard = parameter.standard { notes.append("default `\(standard)`") }
        return
            "| `\(prefix)\(parameter.name)` | \(cell(parameter.type.name)) | \(cell(notes.joined(separator: "; "))) |"
    }

    private func text(of record: APIRecordType) -> String {
        let rows = record.fields.map { field in
            let note = [field.documentation, field.isRequired ? "" : "may be nil"].filter { !$0.isEmpty }
            return "| `\(field.name)` | \(cell(field.type.name)) | \(cell(note.joined(separator: "; "))) |"
        }
        return (["### \(record.name)", "", record.summary, "", "| field | type | |", "|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
