import Circulation
import Desk
import Languages
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
                .optional("branch", .text(maximum: 200), "only of this branch and those below it, by its code"),
                .optional(
                    "category", .text(maximum: 200), "only of patrons of this category and those below it, by its code"),
                .optional("item_type", .text(maximum: 200), "only of this item type and those below it, by its code"),
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
            if let code: String = call.arguments[filter.rawValue] { query.filters[filter] = [code] }
        }
        let (from, to, now) = (call.start("from"), try call.end("to"), call.script.now)
        let limit: Int64 = call.arguments["limit"] ?? 1_000
        let language = call.script.language
        return try call.read { session in
            let table = try session.statistics.figures(query, from: from, to: to, now: now, limit: Int(limit))
            try call.charge(table.rows.count * (1 + table.columns.count) * MemoryLayout<LuaValue>.stride)
            return [APIRecord.figures.table(NamedFigures(table: table, language: language))]
        }
    }
}

/// What readers call the keys of figures.
enum FigureWords {
    /// The key of what is not known.
    static let unknown = FigureSums.unknown

    /// `Monday`
    static func weekday(_ day: Weekday, in language: Language) -> String { language.word("\(day)", isHeading: true) }
}

/// Figures, and what readers call their rows and columns.
struct NamedFigures {
    let table: FigureTable
    let language: Language

    private func lines(_ lines: [FigureTable.Line], _ dimension: FigureDimension) -> [FigureLine] {
        lines.map {
            FigureLine(
                line: $0, name: name($0, dimension), currency: table.query.measure.isAmount ? table.currency : nil)
        }
    }

    /// Of what names of the language's own are made.
    private var names: [ReportCodeKind: ReportNames] {
        [ReportCodeKind.language, .month, .week, .weekday].reduce(into: [:]) {
            $0[$1] = try? ReportNames(of: $1, in: language)
        }
    }

    fileprivate var rows: [FigureLine] { lines(table.rows, table.query.rows) }
    fileprivate var columns: [FigureLine] { table.query.columns.map { lines(table.columns, $0) } ?? [] }
    fileprivate var total: LuaValue {
        table.query.measure.isAmount
            ? .money(Money(minorUnits: table.total, currency: table.currency)) : .integer(table.total)
    }

    private func name(_ line: FigureTable.Line, _ dimension: FigureDimension) -> String {
        let key = line.key
        if key == FigureWords.unknown { return language.notKnown }
        return switch dimension {
        case .day: (try? CivilDate(parsing: key)).map { language.shortDate($0) } ?? key
        case .hour: "\(key):00"
        case .status: language.word(key)
        case .branch, .category, .itemType, .genre, .subject, .course, .college, .year: line.name ?? key
        case .language, .week, .month, .weekday:
            ReportCodeKind(rawValue: dimension.rawValue).flatMap { names[$0]?.name(of: key) } ?? key
        }
    }
}

/// A row or a column with what its figures are.
struct FigureLine {
    let line: FigureTable.Line
    /// What a reader sees.
    let name: String
    let currency: Currency?

    func value(_ figure: Int64) -> LuaValue {
        currency.map { .money(Money(minorUnits: figure, currency: $0)) } ?? .integer(figure)
    }
}

extension Language {
    /// `24 Dec 2026`
    func shortDate(_ date: CivilDate) -> String {
        let (year, month, day) = date.parts
        return shortDate(year: year, month: month, day: day)
    }
}

extension APIRecord<FigureLine> {
    static let figureColumn = APIRecord(
        "figure_column", "A column of figures.",
        [
            always("key", .text, "a code, a word or a time such as `2026-12`; `-`: not known") { .string($0.line.key) },
            always("name", .text, "what readers call it, in the language of the report") { .string($0.name) },
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

extension APIRecord<NamedFigures> {
    static let figures = APIRecord(
        "figures", "What was counted, by rows and columns.",
        [
            always("total", .any, "all there is, each once: a whole number, or an amount") { $0.total },
            always("rows", .list(.record("figure_row")), "") { APIRecord<FigureLine>.figureRow.list($0.rows) },
            always("columns", .list(.record("figure_column")), "none where no columns were asked for") {
                APIRecord<FigureLine>.figureColumn.list($0.columns)
            },
            always("left_out", .count, "how many rows there are besides") { .integer(Int64($0.table.leftOut)) },
        ])
}
