import Circulation
import LuaSyntax
import Scripting

/// The tables of a policy with the places of their rows, for findings about rows of any of its files.
struct PlacedTables {
    let tables: CompiledTables
    let places: RowPlaces

    init(_ policy: LuaPolicy) {
        tables = policy.tables
        places = policy.rowPlaces
    }

    /// - Parameters:
    ///   - row: zero-based.
    ///   - field: the field that is meant; nil: the whole row.
    ///   - atValue: whether the finding is about the field's value rather than the field.
    func finding(
        _ code: String, _ table: PolicyTable, _ row: Int, _ field: String?, _ message: String,
        severity: Finding.Severity = .warning, atValue: Bool = false
    ) -> Finding {
        if let written = places.row(row + 1, of: table) {
            let field = field.flatMap { written.outline[$0] }
            let range = (atValue ? field?.value.range : field?.key.range) ?? written.outline.range
            return Finding(code: code, severity: severity, file: written.file, range: range, message: message)
        }
        let place = tables.place(of: row, in: table)
        return Finding(
            code: code, severity: severity, file: place.file,
            position: SourcePosition(line: place.line, column: 1, offset: 0), message: message)
    }

    /// `row 3, line 8`, of a zero-based row; with the file where it is another than that of the row that is spoken of.
    func words(_ other: Int, seenFrom row: Int, in table: PolicyTable) -> String {
        "row \(other + 1), \(tables.place(of: other, in: table).words(seenFrom: tables.place(of: row, in: table)))"
    }
}

extension SourcePlace {
    /// `line 8`, or `line 8 of shared.lua` where the other place is in another file.
    func words(seenFrom other: SourcePlace) -> String {
        file == other.file ? "line \(line)" : "line \(line) of \(file)"
    }
}

extension CompiledTables {
    func place(of row: Int, in table: PolicyTable) -> SourcePlace {
        switch table {
        case .limits: source.limits[row].place
        case .rules: source.rules[row].place
        case .notices: source.notices[row].place
        case .membership: source.membership[row].place
        }
    }
}
