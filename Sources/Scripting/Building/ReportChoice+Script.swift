import Circulation
import Storage

extension ReportChoice {
    /// `Loans by month and branch`
    package var title: String { "\(measure.words) by \(rows.words)" + (columns.map { " and \($0.words)" } ?? "") }

    /// The usual name of the script, without its ending: `loans_by_month_and_branch`.
    package var name: String {
        "\(measure.name)_by_\(rows.rawValue)" + (columns.map { "_and_\($0.rawValue)" } ?? "")
    }

    /// The report: a script as one would write it by hand.
    package var script: String {
        ([head, parameters, figures, heading, table, drawing, foot, shown].compactMap(\.self)).joined(separator: "\n\n")
            + "\n"
    }

    private var head: String {
        var lines = [
            "-- Counts \(lowered(measure.words)) by \(rows.words)\(columns.map { " and \($0.words)" } ?? "").",
            "-- \(measure.summary).",
        ]
        if rows.isSeveral {
            lines.append("-- A title of several \(plural(rows)) counts in each of them, and once in the total.")
        }
        if rows == .hour || columns == .hour {
            lines.append("-- Imported history is left out: other systems rarely know the hour.")
        }
        lines += ["--", "--     moonshelf run \(name).lua"]
        let examples =
            (span == nil ? [] : ["--span last_year"]) + measure.filters.prefix(1).map { "--\(option($0)) CODE" }
        if !examples.isEmpty { lines.append("--     moonshelf run \(name).lua \(examples.joined(separator: " "))") }
        return lines.joined(separator: "\n")
    }

    private var parameters: String? {
        var lines: [String] = []
        if let span {
            lines.append(
                "    span = { type = \"period\", default = \(Self.quoted(span)), help = \"which days count\" },")
        }
        for filter in measure.filters {
            let standard = filters[filter].map { "default = \(Self.quoted($0)), " } ?? ""
            let help = filter == .category ? "only patrons of this category" : "only this \(filter.words)"
            lines.append("    \(filter.rawValue) = { \(standard)help = \"\(help)\" },")
        }
        guard !lines.isEmpty else { return nil }
        return (["report.params {"] + lines + ["}"]).joined(separator: "\n")
    }

    private var figures: String {
        let split = columns.map { ", columns = \"\($0.rawValue)\"" } ?? ""
        var lines = ["    measure = \"\(measure.name)\", rows = \"\(rows.rawValue)\"\(split),"]
        if span != nil { lines.append("    from = args.span.from, to = args.span.to,") }
        if !measure.filters.isEmpty {
            lines.append(
                "    " + measure.filters.map { "\($0.rawValue) = args.\($0.rawValue)," }.joined(separator: " "))
        }
        return (["local figures = stats.figures {"] + lines + ["}"]).joined(separator: "\n")
    }

    private var heading: String {
        """
        report.title("\(title)")
        report.metric { name = "\(measure.words)", value = figures.total }
        """
    }

    // MARK: - The table

    private var type: String { measure.isAmount ? "money" : "integer" }
    /// The column of the rows' own figures; no code is written like that.
    private var sum: String { columns == nil ? measure.words : "All" }
    private var label: String { rows.words.prefix(1).uppercased() + rows.words.dropFirst() }
    private var row: String { variable(rows) }

    /// A field of a table as Lua writes it, by name.
    private func key(_ name: String) -> String { name.contains(" ") ? "[\"\(name)\"]" : name }

    private func variable(_ dimension: FigureDimension) -> String { dimension.rawValue }

    private var table: String {
        let own = "\(key(label)) = \(row).name, \(key(sum)) = \(row).value"
        let whole = "\(key(label)) = \"Total\", \(key(sum)) = figures.total"
        guard let columns else {
            return """
                local rows = {}
                for i, \(row) in ipairs(figures.rows) do
                    rows[i] = { \(own) }
                end
                local total = { \(whole) }
                """
        }
        let column = variable(columns)
        return """
            -- One row for each \(rows.words), one column for each \(columns.words).
            local columns, rows, total = { { name = "\(label)" } }, {}, { \(whole) }
            for i, \(column) in ipairs(figures.columns) do
                columns[i + 1] = { name = \(column).key, label = \(column).name, type = "\(type)" }
                total[\(column).key] = \(column).value
            end
            columns[#columns + 1] = { name = "\(sum)", type = "\(type)" }
            for i, \(row) in ipairs(figures.rows) do
                rows[i] = { \(own) }
                for j, \(column) in ipairs(figures.columns) do
                    rows[i][\(column).key] = \(row).cells[j]
                end
            end
            """
    }

    private var shown: String {
        guard columns == nil else { return "report.table { columns = columns, rows = rows, total = total }" }
        return """
            report.table {
                columns = { { name = "\(label)" }, { name = "\(sum)", type = "\(type)" } },
                rows = rows, total = total,
            }
            """
    }

    private var foot: String {
        """
        if figures.left_out > 0 then
            report.text(figures.left_out .. " more are not shown.")
        end
        """
    }

    // MARK: - The chart

    /// So many rows are drawn where they do not follow one another in time.
    private static let mostDrawn = 20
    /// So many columns have colours of their own.
    private static let mostSeries = 8

    private var drawing: String? {
        guard chart != .none else { return nil }
        let isByColumn = columns != nil && chart != .pie
        let value = lowered(measure.words)
        let last = rows.isOfTime ? "#figures.rows" : "math.min(\(Self.mostDrawn), #figures.rows)"
        let kind = "kind = \"\(chart.rawValue)\", labels = labels"
        let named = measure.isAmount ? "" : ", value_title = \"\(value)\""
        if isByColumn {
            let stacked = chart == .line ? "" : ", stacked = true"
            return """
                -- A chart of the largest: each column is a series.
                local labels, series = {}, {}
                for i = 1, \(last) do
                    labels[i] = figures.rows[i].name
                end
                for j = 1, math.min(\(Self.mostSeries), #figures.columns) do
                    series[j] = { name = figures.columns[j].name, values = {} }
                    for i = 1, #labels do
                        series[j].values[i] = figures.rows[i].cells[j]
                    end
                end
                if #labels > 1 then
                    report.chart { \(kind), series = series\(named)\(stacked) }
                end
                """
        }
        return """
            local labels, values = {}, {}
            for i = 1, \(last) do
                labels[i], values[i] = figures.rows[i].name, figures.rows[i].value
            end
            if #labels > 1 then
                report.chart { \(kind), values = values\(named) }
            end
            """
    }

    // MARK: - Words

    private func lowered(_ words: String) -> String { words.prefix(1).lowercased() + words.dropFirst() }
    private func option(_ filter: FigureDimension) -> String { filter.rawValue.replacing("_", with: "-") }
    private func plural(_ dimension: FigureDimension) -> String { dimension.words + "s" }

    /// A text as Lua writes it.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 32 || scalar.value == 127: quoted += "\\\(scalar.value)"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
