import Circulation
import TextFormats

/// A declared member of what an event carries: a field that is shown, a part of the payload, as a rule both.
package struct EventMember<Content>: Sendable {
    /// How a payload has it.
    struct Payload: Sendable {
        let read: @Sendable (inout Content, EventPayload) throws -> Void
        let write: @Sendable (Content, inout JSONWriter) -> Void
    }

    /// nil for what is in the payload alone.
    let field: EventField?
    /// nil for what is shown alone.
    let payload: Payload?
    let value: @Sendable (Content) -> EventValue

    init(
        _ field: EventField?, _ payload: Payload? = nil,
        value: @escaping @Sendable (Content) -> EventValue = { _ in .absent }
    ) {
        self.field = field
        self.payload = payload
        self.value = value
    }

    /// A plain value.
    ///
    /// - Parameter stored: its name in the payload, where that is another one.
    init<Value: FieldRepresentable>(
        _ name: String, _ path: any WritableKeyPath<Content, Value> & Sendable, stored: String? = nil,
        _ documentation: String = ""
    ) {
        self.init(shown: name, path, documentation, .init(stored ?? name, path))
    }

    /// A plain value that the payload does not have as such.
    init<Value: FieldRepresentable>(
        shown name: String, _ path: any KeyPath<Content, Value> & Sendable, _ documentation: String = "",
        _ payload: Payload? = nil
    ) {
        self.init(EventField(name, .plain(Value.fieldKind), mayBeAbsent: Value.mayBeAbsent, documentation), payload) {
            .plain($0[keyPath: path].fieldValue)
        }
    }

    /// A record, by its id.
    init<Value: FieldRepresentable>(
        _ reference: EventReference, _ path: any WritableKeyPath<Content, Value> & Sendable, as name: String? = nil,
        _ documentation: String = ""
    ) {
        let name = name ?? reference.rawValue
        self.init(
            EventField(name, .record(reference), mayBeAbsent: Value.mayBeAbsent, documentation), .init(name, path)
        ) { .plain($0[keyPath: path].fieldValue) }
    }

    /// The step that the name of the event's kind ends with.
    static func step<Step: RawRepresentable<String> & Sendable>(
        _ path: any WritableKeyPath<Content, Step> & Sendable, after prefix: String
    ) -> EventMember {
        EventMember(nil, .init(read: { $0[keyPath: path] = try $1.step(after: prefix) }, write: { _, _ in }))
    }

    /// A record whose fields are members of the payload, and what is shown of it.
    static func record<Record: DeclaredRecord>(
        _ path: any WritableKeyPath<Content, Record> & Sendable, _ shown: [EventMember<Record>]
    ) -> [EventMember] {
        let payload = Payload(
            read: { $0[keyPath: path] = try $1.record() }, write: { $1.members(of: $0[keyPath: path]) })
        return [EventMember(nil, payload)]
            + shown.map { member in EventMember(member.field) { member.value($0[keyPath: path]) } }
    }

    /// Several entries with members of their own.
    static func entries<Element: EventContent>(
        _ name: String, _ path: any WritableKeyPath<Content, [Element]> & Sendable, _ documentation: String = ""
    ) -> EventMember {
        let payload = Payload(
            read: { $0[keyPath: path] = try $1.inners(name).map { try Element($0) } },
            write: { content, writer in
                let entries = content[keyPath: path]
                if !entries.isEmpty { writer.list(name, entries) { $1.writeMembers(to: &$0) } }
            })
        return EventMember(EventField(name, .entries(Element.eventFields), documentation), payload) {
            .entries($0[keyPath: path].map(\.eventValues))
        }
    }
}

extension EventMember.Payload {
    /// A plain value under a name.
    init<Value: FieldRepresentable>(_ name: String, _ path: any WritableKeyPath<Content, Value> & Sendable) {
        let kind = Value.fieldKind
        read = { content, payload in
            guard let value = Value(fieldValue: try payload.value(name, kind)) else { throw payload.missing(name) }
            content[keyPath: path] = value
        }
        write = { $1.member(name, $0[keyPath: path].fieldValue) }
    }
}

extension DeclaredRecord {
    /// The fields of a record by its declaration, without what is personal and what is the desk's own.
    ///
    /// - Parameters:
    ///   - own: what the record's id refers to.
    ///   - renaming: by a field's name another one, where an event has something else under it; an empty one leaves it out.
    static func declaredMembers(_ own: EventReference? = nil, renaming: [String: String] = [:]) -> [EventMember<Self>] {
        declaration.fields.filter { !$0.isInternal && !$0.isPersonal }.flatMap { field -> [EventMember<Self>] in
            if field.name == "id", let own {
                return [EventMember(EventField(own.rawValue, .record(own))) { .plain(field.value($0)) }]
            }
            let name = renaming[field.name] ?? field.name
            return name.isEmpty ? [] : members(of: field, as: name)
        }
    }

    private static func members(of field: RecordField<Self>, as name: String) -> [EventMember<Self>] {
        let mayBeAbsent = field.mayBeAbsent || field.isNoneAsZero
        func member(_ type: EventFieldType, _ value: @escaping @Sendable (FieldValue) -> FieldValue) -> EventMember<
            Self
        > {
            EventMember(EventField(name, type, mayBeAbsent: mayBeAbsent, field.documentation)) {
                .plain(value(field.value($0)))
            }
        }
        if case .reference(let reference) = field.meaning {
            let reference = EventReference(reference)
            // Of the id that the record's reference speaks of, scripts have the record.
            let words = field.documentation.split(separator: "; ").filter { $0 != "the \(reference.rawValue)'s id" }
            return [
                EventMember(
                    EventField(
                        name, .record(reference), mayBeAbsent: mayBeAbsent, words.joined(separator: "; "))
                ) {
                    let value = field.value($0)
                    return value == .integer(0) ? .absent : .plain(value)
                }
            ]
        }
        switch field.kind {
        case .due: return dueMembers(field)
        case .proposal:
            return [
                member(.plain(.object)) { value in
                    if case .proposal(let proposal) = value { .object(proposal.json) } else { .absent }
                }
            ]
        default: return [member(.plain(field.kind)) { $0 }]
        }
    }

    private static func dueMembers(_ field: RecordField<Self>) -> [EventMember<Self>] {
        [
            EventMember(
                EventField(
                    "due_at", .plain(.instant), mayBeAbsent: true, "the instant from which it is past its due time")
            ) {
                if case .due(let due) = field.value($0) { .plain(.instant(due.instant)) } else { .absent }
            },
            EventMember(EventField("due_on", .plain(.date), mayBeAbsent: true, "the date on which it is due")) {
                if case .due(let due) = field.value($0) { .plain(.date(due.date)) } else { .absent }
            },
        ]
    }
}
