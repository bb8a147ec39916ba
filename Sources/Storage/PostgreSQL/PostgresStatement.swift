/// A statement on one connection whose rows come in one answer.
final class PostgresStatement: PreparedStatement {
    private let connection: PostgresConnection
    private let query: Query
    private var values = CStrings()
    private var result: PostgresResult?
    private var row = -1

    init(_ query: Query, on connection: PostgresConnection) {
        self.query = query
        self.connection = connection
    }

    func bind(_ values: [StoredValue]) throws(StoreError) {
        self.values = PostgresValues.texts(values)
    }

    func step() throws(StoreError) -> Bool {
        let result: PostgresResult
        if let there = self.result {
            result = there
        } else {
            result = try connection.run(query, values)
            self.result = result
        }
        row += 1
        return row < result.rowCount
    }

    var changes: Int { result?.changes ?? 0 }

    func isNull(_ column: Int) -> Bool { result?.isNull(row, column) ?? true }
    func integer(_ column: Int) -> Int64 { result?.integer(row, column) ?? 0 }
    func double(_ column: Int) -> Double { result?.double(row, column) ?? 0 }
    func text(_ column: Int) -> String { result?.text(row, column) ?? "" }

    func release() {
        result = nil
        row = -1
    }
}

/// A statement whose rows are too many for one answer: they are fetched through a cursor, some at a time.
final class PostgresCursor: PreparedStatement {
    private static let rowsAtATime = 1_000

    private let connection: PostgresConnection
    private let query: Query
    private let name: String
    private var values = CStrings()
    private var isOpen = false
    private var part: PostgresResult?
    private var row = -1

    init(_ query: Query, named name: String, on connection: PostgresConnection) {
        self.query = query
        self.name = name
        self.connection = connection
    }

    func bind(_ values: [StoredValue]) throws(StoreError) {
        self.values = PostgresValues.texts(values)
    }

    func step() throws(StoreError) -> Bool {
        if !isOpen {
            try connection.open(cursor: name, for: query, values)
            isOpen = true
        }
        row += 1
        if let part, row < part.rowCount { return true }
        if let part, part.rowCount < Self.rowsAtATime { return false }
        let next = try connection.fetch(Self.rowsAtATime, from: name)
        part = next
        row = 0
        return next.rowCount > 0
    }

    var changes: Int { 0 }

    func isNull(_ column: Int) -> Bool { part?.isNull(row, column) ?? true }
    func integer(_ column: Int) -> Int64 { part?.integer(row, column) ?? 0 }
    func double(_ column: Int) -> Double { part?.double(row, column) ?? 0 }
    func text(_ column: Int) -> String { part?.text(row, column) ?? "" }

    func release() {
        if isOpen { connection.close(cursor: name) }
        isOpen = false
        part = nil
        row = -1
    }
}

/// Parameters as texts; the server knows their types from the statement.
enum PostgresValues {
    static func texts(_ values: [StoredValue]) -> CStrings {
        var texts = CStrings()
        for value in values {
            switch value {
            case .null: texts.appendNull()
            case .integer(let value): texts.append(String(value))
            case .real(let value): texts.append(String(value))
            case .text(let value): texts.append(PostgresText.stored(value))
            }
        }
        return texts
    }
}

/// A query with its values, as the server is asked.
struct PostgresQuery: Equatable {
    let query: Query
    let values: CStrings

    static func == (left: Self, right: Self) -> Bool {
        left.query === right.query && left.values == right.values
    }
}
