import Circulation
import Storage
package import TextFormats

extension Desk {
    /// Rows by their columns.
    package struct Table: Hashable, Sendable {
        package var columns: [String]
        package var rows: [[JSON]]
    }

    /// Answers one SQL statement from the documented views, by what is committed.
    ///
    /// - Parameters:
    ///   - statement: reads; its parameters are `?`.
    ///   - values: texts, numbers, flags and null.
    ///   - seconds: how long it may take; never more than a statement may at all.
    ///   - memory: how many bytes an answer may take; never more than it may at all.
    ///   - goesOn: asked now and then, where the database works within this process: false breaks the statement off.
    /// - Throws: ``DeskError`` that says why there is no answer.
    package func ask(
        _ statement: String, _ values: [JSON], seconds: Double = .infinity, memory: Int = .max,
        goesOn: @escaping () -> Bool = { true }
    ) throws -> Table {
        var limits = SQLLimits()
        limits.seconds = min(limits.seconds, max(seconds, 0.001))
        limits.bytes = min(limits.bytes, memory)
        limits.memory = min(limits.memory, memory)
        do {
            let values = try values.map(StoredValue.init(parameter:))
            let answer = try store.ask(SQLQuery(statement, values, limits: limits), goesOn: goesOn)
            return Table(columns: answer.columns, rows: answer.rows.map { $0.map(JSON.init) })
        } catch let refusal as SQLRefusal {
            throw DeskError.input("sql", refusal.message)
        }
    }

    /// The views that a statement may read, each with its summary and its columns.
    package static var documentedViews: [(name: String, summary: String, columns: [String])] {
        ReportView.all.map { ($0.name, $0.summary, $0.columns.map(\.name)) }
    }
}

extension StoredValue {
    fileprivate init(parameter: JSON) throws(DeskError) {
        switch parameter {
        case .null: self = .null
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .array, .object: throw DeskError.input("params", "A parameter is a text, a number, a boolean or null.")
        }
    }
}

extension JSON {
    fileprivate init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let number): self = .number(number)
        case .text(let text): self = .string(text)
        }
    }
}
