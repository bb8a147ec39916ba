import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// Reads tables, charts and values of a report out of Lua's values, with errors that say what is wrong where.
struct ReportReading {
    let call: APICall

    func value(_ value: LuaValue, at place: String) throws -> ReportValue {
        switch value {
        case .nil: return .none
        case .boolean(let it): return .boolean(it)
        case .integer(let it): return .integer(it)
        case .number(let it): return .number(it)
        case .string(let it): return .text(it)
        case .bytes(let it): return .text(String(decoding: it, as: UTF8.self))
        case .value(let it): return ReportReading.value(of: it)
        case .table(let table) where table["link"].stringValue != nil: return try link(table, at: place)
        case .table, .function, .callback:
            throw call.fault("'\(place)' must be text, a number, a date, money or nil, got a \(value.typeName)")
        }
    }

    /// What `report.link` gave.
    private func link(_ table: LuaTable, at place: String) throws -> ReportValue {
        guard let kind = table["link"].stringValue.flatMap(ReportLink.Kind.init), let id = table["id"].integerValue,
            let text = table["text"].stringValue, table.entries.count == 3
        else { throw call.fault("'\(place)' is not what report.link gives") }
        return .link(ReportLink(kind, id, text: text))
    }

    static func value(of small: LuaSmallValue) -> ReportValue {
        if let money = small.money { return .money(money) }
        if let date = small.date { return .date(date) }
        if let instant = small.instant { return .instant(instant) }
        if let period = small.period { return .period(period) }
        if let percent = small.percent { return .percent(percent) }
        return .text(small.text)
    }

    // MARK: - Tables

    func table(
        title: String?, columns declared: LuaValue?, rows given: LuaValue, total: LuaValue? = nil
    ) throws -> ReportTable {
        let rows = try tables(given)
        let columns = try declared.map(self.columns) ?? ReportReading.columns(of: rows.first)
        let cells = try rows.enumerated().map { index, row in
            try self.cells(of: row, columns: columns.map(\.name), at: "rows[\(index + 1)]")
        }
        let typed = try columns.enumerated().map { index, column in
            let values = cells.lazy.map { $0[index] }
            let codes = try column.kind.map { try call.script.names(of: $0).codes(values) }
            try call.charge((codes?.names.count ?? 0) * 128)
            return ReportColumn(
                name: column.name, label: column.label, type: column.type ?? ReportColumnType.fitting(values),
                codes: codes)
        }
        let table = ReportTable(title: title, columns: typed, rows: cells)
        guard let total else { return table }
        return ReportTable(title: title, columns: typed, rows: cells, total: try self.total(total, of: table))
    }

    /// The last row: sums, or values of the script's own.
    private func total(_ given: LuaValue, of table: ReportTable) throws -> [ReportValue]? {
        let names = table.columns.map(\.name)
        switch given {
        case .boolean(false): return nil
        case .boolean(true): return try ReportTotal(call: call).row(of: table, summing: nil)
        case .table(let list) where list.array.count == list.entries.count:
            let chosen = try list.array.map { name in
                guard let column = name.stringValue.flatMap(names.firstIndex(of:)) else {
                    throw unknownColumn(name, names)
                }
                return column
            }
            return try ReportTotal(call: call).row(of: table, summing: chosen)
        case .table(let row):
            for entry in row.entries where !names.contains(entry.key.stringValue ?? "") {
                throw unknownColumn(entry.key, names)
            }
            return try cells(of: row, columns: names, at: "total")
        default: throw call.fault("'total' must be true or a table, got a \(given.typeName)")
        }
    }

    private func unknownColumn(_ name: LuaValue, _ names: [String]) -> LuaHostError {
        let word = name.stringValue ?? name.description
        let hint = NameSuggestion.nearest(to: word, among: names).map { "; did you mean '\($0)'?" }
        return call.fault(
            "'total': there is no column '\(APIText.quotable(word))'\(hint ?? " (there are \(names.joined(separator: ", ")))")"
        )
    }

    private struct Column {
        var name: String
        var label: String?
        var type: ReportColumnType?
        /// What its values are codes of.
        var kind: ReportCodeKind?
    }

    private func tables(_ value: LuaValue) throws -> [LuaTable] {
        guard case .table(let list) = value else {
            throw call.fault("'rows' must be a list of tables, got a \(value.typeName)")
        }
        try call.charge(list.entries.count * 2 * MemoryLayout<LuaValue>.stride)
        let rows = list.array
        guard rows.count == list.entries.count else { throw call.fault("'rows' must be a list without named elements") }
        return try rows.enumerated().map { index, row in
            guard case .table(let table) = row else {
                throw call.fault("'rows[\(index + 1)]' must be a table, got a \(row.typeName)")
            }
            return table
        }
    }

    private func columns(_ value: LuaValue) throws -> [Column] {
        guard case .table(let list) = value, list.array.count == list.entries.count else {
            throw call.fault("'columns' must be a list of names or tables")
        }
        let columns = try list.array.enumerated().map { try column($1, at: "columns[\($0 + 1)]") }
        let names = Set(columns.map(\.name))
        guard names.count == columns.count else { throw call.fault("'columns' has a name twice") }
        return columns
    }

