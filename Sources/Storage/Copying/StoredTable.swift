/// A table as the database itself describes it, so that tables can be moved by a program that knows none of them.
struct StoredTable: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable { case integer, real, text }

    struct Column: Hashable, Sendable {
        /// The same in every database: a name, or a word in braces of ``Dialect``.
        var name: String
        var kind: Kind
    }

    var name: String
    /// Those that are written; what the database works out by itself is left out.
    var columns: [Column]
    /// The column that is the key alone and a number, nil if there is none.
    var key: String?
    /// What this database calls the full-text index's key in the version that it has.
    var searchColumn = Self.searchKey
    /// The tables that its rows refer to, itself among them.
    var targets: Set<String> = []

    /// The full-text index: its key is called differently in each database.
    static let searchIndex = "title_search"
    static let searchKey = "{searchKey}"

    /// An identifier as it stands in a statement.
    static func quoted(_ name: String) -> String { name.hasPrefix("{") ? name : "\"\(name)\"" }

    var columnList: String { columns.map { Self.quoted($0.name) }.joined(separator: ", ") }
}

extension StoredTable {
    /// The tables so that each comes after those that it refers to, and the names of those for which no order does:
    /// tables whose rows refer to each other.
    static func ordered(_ tables: [StoredTable]) -> (order: [StoredTable], entangled: Set<String>) {
        var order: [StoredTable] = []
        var done: Set<String> = []
        var entangled = Set(tables.filter { $0.targets.contains($0.name) }.map(\.name))
        var rest = tables.sorted { $0.name < $1.name }
        while !rest.isEmpty {
            let ready = rest.filter { $0.targets.subtracting([$0.name]).isSubset(of: done) }
            let next = ready.isEmpty ? rest : ready
            if ready.isEmpty { entangled.formUnion(rest.map(\.name)) }
            order += next
            done.formUnion(next.map(\.name))
            rest.removeAll { done.contains($0.name) }
        }
        return (order, entangled)
    }
}
