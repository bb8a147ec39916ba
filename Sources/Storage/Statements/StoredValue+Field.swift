import Circulation
import TextFormats

extension [StoredValue] {
    /// What the columns of fields hold for a record, then what the derived ones do.
    init<Record>(
        _ fields: [RecordField<Record>], _ derived: [RecordTable<Record>.Derived], of record: Record
    ) {
        self.init()
        // A value of three columns is the longest.
        reserveCapacity(fields.count + derived.count + 3)
        for field in fields { append(field, of: record) }
        for column in derived { append(column.value(record)) }
    }

    private mutating func append<Record>(_ field: RecordField<Record>, of record: Record) {
        switch field.value(record) {
        case .absent:
            for _ in field.columns { append(.null) }
            // A flag is never null.
            if case .due = field.kind { self[count - 1] = .flag(false) }
        case .integer(let value): append(field.isNoneAsZero ? .id(value) : .integer(value))
        case .text(let value): append(.text(value))
        case .flag(let value): append(.flag(value))
        case .instant(let value): append(.instant(value))
        case .date(let value): append(.date(value))
        case .money(let value): self += [.integer(value.minorUnits), .text(value.currency.code)]
        case .isbn(let value): append(.text(value.digits13))
        case .period(let value): append(.text(value.isoText))
        case .texts(let value): append(.list(value))
        case .integers(let value): append(.text(JSON.array(value.map { .integer($0) }).text()))
        case .object(let value): append(.json(value))
        case .due(let value): self += [.instant(value.instant), .date(value.date), .flag(value.isExact)]
        case .courses(let value): append(.courses(value))
        case .actions(let value): append(.integer(BlockRepository.bits(value)))
        case .priceLines(let value): append(.text(JSON.array(value.map(\.json)).text()))
        case .digest(.line(let line)): self += [.null, .text(line)]
        case .digest(.templates(let subject, let body)): self += [.text(subject), .text(body)]
        case .proposal(let value): append(.text(JSON.object(value.json).text()))
        case .items, .number: break
        }
    }
}

extension StoredValue {
    /// Courses are a list of pairs: code, name or null.
    fileprivate static func courses(_ courses: [Course]) -> StoredValue {
        if courses.isEmpty { return .text("[]") }
        return .text(
            JSON.array(courses.map { .array([.string($0.code), $0.name.map { .string($0) } ?? .null]) }).text())
    }
}
