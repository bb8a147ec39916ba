import Circulation
import LuaSyntax
import Scripting

/// Finds rows, and fields of rows, that can never win: `unreachable_row` and `unreachable_field`.
///
/// Both are warnings: the policy does what it says, but hardly what its author meant.
enum UnreachableRows {
    static func findings(in placed: PlacedTables) -> [Finding] {
        placed.tables.hiddenRows().flatMap { hidden in
            findings(placed, hidden.table, hidden.row, hidden.fields, words(hidden, placed))
        }
    }

    /// Of a zero-based row, or of some fields of it.
    private static func findings(
        _ placed: PlacedTables, _ table: PolicyTable, _ row: Int, _ fields: [String], _ why: String
    ) -> [Finding] {
        let what = "\(table.rawValue) row \(row + 1) can never win: \(why)"
        if fields.isEmpty { return [placed.finding("unreachable_row", table, row, nil, what)] }
        return fields.map { placed.finding("unreachable_field", table, row, $0, "\($0) of \(what)") }
    }

    private static func words(_ hidden: HiddenRow, _ placed: PlacedTables) -> String {
        let rows = hidden.hiddenBy.map { placed.words($0, seenFrom: hidden.row, in: hidden.table) }
        let those = rows.joined(separator: " and ")
        if hidden.table == .limits { return "\(those), is unlimited and ends the reading for all it would match" }
        let verb = rows.count == 1 ? "matches" : "match"
        return "\(those), \(verb) all that it would match and \(rows.count == 1 ? "goes" : "go") before it"
    }
}

extension UnreachableRows {
    /// What only several rows together hide, over all values that the policy names itself.
    static func hiddenTogether(
        in policy: LuaPolicy, _ placed: PlacedTables, known: [Finding]
    ) -> [Finding] {
        let dimensions = MatrixDimensions(namedBy: [policy.tables.source])
        guard let count = dimensions.count, count <= 200_000 else { return [] }
        let matrix = PolicyMatrix(policy, dimensions: dimensions, MatrixFunctions())
        return matrix.losing.filter { !$0.hiddenBy.isEmpty && $0.because == nil }.flatMap { losing -> [Finding] in
            let rows = losing.hiddenBy.map { placed.words($0 - 1, seenFrom: losing.row - 1, in: losing.table) + "," }
            let words = "\(rows.joined(separator: " and ")) match all that it would match and go before it"
            return findings(placed, losing.table, losing.row - 1, losing.fields, words)
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
