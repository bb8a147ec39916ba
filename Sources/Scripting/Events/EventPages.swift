import Circulation
import Desk
import TextFormats

/// What is written about events, from their declarations.
package enum EventPages {
    // MARK: - Text

    /// All events, for a terminal; the text ends with a line feed.
    package static func text() -> String {
        let head = "Every event has: " + EventField.common.map(\.name).joined(separator: ", ") + "."
        return ([head] + EventDeclaration.all.map { text(of: $0) }).joined(separator: "\n\n") + "\n"
    }

    /// One event: what `help("loan.made")` prints.
    static func text(of declaration: EventDeclaration) -> String {
        let width = (declaration.fields.map(\.name.count).max() ?? 0) + 2
        let lines = declaration.fields.map { field in
            let name = field.name.padding(to: width)
            return "  \(name)\(field.parameter.type.summary)\(note(of: field).map { ": " + $0 } ?? "")"
        }
        return (["\(declaration.name): \(declaration.summary)"] + lines).joined(separator: "\n")
    }

    // MARK: - Markdown

    /// The source of `docs/events.md`.
    package static func markdown() -> String {
        var parts = [
            "# Events",
            "<!-- Generated from the declarations of events by `moonshelf api --events --markdown`. Do not edit. -->",
            """
            All that the desk does it writes down as events, in one order, and events are never changed. Scripts read them with
            `store.events`, programs outside with `GET /api/v1/events` ([the HTTP API](http.md#events)).
            """,
            """
            A function of Lua that is given an event has plain fields as values, and records themselves: `event.copy.barcode`,
            `event.patron.email`. A record is read from the store when it is asked for, as it is then; nil if it is gone. Programs
            outside have its id. What is marked *stays in the library* may repeat what people wrote about a person: scripts have
            it, programs outside do not.
            """,
            index,
            (["## What every event has", "", "| field | type | |", "|---|---|---|"] + rows(EventField.common))
                .joined(separator: "\n"),
        ]
        parts += EventDeclaration.all.map(section)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static var index: String {
        let rows = EventDeclaration.all.map { "| [\($0.name)](#\($0.name.replacing(".", with: ""))) | \($0.summary) |" }
        return (["| event | when |", "|---|---|"] + rows).joined(separator: "\n")
    }

    private static func section(of declaration: EventDeclaration) -> String {
        let table = (["| field | type | |", "|---|---|---|"] + rows(declaration.fields)).joined(separator: "\n")
        return [
            "## \(declaration.name)", declaration.summary, table, "```json\n\(example(of: declaration))\n```",
        ].joined(separator: "\n\n")
    }

    private static func example(of declaration: EventDeclaration) -> String { declaration.exampleEvent.json().text() }

    private static func rows(_ fields: [EventField], of list: String = "") -> [String] {
        fields.flatMap { field -> [String] in
            let note = (note(of: field) ?? "").replacing("|", with: "\\|")
            let row = "| `\(list)\(field.name)` | \(type(of: field)) | \(note) |"
            guard case .entries(let inner) = field.type else { return [row] }
            return [row] + rows(inner, of: "\(list)\(field.name)[].")
        }
    }

    private static func type(of field: EventField) -> String {
        switch field.type {
        case .plain: field.parameter.type.name.replacing("|", with: "\\|")
        case .record(let reference): "[\(reference.rawValue)](lua-api.md#\(reference.rawValue))"
        case .entries: "list"
        }
    }

    private static func note(of field: EventField) -> String? {
        var notes = field.documentation.isEmpty ? [] : [field.documentation]
        if field.mayBeAbsent, !field.documentation.contains("nil") { notes.append("may be nil") }
        if field.isPersonal { notes.append("*stays in the library*") }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    // MARK: - JSON

    /// For programs: `{"common":[...],"events":[{"name","summary","fields":[...],"example"}]}`.
    package static func json() -> String {
        let whole: JSON = [
            "common": .array(EventField.common.map(json)),
            "events": .array(
                EventDeclaration.all.map { declaration in
                    [
                        "name": .string(declaration.name), "summary": .string(declaration.summary),
                        "fields": .array(declaration.fields.map(json)), "example": declaration.exampleEvent.json(),
                    ]
                }),
        ]
        return whole.text(pretty: true) + "\n"
    }

    private static func json(_ field: EventField) -> JSON {
        var object: JSONObject = [
            "name": .string(field.name), "type": .string(field.parameter.type.summary),
            "required": .bool(!field.mayBeAbsent), "personal": .bool(field.isPersonal),
            "documentation": .string(field.documentation),
        ]
        if case .entries(let fields) = field.type { object["fields"] = .array(fields.map(json)) }
        return .object(object)
    }
}

extension EventDeclaration {
    /// An event with the values of the example.
    var exampleEvent: PublicEvent {
        PublicEvent(self, sequence: 1, at: Instant(seconds: 0), actor: "desk", values: example, isMadeUp: true)
    }
}

extension APIType {
    /// The name of a type; of a list of tables that it is one.
    fileprivate var summary: String {
        if case .list(.fields(let fields)) = self {
            return "list of { " + fields.map(\.name).joined(separator: ", ") + " }"
        }
        return name
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
