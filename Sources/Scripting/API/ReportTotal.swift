import Circulation
import Languages
import LuaRuntime

/// Sums the columns of a report's table for its last row.
struct ReportTotal {
    let call: APICall

    /// The sums, with "Total" in the first column where that is not summed itself.
    ///
    /// - Parameter chosen: the places of the columns to sum; nil: all of whole and broken numbers and money.
    /// - Throws: `LuaHostError` for a column that cannot be summed.
    func row(of table: ReportTable, summing chosen: [Int]?) throws -> [ReportValue] {
        let places = chosen ?? table.columns.indices.filter { ReportTotal.summed.contains(table.columns[$0].type) }
        guard !places.isEmpty || table.rows.isEmpty else {
            throw call.fault("'total': there is no column of numbers or money; give its values by column")
        }
        var row = [ReportValue](repeating: .none, count: table.columns.count)
        if let first = table.columns.first, !places.contains(0), !first.type.isFigure {
            row[0] = .text(call.script.language.total)
        }
        for place in places {
            row[place] = try sum(table.rows.lazy.map { $0[place] }, of: table.columns[place].name)
        }
        return row
    }

    private static let summed: Set<ReportColumnType> = [.integer, .number, .money]

    /// The sum of what has a value; nothing where no row has one.
    private func sum(_ values: some Sequence<ReportValue>, of column: String) throws -> ReportValue {
        var sum = ReportValue.none
        for value in values where value != .none {
            guard sum != .none else {
                guard let type = value.columnType, ReportTotal.summed.contains(type) else { throw fault(column, value) }
                sum = value
                continue
            }
            guard let next = try added(sum, value) else { throw fault(column, value) }
            sum = next
        }
        return sum
    }

    /// Nil for what cannot be added.
    private func added(_ sum: ReportValue, _ value: ReportValue) throws -> ReportValue? {
        switch (sum, value) {
        case (.integer(let left), .integer(let right)):
            let (whole, overflows) = left.addingReportingOverflow(right)
            return overflows ? .number(Double(left) + Double(right)) : .integer(whole)
        case (.integer(let left), .number(let right)): return .number(Double(left) + right)
        case (.number(let left), .integer(let right)): return .number(left + Double(right))
        case (.number(let left), .number(let right)): return .number(left + right)
        case (.money(let left), .money(let right)): return (try? left.adding(right)).map { .money($0) }
        default: return nil
        }
    }

    private func fault(_ column: String, _ value: ReportValue) -> LuaHostError {
        call.fault(
            "'total': the column '\(APIText.quotable(column))' cannot be summed at \(APIText.quotable(value.text))")
    }
}
