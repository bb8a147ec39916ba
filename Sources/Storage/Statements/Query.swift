import Synchronization

/// The text of a statement, in the SQL that SQLite 3.40 and PostgreSQL 15 share, with what they do not share in braces:
/// see ``Dialect``. Parameters are `?`.
///
/// A query that stands in a `static let` is compiled once a connection and kept; its number distinguishes it from
/// others, so that looking it up compares no texts.
final class Query: Sendable {
    private static let count = Atomic<Int>(0)

    let text: String
    /// The place in a connection's cache; nil for a query that was put together for one use.
    let number: Int?
    /// Whether so many rows may come that they are not to be held in memory at once.
    let isLong: Bool

    /// For texts that are the same each time; keep it in a `static let`.
    init(_ text: String, isLong: Bool = false) {
        self.text = text
        self.isLong = isLong
        number = Self.count.add(1, ordering: .relaxed).oldValue
    }

    /// For texts put together from a caller's filters.
    init(once text: String, isLong: Bool = false) {
        self.text = text
        self.isLong = isLong
        number = nil
    }
}

/// The number of a row: known, or to be found by another question, so that both can be asked together.
package enum RowNumber: Sendable {
    case known(Int64)
    /// It stands in a column, by name, of the row that a question gives.
    indirect case found(by: BoundQuery, column: String)

    /// Null while it is to be found.
    var value: StoredValue {
        switch self {
        case .known(let number): .integer(number)
        case .found: .null
        }
    }
}

/// A query with its values.
package struct BoundQuery: Sendable {
    let query: Query
    let values: [StoredValue]
    /// Which of the values, null as yet, are numbers to be found.
    let missing: [(place: Int, row: RowNumber)]

    /// - Parameter rows: numbers of rows that are among the values, by their places.
    init(_ query: Query, _ values: [StoredValue] = [], rows: [(place: Int, row: RowNumber)] = []) {
        self.query = query
        self.values = values
        missing = rows.filter { if case .found = $0.row { true } else { false } }
    }

    /// - Parameter row: the first value.
    init(_ query: Query, _ row: RowNumber, _ further: StoredValue...) {
        self.init(query, [row.value] + further, rows: [(0, row)])
    }
}
