import Circulation
package import Desk
package import LuaRuntime
import TextFormats

extension ScriptContext {
    /// Makes up an event for a test: `emit("loan.lost", { copy = "30012345" })`. Records may be named as arguments name
    /// them; what is left out comes from the records that are given, or is as in the example of the reference.
    ///
    /// - Parameter fields: by the names that the event's declaration has; `at`, `actor` and `sequence` among them.
    /// - Throws: `LuaHostError` for an event or a field that does not exist, and for a value of another type; what the
    ///   store throws.
    package func madeUpEvent(_ name: String, _ fields: LuaTable = LuaTable()) throws -> PublicEvent {
        guard let declaration = EventDeclaration.named(name) else {
            throw LuaHostError(EventDeclaration.unknown(name))
        }
        for entry in fields.entries {
            guard case .string(let field) = entry.key else {
                throw LuaHostError("the fields of the event \(name) have names")
            }
            guard declaration.field(field) != nil else { throw LuaHostError(declaration.unknownField(field)) }
        }
        let arguments = try arguments(of: declaration.maker, named: fields)
        return try read { session in
            var given = JSONObject()
            for field in declaration.fields {
                guard let value = arguments.value(field.name) else { continue }
                given[field.name] = try json(value, of: field, in: session)
            }
            return try declaration.madeUp(
                given, sequence: arguments["sequence"] ?? 1, at: arguments["at"] ?? now,
                actor: arguments["actor"] ?? "desk", in: session)
        }
    }

    private func json(_ value: APIValue, of field: EventField, in session: DeskSession) throws -> JSON {
        switch (value, field.type) {
        case (.boolean(let it), _): .bool(it)
        case (.integer(let it), _): .integer(it)
        case (.number(let it), _): .number(it)
        case (.text(let it), _): .string(it)
        case (.date(let it), .plain(.instant)): .string(zone.startOfDay(it).description)
        case (.date(let it), _): .string(it.description)
        case (.instant(let it), _): .string(it.description)
        case (.money(let it), _): .string(it.description)
        case (.period(let it), _): .string(it.isoText)
        case (.json(let it), _): it
        case (.key(let key), .record(let reference)): .integer(try id(of: key, reference, in: session))
        case (.list(let entries), .entries(let fields)):
            .array(try entries.map { try json(entry: $0, fields, in: session) })
        case (.list(let values), _): .array(try values.map { try json($0, of: field, in: session) })
        default: .null
        }
    }

    private func json(entry: APIValue, _ fields: [EventField], in session: DeskSession) throws -> JSON {
        guard case .fields(let arguments) = entry else { return .null }
        var object = JSONObject()
        for field in fields {
            guard let value = arguments.value(field.name) else { continue }
            object[field.name] = try json(value, of: field, in: session)
        }
        return .object(object)
    }

    private func id(of key: RecordKey, _ reference: EventReference, in session: DeskSession) throws -> Int64 {
        switch key {
        case .id(let id): return id
        case .text(let text):
            let id: Int64? =
                switch reference {
                case .title: try session.catalogue.get(.isbn(try ISBN(text)))?.id
                case .copy: try session.catalogue.copy(barcode: text)?.id
                case .patron: try session.patrons.get(.username(text))?.id
                default: nil
                }
            guard let id else { throw LuaHostError("there is no \(reference.rawValue) '\(APIText.quotable(text))'") }
            return id
        }
    }
}

extension EventDeclaration {
    /// What checks the fields that a test gives. It is never called.
    fileprivate var maker: APIFunction {
        APIFunction(
            name, summary, [.required("fields", .fields((EventField.common + fields).map(\.given)), "")],
            returns: .nothing, examples: []
        ) { _ in [] }
    }
}

extension EventField {
    /// The field as a test gives it, or leaves it out.
    fileprivate var given: APIParameter { .optional(name, type.given, documentation) }
}

extension EventFieldType {
    fileprivate var given: APIType {
        switch self {
        case .record(let reference): APIReference(rawValue: reference.rawValue).map { .reference($0) } ?? .id
        case .entries(let fields): .list(.fields(fields.map(\.given)))
        case .plain(.courses), .plain(.priceLines), .plain(.items): .json
        case .plain(let kind): APIType(shown: kind)
        }
    }
}
