import Circulation

/// A declared field of an event, with how its value is read from what the event carries.
package struct EventMember<Content>: Sendable {
    package let field: EventField
    package let value: @Sendable (Content) -> EventValue

    init(_ field: EventField, _ value: @escaping @Sendable (Content) -> EventValue) {
        self.field = field
        self.value = value
    }

    /// A plain value.
    init<Value: FieldRepresentable>(
        _ name: String, _ path: any KeyPath<Content, Value> & Sendable, _ documentation: String = ""
    ) {
        self.init(EventField(name, .plain(Value.fieldKind), mayBeAbsent: Value.mayBeAbsent, documentation)) {
            .plain($0[keyPath: path].fieldValue)
        }
    }

    /// A record that is always there, by its id.
    init(
        _ reference: EventReference, _ path: any KeyPath<Content, Int64> & Sendable, as name: String? = nil,
        _ documentation: String = ""
    ) {
        self.init(EventField(name ?? reference.rawValue, .record(reference), documentation)) {
            .plain(.integer($0[keyPath: path]))
        }
    }

    /// A record, by its id.
    init(
        _ reference: EventReference, optional path: any KeyPath<Content, Int64?> & Sendable, as name: String? = nil,
        _ documentation: String = ""
    ) {
        self.init(EventField(name ?? reference.rawValue, .record(reference), mayBeAbsent: true, documentation)) {
            .plain($0[keyPath: path].fieldValue)
        }
    }

    /// The same of a whole that has the content as a part.
    func within<Whole>(_ path: any KeyPath<Whole, Content> & Sendable) -> EventMember<Whole> {
        EventMember<Whole>(field) { [value] in value($0[keyPath: path]) }
    }

    /// Several entries with fields of their own.
    static func entries<Element>(
        _ name: String, _ list: @escaping @Sendable (Content) -> [Element], _ members: [EventMember<Element>],
        _ documentation: String = ""
    ) -> EventMember {
        EventMember(EventField(name, .entries(members.map(\.field)), documentation)) { content in
            .entries(list(content).map { element in members.map { $0.value(element) } })
        }
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
