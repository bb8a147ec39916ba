import Circulation
import LuaSyntax

/// Finds rows, and fields of rows, that can never win: `unreachable_row` and `unreachable_field`.
///
/// Both are warnings: the policy does what it says, but hardly what its author meant.
enum UnreachableRows {
    /// - Parameter outline: where rows and fields stand, as far as they are written as such.
    static func findings(in tables: CompiledTables, outline: PolicyOutline?, file: String) -> [Finding] {
        tables.hiddenRows().flatMap { hidden in
            let row = outline?.row(hidden.row + 1, of: hidden.table.rawValue)
            let place = tables.place(of: hidden.row, in: hidden.table)
            let words = words(hidden, tables)
            guard !hidden.fields.isEmpty else {
                let what = "\(hidden.table.rawValue) row \(hidden.row + 1) can never win: \(words)"
                return [finding("unreachable_row", what, at: row?.range, place, file)]
            }
            return hidden.fields.map { field in
                finding(
                    "unreachable_field",
                    "\(field) of \(hidden.table.rawValue) row \(hidden.row + 1) can never win: \(words)",
                    at: row?[field]?.key.range, place, file)
            }
        }
    }

    private static func words(_ hidden: HiddenRow, _ tables: CompiledTables) -> String {
        let rows = hidden.hiddenBy.map { "row \($0 + 1), line \(tables.place(of: $0, in: hidden.table).line)" }
        let those = rows.joined(separator: " and ")
        if hidden.table == .limits { return "\(those), is unlimited and ends the reading for all it would match" }
        let verb = rows.count == 1 ? "matches" : "match"
        return "\(those), \(verb) all that it would match and \(rows.count == 1 ? "goes" : "go") before it"
    }

    private static func finding(
        _ code: String, _ message: String, at range: SourceRange?, _ place: SourcePlace, _ file: String
    ) -> Finding {
        if let range { return Finding(code: code, severity: .warning, file: file, range: range, message: message) }
        return Finding(
            code: code, severity: .warning, file: place.file,
            position: SourcePosition(line: place.line, column: 1, offset: 0), message: message)
    }
}

extension CompiledTables {
    fileprivate func place(of row: Int, in table: PolicyTable) -> SourcePlace {
        switch table {
        case .limits: source.limits[row].place
        case .rules: source.rules[row].place
        case .notices: source.notices[row].place
        }
    }
}
