import Circulation
import TextFormats

/// Renders a report as the JSON that programs rely on.
///
/// ```json
/// {"title":"","parameters":{},"tables":[{"title":"","columns":[{"name":"","type":""}],"rows":[{}]}],
///  "metrics":[{"name":"","value":1}],"charts":[{"kind":"bar","labels":[],"series":[{"name":"","values":[]}]}]}
/// ```
/// It does not contain what a script printed.
struct JSONReport {
    private let document: ReportDocument

    init(_ document: ReportDocument) {
        self.document = document
    }

    func render() -> String {
        var object = JSONObject()
        object["title"] = .string(document.title)
        object["parameters"] = .object(named(document.parameters.map { ($0.name, $0.value.json) }))
        object["tables"] = .array(document.tables.map(json))
        object["metrics"] = .array(document.metrics.map(json))
        object["charts"] = .array(document.charts.map(json))
        if !document.texts.isEmpty { object["texts"] = .array(document.texts.map { .string($0) }) }
        return SafeText.escapedJSON(JSON.object(object).text(pretty: true)) + "\n"
    }

    private func named(_ members: [(String, JSON)]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return object
    }

    private func json(_ table: ReportTable) -> JSON {
        let columns = table.columns.map { column in
            JSON.object(named([("name", .string(column.name)), ("type", .string(column.type.rawValue))]))
        }
        func json(_ row: [ReportValue]) -> JSON { .object(named(zip(table.columns, row).map { ($0.name, $1.json) })) }
        var members: [(String, JSON)] = [
            ("title", .string(table.title ?? "")), ("columns", .array(columns)), ("rows", .array(table.rows.map(json))),
        ]
        if let total = table.total { members.append(("total", json(total))) }
        return .object(named(members))
    }

    private func json(_ metric: ReportMetric) -> JSON {
        var members: [(String, JSON)] = [("name", .string(metric.name)), ("value", metric.value.json)]
        if let unit = metric.unit { members.append(("unit", .string(unit))) }
        if let note = metric.note { members.append(("note", .string(note))) }
        return .object(named(members))
    }

    private func json(_ chart: ReportChart) -> JSON {
        let series = chart.series.map { series in
            JSON.object(
                named([
                    ("name", .string(series.name)),
                    ("values", .array(series.values.map { $0.map { ReportValue.plain($0).json } ?? .null })),
                ]))
        }
        var members: [(String, JSON)] = [
            ("kind", .string(chart.kind.rawValue)), ("title", .string(chart.title ?? "")),
            ("labels", .array(chart.labels.map { .string($0) })), ("series", .array(series)),
        ]
        let said = [("label_title", chart.labelTitle), ("value_title", chart.valueTitle), ("unit", chart.unit)]
        members += said.compactMap { name, text in text.map { (name, .string($0)) } }
        if chart.isStacked { members.append(("stacked", true)) }
        return .object(named(members))
    }
}

extension ReportValue {
    /// A figure of a chart: a whole one as an integer.
    static func plain(_ value: Double) -> ReportValue {
        Int64(exactly: value).map { .integer($0) } ?? .number(value)
    }
}
