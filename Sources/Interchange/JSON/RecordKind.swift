import Circulation
import TextFormats

/// A kind of record that files bring. Its members are said once: for who reads it, for mapping files and for the reference.
struct RecordKind: Sendable {
    /// As one record is called in JSON: `title`.
    let name: String
    /// As mapping files call it: `titles`.
    let plural: String
    let members: [RecordMember]
    let read: @Sendable (inout MemberReader) -> [ImportedRecord]

    /// The members that a cell of a table can hold.
    var cellMembers: [RecordMember] { members.flatMap(\.cells) }

    func cellMember(_ name: String) -> RecordMember? {
        if name.hasPrefix(RecordMember.ownPrefix), members.contains(where: { $0.name == "extra" }) {
            return RecordMember(name, .text)
        }
        return cellMembers.first { $0.name == name }
    }
}

/// One member of a kind of record.
struct RecordMember: Sendable {
    let name: String
    let kind: FieldKind
    let documentation: String
    let isRequired: Bool

    init(_ name: String, _ kind: FieldKind, _ documentation: String = "", isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.documentation = documentation
        self.isRequired = isRequired
    }

    /// Before the name of a field of the library's own.
    static let ownPrefix = "extra."

    /// What a cell that holds the member is read as; nil: only JSON can have it.
    var cell: TranslatedColumn.Kind? {
        switch kind {
        case .integer, .number: name == "year" ? .year : .integer
        case .text, .choice, .period: .word
        case .flag: .flag
        case .instant: .moment
        case .date: .date
        case .money: .amount
        case .isbn: .isbns
        case .texts, .courses, .actions: .list
        case .object, .integers, .due, .priceLines, .digest, .proposal, .items: nil
        }
    }

    /// The member as cells hold it: a proposal by its parts.
    fileprivate var cells: [RecordMember] {
        guard case .proposal = kind else { return cell == nil ? [] : [self] }
        let parts: [(String, FieldKind)] = [
            ("title", .text), ("isbn", .isbn), ("authors", .texts), ("courses", .texts), ("college", .text),
        ]
        return parts.map { RecordMember("\(name).\($0)", $1, isRequired: isRequired && $0 == "title") }
    }
}

/// What an import reads of a declared record.
struct ImportShape<Record: DeclaredRecord>: Sendable {
    let record: RecordMembers<Record>
    /// Fields without which there is no record.
    let required: [String]
    /// Members that are not the record's own.
    let others: [RecordMember]
    let members: [RecordMember]
    private let otherNames: [String]

    init(_ record: RecordMembers<Record>, required: [String] = [], others: [RecordMember] = []) {
        self.record = record
        self.required = required
        self.others = others
        otherNames = others.map(\.name)
        var known: Set<String> = []
        members = (record.members.flatMap { $0.parts(isRequired: required.contains($0.field.name)) } + others)
            .filter { known.insert($0.name).inserted }
    }

    /// Reads such a record, without what it refers to.
    ///
    /// - Parameter own: names of the library's own fields.
    fileprivate func read(_ reader: inout MemberReader, own: [String]) -> Record? {
        reader.record(record, required: required, others: otherNames + own)
    }
}

extension MemberReader {
    /// Reads a record of the shape, without what it refers to.
    ///
    /// - Parameter own: names of the library's own fields.
    mutating func record<Record>(_ shape: ImportShape<Record>, own: [String] = []) -> Record? {
        shape.read(&self, own: own)
    }
}
