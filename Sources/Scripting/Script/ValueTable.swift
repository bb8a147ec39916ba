package import Circulation
package import LuaRuntime

/// Values that scripts return, as tables for a reader.
package enum ValueTable {
    /// A record as a table of its fields, a list of records as a table with a column for each field; nil for anything
    /// else.
    ///
    /// - Parameter isForReading: a record in a cell is named by its title or name instead of written out.
    package static func table(_ value: LuaValue, isForReading: Bool = false) -> ReportTable? {
        let cell = { isForReading ? ValueTable.readable($0) : ValueTable.cell($0) }
        guard case .table(let table) = value, !table.entries.isEmpty else { return nil }
        let records = table.array
        if !records.isEmpty { return records.count == table.entries.count ? list(records, cell) : nil }
        guard let fields = fields(of: table) else { return nil }
        var report = ReportTable(columns: [ReportColumn(name: "field"), ReportColumn(name: "value")])
        let values = Dictionary(fields) { first, _ in first }
        for name in ordered(fields.map(\.0)) {
            report.append([.text(name), values[name].map(cell) ?? .none])
        }
        return report
    }

    private static func fields(of table: LuaTable) -> [(String, LuaValue)]? {
        var fields: [(String, LuaValue)] = []
        for entry in table.entries {
            guard case .string(let name) = entry.key else { return nil }
            fields.append((name, entry.value))
        }
        return fields
    }

    private static func list(_ records: [LuaValue], _ cell: (LuaValue) -> ReportValue) -> ReportTable? {
        var names: [String] = []
        var known: Set<String> = []
        var rows: [[String: LuaValue]] = []
        for record in records {
            guard case .table(let table) = record, let fields = fields(of: table), !fields.isEmpty else { return nil }
            for (name, _) in fields where known.insert(name).inserted { names.append(name) }
            rows.append(Dictionary(fields) { first, _ in first })
        }
        names = ordered(names)
        let cells = rows.map { row in names.map { row[$0].map(cell) ?? .none } }
        let columns = names.enumerated().map { index, name in
            ReportColumn(name: name, type: ReportColumnType.fitting(cells.map { $0[index] }))
        }
        return ReportTable(columns: columns, rows: cells)
    }

    /// The fields of a known type of record stand as the type declares them, what identifies a record first.
    private static func ordered(_ names: [String]) -> [String] {
        let given = Set(names)
        let known =
            LuaAPI.records.first { given.isSubset(of: $0.fields.map(\.name)) }
            ?? LuaAPI.records.first { record in
                // Fields of the library's own come behind its own.
                record.hasOwnFields && record.fields.allSatisfy { !$0.isRequired || given.contains($0.name) }
            }
        guard let own = known?.fields.map(\.name) else { return names }
        return own.filter(given.contains) + names.filter { !own.contains($0) }
    }

    /// A list of texts without the quotes of Lua.
    private static func text(of element: LuaValue) -> String {
        if case .string(let text) = element { text } else { ScriptEvaluator.texts(of: [element]).joined() }
    }

    /// Fields by which people know a record, the best first.
    private static let names = ["title", "name", "username", "barcode", "code", "id"]

    private static func readable(_ value: LuaValue) -> ReportValue {
        // The digest of a policy is shown by its beginning, as 'policy show' does.
        if case .string(let text) = value, text.utf8.count == 64, text.allSatisfy(\.isHexDigit) {
            return .text(String(text.prefix(12)))
        }
        guard case .table(let table) = value, table.array.isEmpty else { return cell(value) }
        if table.entries.isEmpty { return .none }
        let named = names.lazy.map { table[$0] }.first { !$0.isNil }
        return named.map(cell) ?? cell(value)
    }

    private static func cell(_ value: LuaValue) -> ReportValue {
        switch value {
        case .nil: return .none
        case .boolean(let it): return .boolean(it)
        case .integer(let it): return .integer(it)
        case .number(let it): return .number(it)
        case .string(let it): return .text(it)
        case .value(let small): return ReportReading.value(of: small)
        case .table(let table) where table.array.count == table.entries.count:
            return .text(table.array.map(text).joined(separator: ", "))
        default: return .text(ScriptEvaluator.texts(of: [value]).joined())
        }
    }
}
