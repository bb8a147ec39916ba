package import TextFormats

extension JSONWriter {
    /// The record's fields by its declaration, without what is personal and without what says nothing.
    package mutating func members<Record: DeclaredRecord>(of record: Record) {
        for field in Record.declaration.fields where !field.isPersonal {
            let value = field.value(record)
            if field.usual.value(record) == value { continue }
            member(field.name, value)
        }
    }

    /// Left out where it is absent, a list also where it is empty.
    package mutating func member(_ name: String, _ value: FieldValue) {
        switch value {
        case .absent: break
        case .integer(let value): member(name, value)
        case .number(let value): member(name, .number(value))
        case .text(let value): member(name, value)
        case .flag(let value): member(name, value)
        case .instant(let value): member(name, value)
        case .date(let value): member(name, value)
        case .money(let value): member(name, value)
        case .isbn(let value): member(name, value.digits13)
        case .period(let value): member(name, value.isoText)
        case .texts(let value): member(name, value)
        case .integers(let value): member(name, ids: value)
        case .object(let value): member(name, value)
        case .due(let value): due(value)
        case .courses(let courses):
            list(name, courses) { writer, course in
                writer.member("code", course.code)
                writer.member("name", course.name)
            }
        case .actions(let actions):
            member(name, BlockFacts.Action.allCases.filter(actions.contains).map(\.rawValue))
        case .priceLines(let lines):
            list(name, lines) { writer, line in
                writer.member("label", line.label)
                writer.member("amount", line.amount)
                writer.member("item", line.item)
            }
        case .items(let items): list(name, items) { $0.members(of: $1) }
        case .proposal(let proposal): member(name, proposal.json)
        // Its words name the patron.
        case .digest: break
        }
    }
}
