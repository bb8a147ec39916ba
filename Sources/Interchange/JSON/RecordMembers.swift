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
    /// The names that an import knows.
    let names: [String]
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
        self.names = members.flatMap { $0.parts().map(\.name) }
        self.key = key
    }
}

extension RecordMembers.Member {
    /// What stands for the field, each with what it holds.
    func parts(isRequired: Bool = false) -> [RecordMember] {
        let words = field.documentation
        switch (field.kind, field.meaning) {
        case (_, .reference(.title)):
            return [
                RecordMember("isbn", .isbn, "of the title"), RecordMember("title_id", .integer),
                RecordMember("title", .text, "of a title without an ISBN"), RecordMember("authors", .texts),
                RecordMember("year", .integer),
            ]
        case (_, .reference(let other)):
            return [RecordMember(name, .text, "the \(other.key)", isRequired: isRequired)]
        case (.due, _):
            return [
                RecordMember("due_on", .date), RecordMember("due_at", .instant), RecordMember("due_exact", .flag),
            ]
        case (.digest, _):
            return ["_line", "_subject", "_body"].map { RecordMember(name + $0, .text) }
        default: return [RecordMember(name, field.kind, words, isRequired: isRequired)]
        }
    }

    func leavesOut(_ value: FieldValue, of record: Record) -> Bool {
        leftOut?.contains(value) ?? (field.usual.value(record) == value)
    }
}

extension FieldReference {
    /// What files call such a record by.
    fileprivate var key: String {
        switch self {
        case .title: "title's ISBN"
        case .copy: "copy's barcode"
        case .patron: "patron's username"
        case .loan: "loan's key"
        case .listing: "listing's key"
        case .order: "order's key"
        case .conversation: "conversation's key"
        }
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
        guard case .items(let items) = value else { return object.put(value, as: name) }
        object[name] = .array(try items.map { .object(try exported($0, ExportedRecords.orderItem)) })
    }
}

extension RecordMembers {
    /// A record that no store keeps, without what it refers to.
    func plain(_ record: Record) -> JSONObject {
        var object = JSONObject()
        for member in members {
            if case .reference = member.field.meaning { continue }
            let value = member.field.value(record)
            if !member.leavesOut(value, of: record), value != .integer(0) { object.put(value, as: member.name) }
        }
        return object
    }
}

extension JSONObject {
    /// Sets the members by which exports write a value; of items there are none.
    fileprivate mutating func put(_ value: FieldValue, as name: String) {
        switch value {
        case .absent, .items: break
        case .integer(let value): self[name] = .integer(value)
        case .number(let value): self[name] = .number(value)
        case .text(let value): self[name] = .string(value)
        case .flag(let value): self[name] = .bool(value)
        case .instant(let value): self[name] = .string(value.description)
        case .date(let value): self[name] = .string(value.description)
        case .money(let value): self[name] = .string(value.description)
        case .isbn(let value): self[name] = .string(value.digits13)
        case .period(let value): self[name] = .string(value.isoText)
        case .texts(let values): self[name] = .array(values.map { .string($0) })
        case .integers(let values): self[name] = .array(values.map { .integer($0) })
        case .object(let value): self[name] = .object(value)
        case .due(let due):
            self["due_on"] = .string(due.date.description)
            self["due_at"] = .string(due.instant.description)
            if due.isExact { self["due_exact"] = true }
        case .courses(let courses): self[name] = .array(courses.map(TitleColumns.course))
        case .actions(let actions):
            let actions = BlockFacts.Action.allCases.filter(actions.contains)
            self[name] = .array(actions.map { .string($0.rawValue) })
        case .priceLines(let lines): self[name] = .array(lines.map(\.json))
        case .digest(.line(let line)): self[name + "_line"] = .string(line)
        case .digest(.templates(let subject, let body)):
            self[name + "_subject"] = .string(subject)
            self[name + "_body"] = .string(body)
        case .proposal(let proposal): self[name] = .object(proposal.json)
        }
    }
}
