import Floors
import Storage

/// Statements that our driver ran, round by round, in the shape in which the floor runs them again.
struct RecordedScript {
    /// Each text once.
    private(set) var texts: [String] = []
    private var numbers: [String: Int32] = [:]
    private var runs: [floor_run] = []
    private var values: [floor_value] = []
    private var bytes: [CChar] = []
    /// For each round where its runs begin, and at last where they end.
    private var starts = [0]

    var rounds: Int { starts.count - 1 }

    mutating func append(round statements: [RecordedStatement]) {
        for statement in statements {
            let run = floor_run(
                statement: number(of: statement.text), steps: Int32(statement.steps),
                first_value: Int32(values.count), value_count: Int32(statement.values.count))
            for value in statement.values { append(value) }
            runs.append(run)
        }
        starts.append(runs.count)
    }

    private mutating func number(of text: String) -> Int32 {
        if let known = numbers[text] { return known }
        let number = Int32(texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }

    private mutating func append(_ value: StoredValue) {
        switch value {
        case .null: values.append(floor_value(kind: FLOOR_NULL, length: 0, integer: 0, real: 0))
        case .integer(let integer):
            values.append(floor_value(kind: FLOOR_INTEGER, length: 0, integer: integer, real: 0))
        case .real(let real): values.append(floor_value(kind: FLOOR_REAL, length: 0, integer: 0, real: real))
        case .text(let text):
            let start = Int64(bytes.count)
            bytes += text.utf8.map { CChar(bitPattern: $0) }
            values.append(floor_value(kind: FLOOR_TEXT, length: Int32(text.utf8.count), integer: start, real: 0))
        }
    }

    /// Runs the rounds on a database.
    func run(_ rounds: Range<Int>, on store: OpaquePointer) -> Bool {
        let range = starts[rounds.lowerBound]..<starts[rounds.upperBound]
        return runs[range].withUnsafeBufferPointer { runs in
            values.withUnsafeBufferPointer { values in
                bytes.withUnsafeBufferPointer { bytes in
                    floor_store_run(store, runs.baseAddress, Int64(runs.count), values.baseAddress, bytes.baseAddress)
                }
            }
        }
    }
}