    private func column(_ value: LuaValue, at place: String) throws -> Column {
        if case .string(let name) = value { return Column(name: name) }
        guard case .table(let table) = value, case .string(let name) = table["name"] else {
            throw call.fault("'\(place)' must be a name or a table with 'name'")
        }
        let known = ["name", "label", "type", "of"]
        for entry in table.entries where !known.contains(entry.key.stringValue ?? "") {
            throw call.fault("'\(place)' may have only 'name', 'label', 'type' and 'of'")
        }
        let type = try table["type"].stringValue.map { word in
            guard let type = ReportColumnType(rawValue: word) else {
                let words = ReportColumnType.allCases.map(\.rawValue)
                let hint = NameSuggestion.nearest(to: word, among: words).map { "did you mean '\($0)'?" }
                throw call.fault(
                    "'\(place).type' is not a column type; " + (hint ?? "there are " + words.joined(separator: ", ")))
            }
            return type
        }
        return Column(
            name: name, label: table["label"].stringValue, type: type, kind: try kind(table["of"], at: "\(place).of"))
    }

    /// What values are codes of, in the word of a script; nil where it says none.
    func kind(_ value: LuaValue, at place: String) throws -> ReportCodeKind? {
        if value.isNil { return nil }
        if let kind = value.stringValue.flatMap(ReportCodeKind.init) { return kind }
        let words = ReportCodeKind.allCases.map(\.rawValue)
        let hint = NameSuggestion.nearest(to: value.stringValue ?? "", among: words).map { "did you mean '\($0)'?" }
        throw call.fault(
            "'\(place)' is nothing of which there are names; "
                + (hint ?? "there are " + words.joined(separator: ", ")))
    }

    private static func columns(of row: LuaTable?) -> [Column] {
        guard let row else { return [] }
        return row.entries.compactMap { entry in
            switch entry.key {
            case .string(let name): Column(name: name)
            case .integer(let place): Column(name: String(place))
            default: nil
            }
        }
    }

    private func cells(of row: LuaTable, columns: [String], at place: String) throws -> [ReportValue] {
        try call.charge(64 + columns.count * MemoryLayout<ReportValue>.stride)
        var byName: [String: LuaValue] = [:]
        for entry in row.entries {
            if case .string(let name) = entry.key { byName[name] = entry.value }
        }
        let positional = byName.isEmpty ? row.array : []
        return try columns.enumerated().map { index, name in
            let value = byName[name] ?? (positional.indices.contains(index) ? positional[index] : .nil)
            return try self.value(value, at: "\(place).\(APIText.quotable(name))")
        }
    }

    // MARK: - Charts

    func chart() throws -> ReportChart {
        let labels: [LuaValue] = try call.arguments.need("labels")
        let word: String = try call.arguments.need("kind")
        guard let kind = ReportChart.Kind(rawValue: word) else { throw call.fault("'kind' is unknown") }
        var currency: Currency?
        try call.charge(labels.count * 64)
        let series = try series(count: labels.count, &currency)
        return ReportChart(
            kind: kind, title: call.arguments["title"],
            labels: try labels.enumerated().map { try value($1, at: "labels[\($0 + 1)]").text },
            series: series, labelTitle: call.arguments["label_title"], valueTitle: call.arguments["value_title"],
            unit: call.arguments["unit"] ?? currency?.code, isStacked: call.arguments["stacked"] ?? false)
    }

    private func series(count: Int, _ currency: inout Currency?) throws -> [ReportChart.Series] {
        guard call.arguments.has("values") != call.arguments.has("series") else {
            throw call.fault("either 'values' or 'series' is needed")
        }
        if let values: [LuaValue] = call.arguments["values"] {
            return [ReportChart.Series(name: "", values: try figures(values, count: count, at: "values", &currency))]
        }
        let series: [APIArguments] = try call.arguments.need("series")
        return try series.enumerated().map { index, one in
            let place = "series[\(index + 1)].values"
            return ReportChart.Series(
                name: try one.need("name"),
                values: try figures(try one.need("values"), count: count, at: place, &currency))
        }
    }

    private func figures(
        _ values: [LuaValue], count: Int, at place: String, _ currency: inout Currency?
    ) throws -> [Double?] {
        try call.charge(count * 64)
        guard values.count == count else {
            throw call.fault("'\(place)' has \(values.count) figures for \(count) labels")
        }
        return try values.enumerated().map { index, value in
            if let number = value.numberValue { return number.isFinite ? number : nil }
            if let money = value.moneyValue {
                currency = money.currency
                return Double(money.minorUnits) / Double(money.currency.minorUnitsPerUnit)
            }
            if case .boolean(false) = value { return nil }
            throw call.fault("'\(place)[\(index + 1)]' must be a number or money, got a \(value.typeName)")
        }
    }
}
