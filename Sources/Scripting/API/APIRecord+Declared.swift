import Circulation
import LuaRuntime
import TextFormats

extension APIRecord {
    /// The fields of a declared record as scripts and programs see them, in the order of its declaration.
    ///
    /// - Parameters:
    ///   - record: the record, of what is shown.
    ///   - replacing: by a field's name, what stands in its place.
    static func declared<Record: DeclaredRecord>(
        replacing: [String: [Field]] = [:], _ record: @escaping @Sendable (Entity) -> Record
    ) -> [Field] {
        Record.declaration.fields.flatMap { field in replacing[field.name] ?? fields(field, record) }
    }

    private static func fields<Record>(
        _ field: RecordField<Record>, _ record: @escaping @Sendable (Entity) -> Record
    ) -> [Field] {
        if field.isInternal { return [] }
        if field.kind == .due { return dueFields { field.value(record($0)) } }
        let (name, type, documentation) = (field.name, APIType(field), field.documentation)
        var declaration: APIParameter =
            field.mayBeAbsent ? .optional(name, type, documentation) : .required(name, type, documentation)
        if name == "extra" { declaration.owner = CustomField.Owner.allCases.first { $0.record == Record.self } }
        return [Field(declaration: declaration) { LuaValue(field.value(record($0))) }]
    }

    private static func dueFields(_ value: @escaping @Sendable (Entity) -> FieldValue) -> [Field] {
        [
            maybe("due_at", .instant, "the instant from which it is past its due time") {
                if case .due(let due) = value($0) { .instant(due.instant) } else { nil }
            },
            maybe("due_on", .date, "the date on which it is due") {
                if case .due(let due) = value($0) { .date(due.date) } else { nil }
            },
        ]
    }
}

extension APIRecord where Entity: DeclaredRecord {
    /// A declared record as it is.
    init(_ name: String, _ summary: String) {
        self.init(name, summary, Self.declared { $0 })
    }
}

extension APIType {
    fileprivate init<Record>(_ field: RecordField<Record>) {
        self =
            switch (field.kind, field.meaning) {
            case (.integer, .reference): .id
            case (.integer, .count): .count
            case (.integer, .range(let range)): .integer(range)
            case (.integer, nil) where field.isNoneAsZero: .id
            case (let kind, _): APIType(shown: kind)
            }
    }

    /// The type that scripts have of a declared field's value.
    init(shown kind: FieldKind) {
        self =
            switch kind {
            case .object: .json
            case .courses: .list(.record("course"))
            case .priceLines: .list(.record("price_line"))
            case .items: .list(.record("order_item"))
            default: APIType(kind)
            }
    }
}

extension LuaValue {
    /// A value of a declared field as scripts have it.
    init(_ value: FieldValue) {
        self =
            switch value {
            case .absent: .nil
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .text(let value): .string(value)
            case .flag(let value): .boolean(value)
            case .instant(let value): .instant(value)
            case .date(let value): .date(value)
            case .money(let value): .money(value)
            case .isbn(let value): .string(value.digits13)
            case .period(let value): .period(value)
            case .texts(let values): .texts(values)
            case .integers(let values): .table(LuaTable(array: values.map(LuaValue.integer)))
            case .object(let object): .json(.object(object))
            case .due(let due): .instant(due.instant)
            case .courses(let courses): APIRecord<Course>.course.list(courses)
            case .actions(let actions): .texts(BlockFacts.Action.allCases.filter(actions.contains).map(\.rawValue))
            case .priceLines(let lines): APIRecord<PriceLine>.priceLine.list(lines)
            case .items(let items): APIRecord<Order.Item>.orderItem.list(items)
            // Records that have one are shown with other fields in its place.
            case .digest, .proposal: .nil
            }
    }
}

extension CustomField.Owner {
    /// The record that has the fields.
    fileprivate var record: any DeclaredRecord.Type {
        switch self {
        case .patron: Patron.self
        case .title: Title.self
        case .copy: Copy.self
        }
    }
}
