import Circulation
import LuaRuntime

extension APIModule {
    static let report = APIModule(
        "report", "What a script reports: a document that the runner shows, saves or sends.",
        [
            .reportParams, .reportLanguage, .reportTitle, .reportText, .reportSection, .reportTable, .reportChart,
            .reportMetric, .reportName, .reportLink,
        ], callers: .everyone)
}

extension APIFunction {
    fileprivate static let reportParams = APIFunction(
        "params", "Declares the script's arguments, and gives their values: the table `args`.",
        details:
            "Each name has a type, or a table of `type`, `default`, `help`, `required`, `choices` and, for a text that is a code, "
            + "`of`: what it is a code of, as `report.name` has it, so that forms offer names and reports show them. Types are `text`, "
            + "`integer`, `number`, `boolean`, `date`, `instant`, `money`, `file` and `period` (a span of dates: `last_week`, "
            + "`last_month`, `this_year`, `2026`, `2026-12`, `FROM..TO`; the value has `from`, `to` and `text`). A `file` is "
            + "a path, or `-` for standard input; its value has `name`, `text()`, and the iterators `lines()` and `rows()`, "
            + "the latter over the records of CSV by the names in its first. On the command line they are `--name VALUE`; "
            + "what is left over is `args[1]` and on.",
        [.required("declarations", .any, "a table: name = type, or name = { type = ..., default = ..., help = ... }")],
        returns: .value(.any),
        examples: APIExample(
            #"report.params{ span = { type = "period", default = "2026-11" } }.span.to"#, "2026-11-30",
            shows: "span: 2026-11-01..2026-11-30"),
        APIExample(
            #"report.params{ limit = { type = "integer", default = 20 } } return args.limit"#, "20",
            shows: "limit: 20")
    ) { call in
        let declared: LuaValue = try call.arguments.need("declarations")
        return [try call.script.declareParameters(declared, for: call)]
    }

    fileprivate static let reportTitle = APIFunction(
        "title", "Sets the report's title.", [.required("title", .text(maximum: 1000))], returns: .nothing,
        examples: APIExample(#"report.title("Overdue loans")"#, shows: "Overdue loans")
    ) { call in
        call.script.document.title = try call.arguments.need("title")
        return []
    }

    fileprivate static let reportText = APIFunction(
        "text", "Adds a paragraph.", [.required("text", .longText)], returns: .nothing,
        examples: APIExample(#"report.text("As of " .. tostring(today()))"#, shows: "As of 2026-12-24")
    ) { call in
        try call.script.report(.text(try call.arguments.need("text")))
        return []
    }

    fileprivate static let reportSection = APIFunction(
        "section", "Begins a section.", [.required("title", .text(maximum: 1000))], returns: .nothing,
        examples: APIExample(#"report.section("By branch")"#, shows: "By branch")
    ) { call in
        try call.script.report(.section(try call.arguments.need("title")))
        return []
    }

    fileprivate static let reportTable = APIFunction(
        "table", "Adds a table. The types of its columns follow from the values unless they are given.",
        details:
            "Types are `text`, `integer`, `number`, `percent`, `money`, `date`, `instant`, `period` and `boolean`; they decide how "
            + "people see the values: figures at the right, numbers of a column with as many decimals, 12.5 in a column "
            + "of `percent` as 12.5%, instants by the library's clock. Programs get the values as they are. A `total` "
            + "stands below the rows, and as `total` in JSON; CSV has the rows alone. Of a column of codes `of` says what they are "
            + "codes of, as `report.name` has it: people see names, JSON and CSV have the codes. A cell that `report.link` made "
            + "leads to a record.",
        .named(
            "table", .optional("title", .text(maximum: 1000)),
            .optional(
                "columns", .any,
                "names, or tables of `name`, `label`, `type` and `of`; those of the first row by name if left out"),
            .required("rows", .any, "a list of tables by the names of the columns, or of sequences"),
            .optional(
                "total", .any,
                "a last row: `true` for the sums of all figures, the names of columns for theirs, or its own values by column"
            )),
        returns: .nothing,
        examples: APIExample(
            #"report.table{ columns = { "month", "loans" }, rows = { { month = "2026-12", loans = 3 } } }"#,
            shows: """
                month    loans
                -------  -----
                2026-12      3
                """),
        APIExample(
            #"report.table{ columns = { "month", "loans" }, rows = { { "2026-11", 2 }, { "2026-12", 3 } }, total = true }"#,
            shows: """
                month    loans
                -------  -----
                2026-11      2
                2026-12      3
                -------  -----
                Total        5
                """)
    ) { call in
        let reading = ReportReading(call: call)
        let table = try reading.table(
            title: call.arguments["title"], columns: call.arguments["columns"], rows: try call.arguments.need("rows"),
            total: call.arguments["total"])
        try call.script.report(.table(table))
        return []
    }

    fileprivate static let reportChart = APIFunction(
        "chart", "Adds a chart.",
        details:
            "Bars, lines and areas have an axis of figures; bars with long labels lie. A pie takes one series without "
            + "negative figures, and its smallest slices become one. Where there is no figure, `false` says so.",
        .named(
            "chart", .required("kind", .choice(ReportChart.Kind.allCases.map(\.rawValue))),
            .optional("title", .text(maximum: 1000)),
            .required("labels", .list(.any), "what stands along the axis"),
            .optional("values", .list(.any), "one figure for each label"),
            .optional(
                "series",
                .list(
                    .fields([.required("name", .text(maximum: 500)), .required("values", .list(.any))])),
                "several rows of figures with names, instead of `values`"),
            .optional("label_title", .text(maximum: 500), "what the labels are"),
            .optional("value_title", .text(maximum: 500), "what is counted"),
            .optional(
                "unit", .text(maximum: 100),
                "of the figures, such as `EUR` or `%`; amounts of money name their own"),
            .optional("stacked", .boolean, "bars or areas of several series stand on one another")),
        returns: .nothing,
        examples: APIExample(
            #"report.chart{ kind = "bar", labels = { "Nov", "Dec" }, values = { 2, 3 } }"#,
            shows: """
                Nov  2  ███████████████████████████
                Dec  3  ████████████████████████████████████████
                """)
    ) { call in
        try call.script.report(.chart(try ReportReading(call: call).chart()))
        return []
    }

    fileprivate static let reportMetric = APIFunction(
        "metric", "Adds one figure with its name.",
        .named(
            "metric", .required("name", .text(maximum: 500)),
            .required("value", .any, "a number, money, a date, text ..."),
            .optional("unit", .text(maximum: 100), "what is counted"),
            .optional("note", .text(maximum: 1000), "how the figure came about")),
        returns: .nothing,
        examples: APIExample(#"report.metric{ name = "Loans", value = 3 }"#, shows: "Loans: 3")
    ) { call in
        let value = try ReportReading(call: call).value(try call.arguments.need("value"), at: "value")
        try call.script.report(
            .metric(
                ReportMetric(
                    name: try call.arguments.need("name"), value: value, unit: call.arguments["unit"],
                    note: call.arguments["note"])))
        return []
    }
}
