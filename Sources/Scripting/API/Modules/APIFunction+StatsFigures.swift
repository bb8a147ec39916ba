import Circulation
import Desk
import LuaRuntime
import Storage

extension APIFunction {
    static let statsFigures = APIFunction(
        "figures", "Counts one thing by rows and columns, as a simple report shows it.",
        details:
            "`moonshelf report measures` lists what can be counted and by what it can be split. Days, weeks and the like come in "
            + "their order, all else by its figure, the largest first, what is not known last, with the key `-`. A title of "
            + "several genres, subjects or courses counts in each of them, and once in `total`. What a measure without "
            + "moments counts is counted as it stands now. By hour, imported history is left out.",
        .named(
            "query",
            [
                .required("measure", .choice(FigureMeasure.all.map(\.name)), "what is counted"),
                .required("rows", .words(FigureDimension.self), "by what it is split"),
                .optional(
                    "columns", .choice(FigureDimension.allCases.filter(\.isForColumns).map(\.rawValue)),
                    "by what each row is split"),
            ] + span + [
                .optional("branch", .text(maximum: 200), "only of this branch, by its code"),
                .optional("category", .text(maximum: 200), "only of patrons of this category, by its code"),
                .optional("item_type", .text(maximum: 200), "only of this item type, by its code"),
                .optional(
                    "limit", .integer(1...10_000),
                    "how many rows at most: the largest, of days and the like the latest",
                    standard: "1000"),
            ]),
        returns: .value(.record("figures")),
        route: .init(.get, "/statistics/figures", .staff, group: "statistics"),
        examples: APIExample(#"stats.figures{ measure = "loans", rows = "month" }.total"#, "3"),
        APIExample(
            #"local f = stats.figures{ measure = "copies", rows = "branch", columns = "item_type" } "#
                + "return f.rows[1].name, f.columns[1].name, f.rows[1].cells[1] == f.columns[1].value",
            #""Main Library", "Book", true"#)
    ) { call in
        guard let measure = FigureMeasure.named(try call.arguments.need("measure")),
            let rows: FigureDimension = call.word("rows")
        else { throw call.fault("'measure' or 'rows' is unknown") }
        var query = FigureQuery(measure: measure, rows: rows, columns: call.word("columns"))
        for filter in FigureDimension.filters {
            if let code: String = call.arguments[filter.rawValue] { query.filters[filter] = code }
        }
        let (from, to, now) = (call.start("from"), try call.end("to"), call.script.now)
        let limit: Int64 = call.arguments["limit"] ?? 1_000
        return try call.read { session in
            let table = try session.statistics.figures(query, from: from, to: to, now: now, limit: Int(limit))
            try call.charge(table.rows.count * (1 + table.columns.count) * MemoryLayout<LuaValue>.stride)
            return [APIRecord.figures.table(table)]
        }
    }
}

/// What readers call the keys of figures.
enum FigureWords {
    /// `Monday`
    static func weekday(_ day: Weekday) -> String {
        let word = "\(day)"
        return word.prefix(1).uppercased() + word.dropFirst()
    }
}

/// A row or a column with what its figures are.
struct FigureLine {
    let line: FigureTable.Line
    let dimension: FigureDimension
    let currency: Currency?

    func value(_ figure: Int64) -> LuaValue {
        currency.map { .money(Money(minorUnits: figure, currency: $0)) } ?? .integer(figure)
    }

    /// What a reader sees.
    var name: String {
        if line.key == FigureSums.unknown { return "not known" }
        return switch dimension {
        case .weekday: Int(line.key).flatMap(Weekday.init).map(FigureWords.weekday) ?? line.key
        case .hour: "\(line.key):00"
        case .status: line.key.replacing("_", with: " ")
        default: line.name ?? line.key
        }
    }
}

extension FigureTable {
    private func lines(_ lines: [Line], _ dimension: FigureDimension) -> [FigureLine] {
        lines.map {
            FigureLine(line: $0, dimension: dimension, currency: query.measure.isAmount ? currency : nil)
        }
    }

    fileprivate var rowLines: [FigureLine] { lines(rows, query.rows) }
    fileprivate var columnLines: [FigureLine] { query.columns.map { lines(columns, $0) } ?? [] }
    fileprivate var totalValue: LuaValue {
        query.measure.isAmount ? .money(Money(minorUnits: total, currency: currency)) : .integer(total)
    }
}

extension APIRecord<FigureLine> {
    static let figureColumn = APIRecord(
        "figure_column", "A column of figures.",
        [
            always("key", .text, "a code, a word or a time such as `2026-12`; `-`: not known") { .string($0.line.key) },
            always("name", .text, "what readers call it") { .string($0.name) },
            always("value", .any, "the figure of all its rows: a whole number, or an amount") {
                $0.value($0.line.value)
            },
        ])

    static let figureRow = APIRecord(
        "figure_row", "A row of figures.",
        figureColumn.fields + [
            always("cells", .list(.any), "a figure for each column") { row in
                .table(LuaTable(array: row.line.cells.map(row.value)))
            }
        ])
}

extension APIRecord<FigureTable> {
    static let figures = APIRecord(
        "figures", "What was counted, by rows and columns.",
        [
            always("total", .any, "all there is, each once: a whole number, or an amount") { $0.totalValue },
            always("rows", .list(.record("figure_row")), "") { APIRecord<FigureLine>.figureRow.list($0.rowLines) },
            always("columns", .list(.record("figure_column")), "none where no columns were asked for") {
                APIRecord<FigureLine>.figureColumn.list($0.columnLines)
            },
            always("left_out", .count, "how many rows there are besides") { .integer(Int64($0.leftOut)) },
        ])
}
