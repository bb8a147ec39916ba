import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIFunction {
    static let statsQuery = APIFunction(
        "query", "Answers one SQL statement from the views that are listed below.",
        details: details,
        [
            .required("sql", .longText, "`SELECT`, `WITH` or `VALUES`; parameters are `?`"),
            .optional("params", .list(.any), "texts, numbers, booleans, dates, instants or amounts, one for each `?`"),
        ],
        returns: .value(.list(.any)), needs: .sql,
        examples: APIExample(#"stats.query("SELECT COUNT(*) AS n FROM report_patrons")[1].n"#, "3"),
        APIExample(
            #"stats.query("SELECT id FROM report_loans WHERE lent_at < ?", { date "1900-01-01" })"#, "{}")
    ) { call in
        let values: [LuaValue] = call.arguments["params"] ?? []
        let statement: String = try call.arguments.need("sql")
        let answer = try call.script.asking { seconds, memory, goesOn in
            try call.script.desk.ask(
                statement, try values.map { try parameter($0, call) }, seconds: seconds, memory: memory, goesOn: goesOn)
        }
        return [
            .table(
                LuaTable(
                    array: try answer.rows.map { row in
                        try call.charge(96 + row.count * 2 * MemoryLayout<LuaTable.Entry>.stride)
                        return .table(LuaTable(fields: zip(answer.columns, row).map { ($0, value($1)) }))
                    }))
        ]
    }

    private static var details: String {
        let views = Desk.documentedViews.map { "`\($0.name)`: \($0.summary) \($0.columns.joined(separator: ", "))." }
        return """
            Gives a list of rows, each a table by the names of its columns; a null is absent. Only what is committed is \
            seen. Nothing can be changed, and nothing but these views can be read; an answer has at most 100,000 rows, \
            64 MB and 10 seconds. Over PostgreSQL it needs a role of its own: `docs/sql-views.md`.

            Instants are texts in UTC, `2026-12-24T18:00:00Z`, dates `2026-12-24`, amounts of money whole minor units, \
            flags 0 or 1.


            """ + views.joined(separator: "\n\n")
    }

    private static func parameter(_ value: LuaValue, _ call: APICall) throws -> JSON {
        switch value {
        case .nil: return .null
        case .boolean(let flag): return .bool(flag)
        case .integer(let integer): return .integer(integer)
        case .number(let number) where number.isFinite: return .number(number)
        case .string(let text): return .string(text)
        case .value(let small):
            if let date = small.date { return .string(date.description) }
            // To the second, as the views have it: what lies behind the second would not compare.
            if let instant = small.instant { return .string(String(instant.description.prefix(19)) + "Z") }
            if let money = small.money { return .integer(money.minorUnits) }
        default: break
        }
        throw call.fault("'params' takes texts, numbers, booleans, dates, instants and amounts of money")
    }

    private static func value(_ json: JSON) -> LuaValue {
        switch json {
        case .bool(let flag): .boolean(flag)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .null, .array, .object: .nil
        }
    }
}
