import Circulation
package import Languages
import Storage
import TextFormats

/// A simple report as the script that one would write by hand, in a language.
///
/// What readers see is in that language; names of columns and arguments, which programs see, are English in all.
package struct ReportScript {
    private let choice: ReportChoice
    private let language: Language

    package init(_ choice: ReportChoice, in language: Language) {
        self.choice = choice
        self.language = language
    }

    private var measure: FigureMeasure { choice.measure }
    private var rows: FigureDimension { choice.rows }
    private var columns: FigureDimension? { choice.columns }

    private func say(_ phrase: Phrase) -> String { language.text(of: phrase) }

    /// `Loans by month and branch`
    package var title: String {
        let (counted, row) = (Phrase(measure.words), Phrase(rows.words))
        guard let columns else { return say("\(counted) by \(row)") }
        let both: Phrase = "\(row) and \(Phrase(columns.words))"
        return say("\(counted) by \(both)")
    }

    /// The script.
    package var text: String {
        ([head, parameters, speech, figures, heading, table, drawing, foot, shown].compactMap(\.self))
            .joined(separator: "\n\n") + "\n"
    }

    private var head: String {
        var lines = [title + ".", say(Phrase(measure.summary)) + "."]
        if rows.isSeveral {
            lines.append(say("A title that has more than one counts in each of them, and once in the total."))
        }
        if rows == .hour || columns == .hour {
            lines.append(say("Imported history is left out: other systems rarely know the hour."))
        }
        // A comment ends with its line.
        lines = lines.map { "-- " + SafeText.line($0) }
        lines += ["--", "--     moonshelf run \(choice.name).lua"]
        let examples =
            (choice.span == nil ? [] : ["--span last_year"])
            + measure.filters.prefix(1).map { "--\($0.rawValue.replacing("_", with: "-")) CODE" }
        if !examples.isEmpty {
            lines.append("--     moonshelf run \(choice.name).lua \(examples.joined(separator: " "))")
        }
        return lines.joined(separator: "\n")
    }

    private var parameters: String? {
        var lines: [String] = []
        if let span = choice.span {
            lines.append(
                "    span = { type = \"period\", default = \(quoted(span)), help = \(quoted(say("which days count"))) },"
            )
        }
        for filter in measure.filters {
            let standard = choice.filters[filter].map { "default = \(quoted($0)), " } ?? ""
            lines.append(
                "    \(filter.rawValue) = { of = \"\(filter.rawValue)\", \(standard)help = \(quoted(help(filter))) },")
        }
        guard !lines.isEmpty else { return nil }
        return (["report.params {"] + lines + ["}"]).joined(separator: "\n")
    }

    private func help(_ filter: FigureDimension) -> String {
        switch filter {
        case .category: say("only patrons of this category, and of those below it")
        case .branch: say("only this branch, and those below it")
        default: say("only this item type, and those below it")
        }
    }

    /// English needs no word of it.
    private var speech: String? {
        language.code == Language.english.code ? nil : "report.language(\(quoted(language.code)))"
    }

    private var figures: String {
        let split = columns.map { ", columns = \"\($0.rawValue)\"" } ?? ""
        var lines = ["    measure = \"\(measure.name)\", rows = \"\(rows.rawValue)\"\(split),"]
        if choice.span != nil { lines.append("    from = args.span.from, to = args.span.to,") }
        if !measure.filters.isEmpty {
            lines.append(
                "    " + measure.filters.map { "\($0.rawValue) = args.\($0.rawValue)," }.joined(separator: " "))
        }
        return (["local figures = stats.figures {"] + lines + ["}"]).joined(separator: "\n")
    }

    private var heading: String {
        """
        report.title(\(quoted(title)))
        report.metric { name = \(quoted(counted)), value = figures.total }
        """
    }

    // MARK: - The table

    private var type: String { measure.isAmount ? "money" : "integer" }
    /// What is counted, as readers see it.
    private var counted: String { say(Phrase(measure.words)) }

    /// The column of the rows, for programs and for readers.
    private var first: (name: String, label: String) { (upper(rows), say(Phrase(upper(rows)))) }
    /// The column of the rows' own figures; no code is written like that.
    private var sum: (name: String, label: String) {
        columns == nil ? (measure.words, counted) : ("All", say("All"))
    }
    private var row: String { rows.rawValue }

    private func upper(_ dimension: FigureDimension) -> String {
        dimension.words.prefix(1).uppercased() + dimension.words.dropFirst()
    }

    /// A field of a table as Lua writes it, by name.
    private func key(_ name: String) -> String { name.contains(" ") ? "[\"\(name)\"]" : name }

    /// A column as `report.table` takes it.
    private func column(_ head: (name: String, label: String), _ more: String?) -> String {
        let label = head.label == head.name ? nil : "label = \(quoted(head.label))"
        return "{ \((["name = \"\(head.name)\"", label, more].compactMap(\.self)).joined(separator: ", ")) }"
    }

    /// What programs get of a row: the code of what has its names in the language, and the name of all else.
    private var cell: String { "\(row).\(Self.kind(rows) == nil && rows != .day ? "name" : "key")" }
    private var ofRows: String? { rows == .day ? "type = \"date\"" : Self.kind(rows).map { "of = \"\($0.rawValue)\"" } }

    private static func kind(_ dimension: FigureDimension) -> ReportCodeKind? {
        [.language, .week, .month].contains(dimension) ? ReportCodeKind(rawValue: dimension.rawValue) : nil
    }

    private var table: String {
        let own = "\(key(first.name)) = \(cell), \(key(sum.name)) = \(row).value"
        let whole = "\(key(first.name)) = \(quoted(language.total)), \(key(sum.name)) = figures.total"
        guard let columns else {
            return """
                local rows = {}
                for i, \(row) in ipairs(figures.rows) do
                    rows[i] = { \(own) }
                end
                local total = { \(whole) }
                """
        }
        let column = columns.rawValue
        return """
            -- One row for each \(rows.words), one column for each \(columns.words).
            local columns = { \(self.column(first, ofRows)) }
            local rows, total = {}, { \(whole) }
            for i, \(column) in ipairs(figures.columns) do
                columns[i + 1] = { name = \(column).key, label = \(column).name, type = "\(type)" }
                total[\(column).key] = \(column).value
            end
            columns[#columns + 1] = \(self.column(sum, "type = \"\(type)\""))
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
                columns = {
                    \(column(first, ofRows)),
                    \(column(sum, "type = \"\(type)\"")),
                },
                rows = rows, total = total,
            }
            """
    }

    private var foot: String {
        let number = "\u{1}"
        let pieces = say("\(number) more are not shown.")
            .split(separator: number, omittingEmptySubsequences: false).map { quoted(String($0)) }
        let sentence = pieces.joined(separator: " .. figures.left_out .. ").replacing("\"\" .. ", with: "")
        return """
            if figures.left_out > 0 then
                report.text(\(sentence))
            end
            """
    }

    // MARK: - The chart

    /// So many rows are drawn where they do not follow one another in time.
    private static let mostDrawn = 20
    /// So many columns have colours of their own.
    private static let mostSeries = 8

    private var drawing: String? {
        guard choice.chart != .none else { return nil }
        let isByColumn = columns != nil && choice.chart != .pie
        let last = rows.isOfTime ? "#figures.rows" : "math.min(\(Self.mostDrawn), #figures.rows)"
        let kind = "kind = \"\(choice.chart.rawValue)\", labels = labels"
        let value = speech == nil ? counted.prefix(1).lowercased() + counted.dropFirst() : counted
        let named = measure.isAmount ? "" : ", value_title = \(quoted(value))"
        if isByColumn {
            let stacked = choice.chart == .line ? "" : ", stacked = true"
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
                    report.chart {
                        \(kind)\(stacked),
                        series = series\(named),
                    }
                end
                """
        }
        return """
            local labels, values = {}, {}
            for i = 1, \(last) do
                labels[i], values[i] = figures.rows[i].name, figures.rows[i].value
            end
            if #labels > 1 then
                report.chart {
                    \(kind),
                    values = values\(named),
                }
            end
            """
    }

    // MARK: - Words

    /// A text as Lua writes it.
    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 32 || scalar.value == 127:
                let digits = String(scalar.value)
                quoted += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension ReportChoice {
    /// The usual name of the script, without its ending: `loans_by_month_and_branch`.
    package var name: String {
        "\(measure.name)_by_\(rows.rawValue)" + (columns.map { "_and_\($0.rawValue)" } ?? "")
    }
}
