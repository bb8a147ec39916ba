/// What a record consists of, said once: its rows, the events about it and whatever else has it field by field are made
/// from this.
package struct RecordDeclaration<Record: Sendable>: Sendable {
    /// The table that keeps it.
    package let table: String
    /// One of it, in a message: `a loan`.
    package let one: String
    /// In the order in which payloads name them; the first is the key. A record with a number of its own begins with `id`.
    package let fields: [RecordField<Record>]

    package init(_ one: String, in table: String, _ fields: [RecordField<Record>]) {
        self.table = table
        self.one = one
        self.fields = fields
    }
}

extension RecordDeclaration {
    /// The name of the field by which its table finds it.
    package var key: String { fields.first?.name ?? "id" }

    /// What a column of the table holds; nil where no field has it.
    package func kind(ofColumn column: String) -> FieldKind? {
        for field in fields {
            if let place = field.columns.firstIndex(of: column) { return field.kind.columnKinds[place] }
        }
        return nil
    }

    /// The columns that identify a person, or repeat a person's own words.
    package var personalColumns: [String] { fields.filter(\.isPersonal).flatMap(\.columns) }
}

/// A record that says what it consists of.
package protocol DeclaredRecord: Hashable, Sendable {
    static var declaration: RecordDeclaration<Self> { get }
    /// A record to be filled field by field. What is personal, and what may be absent, is as no event tells it.
    static var blank: Self { get }
}

/// A record with an id of its own, which stands first in its declaration.
package protocol NumberedRecord: DeclaredRecord {
    var id: Int64 { get set }
}
