import Circulation
import LuaSyntax

/// Finds rows that lend or renew for no time at all (`no_length`): such a loan would be due as it begins.
enum EmptyLoans {
    private static let fields = ["loan", "renewal_period"]

    static func findings(in tables: CompiledTables, outline: PolicyOutline?, file: String) -> [Finding] {
        tables.source.rules.indices.flatMap { row in
            fields.compactMap { field -> Finding? in
                guard case .period(let period)? = tables.source.rules[row].fields[field], period.count == 0 else {
                    return nil
                }
                return finding(field, period, row, tables, outline, file)
            }
        }
    }

    private static func finding(
        _ field: String, _ period: Period, _ row: Int, _ tables: CompiledTables, _ outline: PolicyOutline?,
        _ file: String
    ) -> Finding {
        let what = field == "loan" ? "a loan" : "a renewal"
        let message =
            "\(what) of \(RuleValue.period(period)) has no length; write days(1), or for one that ends when the branch closes"
            + " hours(12) with closed_hours = \"previous_close\""
        let outlined = outline?.row(row + 1, of: PolicyTable.rules.rawValue)
        if let range = outlined?[field]?.value.range ?? outlined?.range {
            return Finding(code: "no_length", severity: .error, file: file, range: range, message: message)
        }
        let place = tables.source.rules[row].fieldPlaces[field] ?? tables.place(of: row, in: .rules)
        return Finding(
            code: "no_length", severity: .error, file: place.file,
            position: SourcePosition(line: place.line, column: 1, offset: 0), message: message)
    }
}
