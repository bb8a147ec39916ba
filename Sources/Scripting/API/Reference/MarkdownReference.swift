/// The API as a page of Markdown.
struct MarkdownReference {
    /// The API as a library has it.
    let api: LibraryAPI

    func render() -> String {
        var parts = [
            "# The Lua API",
            "<!-- Generated from the declaration of the API by `moonshelf api --markdown`. Do not edit. -->",
            """
            Records are plain tables. A read that finds nothing gives `nil`. A write gives the record, or `nil` and a refusal. A
            wrong argument raises an error that names it. Named arguments go in one table; where a function needs no more than its
            first, that may stand alone: `loans.active("ada")`. Who has never written Lua begins with `docs/writing-reports.md`.
            """,
            """
            The examples are about a small library on 24 December 2026: four titles, among them `9780441013593`, Dune; the patrons
            `ada` and `bob`, undergraduates, and `carol` of the staff; three loans. `-->` stands before what a line gives, `--|`
            before what it prints, reports or logs. Each was run, and gave and showed just that.
            """,
            index,
        ]
        parts += api.modules.map(text)
        parts.append("## Types of records")
        parts += api.records.map(text)
        return parts.joined(separator: "\n\n") + "\n"
    }

    // MARK: - Index

    private var index: String {
        var rows = ["## Index", "", "| | |", "|---|---|"]
        rows += api.modules.map { module in
            let functions = module.functions.map { link($0.name, to: $0.fullName) }.joined(separator: " ")
            return "| \(link(title(module), to: title(module))) | \(functions) |"
        }
        let records = api.records.map { link($0.name, to: $0.name) }.joined(separator: " ")
        rows.append("| \(link("Types of records", to: "Types of records")) | \(records) |")
        return rows.joined(separator: "\n")
    }

    /// A link to a heading, whose anchor is its letters, digits, hyphens and underscores in lower case.
    private func link(_ text: String, to heading: String) -> String {
        let anchor = heading.lowercased().replacing(" ", with: "-").filter {
            $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
        }
        return "[\(text)](#\(anchor))"
    }

    private func title(_ module: APIModule) -> String { module.name.isEmpty ? "Global functions" : module.name }

    // MARK: - Parts

    private func text(of module: APIModule) -> String {
        (["## \(title(module))", module.summary] + module.functions.map(text)).joined(separator: "\n\n")
    }

    private func text(of function: APIFunction) -> String {
        var parts = ["### \(function.fullName)", "`\(function.signature)`", function.summary]
        if !function.details.isEmpty { parts.append(function.details) }
        let rows = rows(of: function.parameters)
        if !rows.isEmpty {
            parts.append((["| argument | type | |", "|---|---|---|"] + rows).joined(separator: "\n"))
        }
        var facts = ["Gives \(text(of: function.result))."]
        if !function.refusals.isEmpty {
            facts.append("Refused with " + function.refusals.map { "`\($0)`" }.joined(separator: ", ") + ".")
        }
        if function.capability != .read { facts.append("Needs `\(function.capability.rawValue)`.") }
        if let route = function.route {
            facts.append("Over HTTP: `\(route.verb.rawValue.uppercased()) \(route.path)`, \(route.access.words).")
        }
        parts.append(facts.joined(separator: " "))
        parts.append("```lua\n\(APIExample.text(of: function.examples))\n```")
        return parts.joined(separator: "\n\n")
    }

    private func text(of result: APIResult) -> String {
        switch result {
        case .nothing: "nothing"
        case .value(let type): name(of: type)
        case .found(let type): "\(name(of: type)), or nil"
        case .written(let type): "\(name(of: type)), or nil and a \(link("refusal", to: "refusal"))"
        case .each(let type): "iterator over \(name(of: type))"
        }
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
        let note = cell(notes.joined(separator: "; "))
        return "| `\(prefix)\(parameter.name)` | \(name(of: parameter.type)) | \(note) |"
    }

    private func text(of record: APIRecordType) -> String {
        let rows = record.fields.map { field in
            "| `\(field.name)` | \(name(of: field.type)) | \(cell(field.note)) |"
        }
        return (["### \(record.name)", "", record.summary, "", "| field | type | |", "|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    /// The name of a type, with a link where it is a record's.
    private func name(of type: APIType) -> String {
        switch type {
        case .record(let name): link(name, to: name)
        case .list(let element): "list of \(name(of: element))"
        case .optional(let type): "\(name(of: type)) or nil"
        default: cell(type.name)
        }
    }

    private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
