import Circulation
import LuaSyntax
import Scripting

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

    static func finding(
        _ code: String, _ message: String, at range: SourceRange?, _ place: SourcePlace, _ file: String
    ) -> Finding {
        if let range { return Finding(code: code, severity: .warning, file: file, range: range, message: message) }
        return Finding(
            code: code, severity: .warning, file: place.file,
            position: SourcePosition(line: place.line, column: 1, offset: 0), message: message)
    }
}

extension UnreachableRows {
    /// What only several rows together hide, over all values that the policy names itself.
    static func hiddenTogether(
        in policy: LuaPolicy, outline: PolicyOutline?, file: String, known: [Finding]
    ) -> [Finding] {
        let dimensions = MatrixDimensions(namedBy: [policy.tables.source])
        guard let count = dimensions.count, count <= 200_000 else { return [] }
        let matrix = PolicyMatrix(policy, dimensions: dimensions)
        return matrix.losing.filter { !$0.hiddenBy.isEmpty && $0.because == nil }.flatMap { losing -> [Finding] in
            let row = outline?.row(losing.row, of: losing.table.rawValue)
            let rows = losing.hiddenBy.map {
                "row \($0)" + (matrix.line(of: $0, in: losing.table).map { ", line \($0)," } ?? "")
            }
            let words = "\(rows.joined(separator: " and ")) match all that it would match and go before it"
            let fields: [String?] = losing.fields.isEmpty ? [nil] : losing.fields
            return fields.map { field in
                let what = "\(losing.table.rawValue) row \(losing.row)"
                return finding(
                    field == nil ? "unreachable_row" : "unreachable_field",
                    (field.map { "\($0) of " } ?? "") + "\(what) can never win: \(words)",
                    at: field.flatMap { row?[$0]?.key.range } ?? row?.range, losing.place, file)
            }
        }.filter { new in !known.contains { $0.isAbout(new) } }
    }
}

extension Finding {
    /// Whether it says of the same row, or of a whole row, what another says of one or of its field.
    fileprivate func isAbout(_ other: Finding) -> Bool {
        guard file == other.file, code.hasPrefix("unreachable") else { return false }
        return position == other.position
            || code == "unreachable_row" && other.code == "unreachable_field" && position.line == other.position.line
    }
}

extension CompiledTables {
    func place(of row: Int, in table: PolicyTable) -> SourcePlace {
        switch table {
        case .limits: source.limits[row].place
        case .rules: source.rules[row].place
        case .notices: source.notices[row].place
        }
    }
}
