/// A statement of a script, to be answered from the ``ReportView``s and nothing else.
package struct SQLQuery: Hashable, Sendable {
    /// One statement that reads; its parameters are `?`.
    package var text: String
    package var values: [StoredValue]
    package var limits: SQLLimits

    package init(_ text: String, _ values: [StoredValue] = [], limits: SQLLimits = SQLLimits()) {
        self.text = text
        self.values = values
        self.limits = limits
    }
}

/// What an answer may use up.
package struct SQLLimits: Hashable, Sendable {
    /// Seconds, on the wall.
    package var seconds: Double
    package var rows: Int
    /// Bytes of all texts of the answer.
    package var bytes: Int
    /// Bytes of memory on the way, where the database works within this process.
    package var memory: Int

    package init(seconds: Double = 10, rows: Int = 100_000, bytes: Int = 64 << 20, memory: Int = 256 << 20) {
        self.seconds = seconds
        self.rows = rows
        self.bytes = bytes
        self.memory = memory
    }
}

/// The rows that came back.
package struct SQLResult: Hashable, Sendable {
    package var columns: [String]
    /// One value for each column.
    package var rows: [[StoredValue]] = []
}

/// Why a question gets no answer.
package struct SQLRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The database cannot read it, or it is not one statement.
        case statement
        /// It asks for something else than the views.
        case forbidden
        /// It used up what it may.
        case limit
        /// This store has no way to answer questions that can do no harm.
        case notConfigured = "not_configured"
    }

    package let code: Code
    package let message: String
    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let severalStatements = SQLRefusal(.statement, "one statement is answered at a time")
    static let notReading = SQLRefusal(.forbidden, "only a statement that reads is answered: SELECT, WITH or VALUES")
    static let tooLong = SQLRefusal(.limit, "the answer took too long and was broken off")
    static let tooMuchMemory = SQLRefusal(.limit, "the answer takes too much memory and was broken off")
    static let tooLargeValue = SQLRefusal(.limit, "a value is larger than 1 MB")
    static func tooManyRows(_ most: Int) -> SQLRefusal {
        SQLRefusal(.limit, "the answer has more than \(most) rows: count, group or LIMIT them")
    }
    static func tooManyBytes(_ most: Int) -> SQLRefusal {
        SQLRefusal(.limit, "the answer is larger than \(most >> 20) MB")
    }
    static func otherTable(_ name: String) -> SQLRefusal {
        SQLRefusal(.forbidden, "'\(name)' cannot be read: only the views that the documentation lists can")
    }
}

extension SQLQuery {
    /// What no database is asked at all.
    func check() throws(SQLRefusal) {
        guard !text.utf8.contains(0) else { throw SQLRefusal(.statement, "a statement cannot contain a NUL byte") }
        guard text.utf8.count <= 100_000 else { throw SQLRefusal(.limit, "the statement is longer than 100 kB") }
        guard values.count <= 1_000 else { throw SQLRefusal(.limit, "there are more than 1,000 parameters") }
    }
}

extension SQLResult {
    /// - Throws: ``SQLRefusal`` where there is no column, or two have one name, so that one of them would be lost.
    func checkColumns() throws(SQLRefusal) {
        guard !columns.isEmpty else { throw SQLRefusal(.statement, "the answer has no columns") }
        var seen: Set<String> = []
        for column in columns where !seen.insert(column).inserted {
            throw SQLRefusal(.statement, "two columns are named '\(column)': name one of them with AS")
        }
    }
}

/// Adds rows to an answer as long as it may grow.
struct AnswerMeter {
    private let limits: SQLLimits
    private(set) var answer: SQLResult
    private var bytes = 0

    init(_ limits: SQLLimits, columns: [String]) {
        self.limits = limits
        answer = SQLResult(columns: columns)
    }

    mutating func take(_ row: [StoredValue]) throws(SQLRefusal) {
        guard answer.rows.count < limits.rows else { throw .tooManyRows(limits.rows) }
        for value in row {
            if case .text(let text) = value { bytes += text.utf8.count }
            bytes += 16
        }
        guard bytes <= limits.bytes else { throw .tooManyBytes(limits.bytes) }
        answer.rows.append(row)
    }
}
