import Synchronization

/// A statement as the database ran it.
package struct RecordedStatement: Hashable, Sendable {
    /// The text as it was compiled.
    package let text: String
    /// Whether it stays compiled for the next time.
    package let isKept: Bool
    /// What was bound to its parameters, in order.
    package internal(set) var values: [StoredValue] = []
    /// How often it was stepped; 0 where all its rows came in one answer.
    package internal(set) var steps = 0
    /// How many instructions SQLite's machine carried out for it, which grows with the rows that it looks at and is the same on
    /// every machine; 0 over PostgreSQL.
    package internal(set) var instructions = 0
}

/// Writes down the statements that a store's connections run, in the order in which they begin: for measurements, which
/// run the same from C. A store has one only if it was opened with one.
package final class StatementRecorder: Sendable {
    private let statements = Mutex<[RecordedStatement]>([])

    package init() {}

    /// What was recorded since the last call, to be taken while no statement runs.
    package func take() -> [RecordedStatement] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
    }

    /// Notes a statement that has its values.
    func record(_ text: String, _ values: [StoredValue], isKept: Bool) {
        statements.withLock { $0.append(RecordedStatement(text: text, isKept: isKept, values: values)) }
    }

    fileprivate func begin(_ text: String, isKept: Bool) -> Int {
        statements.withLock { statements in
            statements.append(RecordedStatement(text: text, isKept: isKept))
            return statements.count - 1
        }
    }

    fileprivate func change(_ place: Int, _ body: (inout RecordedStatement) -> Void) {
        statements.withLock { statements in
            if statements.indices.contains(place) { body(&statements[place]) }
        }
    }
}

/// A statement that reports its use to a recorder.
final class ObservedStatement: PreparedStatement {
    private let statement: SQLiteStatement
    private let recorder: StatementRecorder
    private let place: Int

    init(_ statement: SQLiteStatement, by recorder: StatementRecorder) {
        self.statement = statement
        self.recorder = recorder
        place = recorder.begin(statement.text, isKept: statement.isKept)
    }

    func bind(_ values: [StoredValue]) throws(StoreError) {
        recorder.change(place) { $0.values = values }
        try statement.bind(values)
    }

    func step() throws(StoreError) -> Bool {
        recorder.change(place) { $0.steps += 1 }
        return try statement.step()
    }

    var changes: Int { statement.changes }
    func isNull(_ column: Int) -> Bool { statement.isNull(column) }
    func integer(_ column: Int) -> Int64 { statement.integer(column) }
    func double(_ column: Int) -> Double { statement.double(column) }
    func text(_ column: Int) -> String { statement.text(column) }

    func release() {
        let instructions = statement.takeInstructions()
        recorder.change(place) { $0.instructions += instructions }
        statement.release()
    }
}
