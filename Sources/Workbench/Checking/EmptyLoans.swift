import Circulation
import LuaSyntax

/// Finds rows that lend or renew for no time at all (`no_length`): such a loan would be due as it begins.
enum EmptyLoans {
    static func findings(in placed: PlacedTables) -> [Finding] {
        let rows = placed.tables.source.rules
        return rows.indices.flatMap { row in
            [("loan", "a loan"), ("renewal_period", "a renewal")].compactMap { field, what -> Finding? in
                guard case .period(let period)? = rows[row].fields[field], period.count == 0 else { return nil }
                return placed.finding(
                    "no_length", .rules, row, field,
                    "\(what) of \(RuleValue.period(period)) has no length; write days(1), or for one that ends when the"
                        + " branch closes hours(12) with closed_hours = \"previous_close\"",
                    severity: .error, atValue: true)
            }
        }
    }
}
