import Circulation
import Desk
import Market
import TextFormats

/// How a declared record stands in exports: the members of its fields, in their order.
struct RecordMembers<Record: DeclaredRecord>: Sendable {
    struct Member: Sendable {
        let name: String
        let field: RecordField<Record>
        /// Values that are left out; nil: what the declaration calls usual.
        let leftOut: [FieldValue]?
    }

    let members: [Member]
    /// The key by which another store knows the record, where it has one.
    let key: (@Sendable (Record) -> String)?

    /// - Parameters:
    ///   - first: fields that stand before the others, in this order.
    ///   - called: names of members that are not called after their field.
    ///   - without: fields that no export has.
    ///   - leavingOut: values that are left out instead of what is usual, by field.
    init(
        first: [String] = [], called names: [String: String] = [:], without: Set<String> = [],
        leavingOut: [String: [FieldValue]] = [:], key: (@Sendable (Record) -> String)? = nil
    ) {
        let fields = Record.declaration.fields.filter { !without.contains($0.name) }
        let ahead = first.compactMap { name in fields.first { $0.name == name } }
        precondition(ahead.count == first.count, "\(Record.self) lacks one of the fields \(first)")
        members = (ahead + fields.filter { !first.contains($0.name) }).map { field in
            Member(name: names[field.name] ?? field.name, field: field, leftOut: leavingOut[field.name])
        }
        self.key = key
    }

    /// The names that an import knows.
    var names: [String] { members.flatMap(\.names) }
}

extension RecordMembers.Member {
    fileprivate var names: [String] {
        switch (field.kind, field.meaning) {
        case (_, .reference(.title)): ["isbn", "title_id", "title", "authors", "year"]
        case (.due, _): ["due_on", "due_at", "due_exact"]
        case (.digest, _): [name + "_line", name + "_subject", name + "_body"]
        default: [name]
        }
    }

    func leavesOut(_ value: FieldValue, of record: Record) -> Bool {
        leftOut?.contains(value) ?? (field.usual.value(record) == value)
    }
}

// MARK: - Writing

extension DeskSession {
    /// A record as exports write it: what it refers to is named by the keys that another store knows.
    ///
    /// - Parameter before: is called before each field, by its name, to add what is not the record's own.
    func exported<Record: DeclaredRecord>(
        _ record: Record, _ members: RecordMembers<Record>,
        before: (String, inout JSONObject) throws -> Void = { _, _ in }
    ) throws -> JSONObject {
        var object = JSONObject()
        for member in members.members {
            try before(member.field.name, &object)
            var value = member.field.value(record)
            if member.field.name == "extra", case .object(let extra) = value, let owner = CustomField.Owner(Record.self)
            {
                value = .object(try portable(extra, owner))
            }
            if case .reference(let kind) = member.field.meaning {
                try name(kind, value, as: member.name, in: &object)
            } else if member.field.name == "import_key", let key = members.key {
                object[member.name] = .string(key(record))
            } else if !member.leavesOut(value, of: record) {
                try write(value, as: member.name, in: &object)
            }
        }
        return object
    }

    private func name(
        _ kind: FieldReference, _ value: FieldValue, as name: String, in object: inout JSONObject
    ) throws {
        guard case .integer(let id) = value, id != 0 else { return }
        let key: String?
        switch kind {
        case .title: return TitleColumns.name(try catalogue.get(.id(id)), in: &object)
        case .copy: key = try catalogue.copy(id: id)?.barcode
        case .patron: key = try patrons.get(.id(id))?.username
        case .loan: key = try exports.loan(id)?.exportKey
        case .listing: key = try market.get(id)?.exportKey
        case .order: key = try market.order(id)?.exportKey
        case .conversation: key = try conversations.get(id)?.exportKey
        }
        object[name] = key.map { .string($0) }
    }

    private func write(_ value: FieldValue, as name: String, in object: inout JSONObject) throws {
        switch value {
        case .absent: break
        case .integer(let value): object[name] = .integer(value)
        case .number(let value): object[name] = .number(value)
        case .text(let value): object[name] = .string(value)
        case .flag(let value): object[name] = .bool(value)
        case .instant(let value): object[name] = .string(value.description)
        case .date(let value): object[name] = .string(value.description)
        case .money(let value): object[name] = .string(value.description)
        case .isbn(let value): object[name] = .string(value.digits13)
        case .period(let value): object[name] = .string(value.isoText)
        case .texts(let values): object[name] = .array(values.map { .string($0) })
        case .integers(let values): object[name] = .array(values.map { .integer($0) })
        case .object(let value): object[name] = .object(value)
        case .due(let due):
            object["due_on"] = .string(due.date.description)
            object["due_at"] = .string(due.instant.description)
            if due.isExact { object["due_exact"] = true }
        case .courses(let courses): object[name] = .array(courses.map(TitleColumns.course))
        case .actions(let actions):
            let actions = BlockFacts.Action.allCases.filter(actions.contains)
            object[name] = .array(actions.map { .string($0.rawValue) })
        case .priceLines(let lines): object[name] = .array(lines.map(\.json))
        case .items(let items):
            object[name] = .array(try items.map { .object(try exported($0, ExportedRecords.orderItem)) })
        case .digest(.line(let line)): object[name + "_line"] = .string(line)
        case .digest(.templates(let subject, let body)):
            object[name + "_subject"] = .string(subject)
            object[name + "_body"] = .string(body)
        case .proposal(let proposal): object[name] = .object(proposal.json)
        }
    }
}
