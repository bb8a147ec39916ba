import LuaRuntime

/// A type of record as scripts see it: names, types and meanings of its fields.
package struct APIRecordType: Hashable, Sendable {
    package let name: String
    package let summary: String
    package let fields: [APIParameter]

    package init(name: String, summary: String, fields: [APIParameter]) {
        self.name = name
        self.summary = summary
        self.fields = fields
    }
}

extension APIRecordType {
    /// Whether a library can add fields to it.
    package var hasOwnFields: Bool { fields.contains { $0.owner != nil } }
}

extension APIParameter {
    /// What is written about a field of a record: its meaning, and that it may be nil unless that is said already.
    var note: String {
        if isRequired || documentation.contains("nil") { return documentation }
        return documentation.isEmpty ? "may be nil" : "\(documentation); may be nil"
    }
}

/// A type of record, with how its fields are read from the desk's own value.
struct APIRecord<Entity>: Sendable {
    struct Field: Sendable {
        let declaration: APIParameter
        let read: @Sendable (Entity) -> LuaValue
    }

    let name: String
    let summary: String
    let fields: [Field]

    init(_ name: String, _ summary: String, _ fields: [Field]) {
        self.name = name
        self.summary = summary
        self.fields = fields
    }

    var type: APIRecordType { APIRecordType(name: name, summary: summary, fields: fields.map(\.declaration)) }

    /// The record as a plain table; fields without a value are absent.
    func table(_ entity: Entity) -> LuaValue {
        var entries: [(key: LuaValue, value: LuaValue)] = []
        entries.reserveCapacity(fields.count)
        for field in fields {
            let value = field.read(entity)
            if case .nil = value { continue }
            entries.append((.string(field.declaration.name), value))
        }
        return .table(LuaTable(entries: entries))
    }

    func list(_ entities: some Sequence<Entity>) -> LuaValue {
        .table(LuaTable(array: entities.map(table)))
    }
}

/// A field that every record of the type has.
func always<Entity>(
    _ name: String, _ type: APIType, _ documentation: String, _ read: @escaping @Sendable (Entity) -> LuaValue
) -> APIRecord<Entity>.Field {
    APIRecord.Field(declaration: .required(name, type, documentation), read: read)
}

/// A field that a record may lack; it is nil then.
func maybe<Entity>(
    _ name: String, _ type: APIType, _ documentation: String, _ read: @escaping @Sendable (Entity) -> LuaValue?
) -> APIRecord<Entity>.Field {
    APIRecord.Field(declaration: .optional(name, type, documentation), read: { read($0) ?? .nil })
}
