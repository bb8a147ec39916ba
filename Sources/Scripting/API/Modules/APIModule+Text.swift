import Circulation
import LuaRuntime
import TextFormats

extension APIModule {
    static let json = APIModule("json", "JSON (RFC 8259).", [.jsonEncode, .jsonDecode])
    static let csv = APIModule("csv", "CSV (RFC 4180).", [.csvRows, .csvEncode])
    static let log = APIModule(
        "log", "Lines for whoever watches the script run; they are no part of the report.",
        [
            .log("info", "Logs what is going on.", .info), .log("warn", "Logs what should be looked at.", .warn),
            .log("error", "Logs what went wrong; the script goes on.", .error),
        ])
}

extension APIFunction {
    /// The longest text that is read at once.
    private static let longestText = 16 << 20

    fileprivate static let jsonEncode = APIFunction(
        "encode", "Writes a value as JSON. An empty table becomes an object, a sequence an array.",
        [
            .required("value", .json, "dates, money and periods become their text"),
            .optional("pretty", .boolean, "on several lines", standard: "false"),
        ],
        returns: .value(.text),
        examples: [
            APIExample(
                #"json.encode({ copies = { 1, 2 }, title = "Dune" })"#, #""{\"copies\":[1,2],\"title\":\"Dune\"}""#)
        ]
    ) { call in
        let value: JSON = try call.arguments.need("value")
        return [.string(value.text(pretty: call.arguments["pretty"] ?? false))]
    }

    fileprivate static let jsonDecode = APIFunction(
        "decode", "Reads JSON. `null` becomes nil; a wrong text is an error with line and column.",
        [.required("text", .text(maximum: longestText), "")],
        returns: .value(.any),
        examples: [
            APIExample(#"json.decode('{"a":[1,2.5,"x"]}').a[2]"#, "2.5"),
            APIExample(#"pcall(json.decode, "[1,") and "read" or "refused""#, #""refused""#),
        ]
    ) { call in
        let text: String = try call.arguments.need("text")
        // No deeper than a Lua value can be copied.
        return [.json(try JSONParser.parse(text, maximumDepth: 100))]
    }

    fileprivate static let csvRows = APIFunction(
        "rows", "Goes through the records of a CSV text as tables by the names of its first record.",
        [
            .required("text", .text(maximum: longestText), ""),
            .optional(
                "options",
                .fields([
                    .optional(
                        "header", .boolean, "false: the first record is data, rows are sequences", standard: "true")
                ]), ""),
        ],
        returns: .each(.any),
        examples: [
            APIExample(#"for row in csv.rows("isbn,copies\n9780441013593,2\n") do return row.copies end"#, #""2""#)
        ]
    ) { call in
        let options: APIArguments = call.arguments["options"] ?? APIArguments()
        let text: String = try call.arguments.need("text")
        return call.each(try CSVRows.rows(of: text, hasHeader: options["header"] ?? true))
    }

    fileprivate static let csvEncode = APIFunction(
        "encode", "Writes rows as CSV.",
        [
            .required("rows", .list(.any), "tables with the names of the columns, or sequences"),
            .optional(
                "options",
                .fields([
                    .optional(
                        "columns", .list(.text(maximum: 500)),
                        "which, in what order; those of the first row by name if left out"),
                    .optional(
                        "guard", .boolean, "puts ' before text that a spreadsheet would take for a formula",
                        standard: "false"),
                ]), ""),
        ],
        returns: .value(.text),
        examples: [
            APIExample(#"csv.encode({ { a = 1, b = "x,y" } }, { columns = { "a", "b" } })"#, #""a,b\r\n1,\"x,y\"\r\n""#)
        ]
    ) { call in
        let options: APIArguments = call.arguments["options"] ?? APIArguments()
        let rows: [LuaValue] = try call.arguments.need("rows")
        do {
            return [
                .string(
                    try CSVRows.text(of: rows, columns: options["columns"], guardsFormulas: options["guard"] ?? false))
            ]
        } catch let error as CSVRows.Fault {
            throw call.fault(error.message)
        }
    }

    fileprivate static func log(_ name: String, _ summary: String, _ level: ScriptLogLevel) -> APIFunction {
        APIFunction(
            name, summary, [.required("message", .longText, "")], returns: .nothing,
            examples: [APIExample("log.\(name)(\"3 loans moved\")", shows: "\(level.rawValue): 3 loans moved")]
        ) { call in
            let message: String = try call.arguments.need("message")
            call.script.output.log(level, TextFolding.terminalSafe(message))
            return []
        }
    }
}

/// CSV text as Lua's tables, and back.
enum CSVRows {
    struct Fault: Error {
        let message: String
    }

    static func rows(of text: String, hasHeader: Bool) throws -> [LuaValue] {
        var reader = CSVReader(source: MemoryByteSource(text))
        var names: [String]?
        var rows: [LuaValue] = []
        while let record = try reader.next() {
            if hasHeader, names == nil {
                names = record.fields
            } else if let names {
                rows.append(.table(LuaTable(fields: Array(zip(names, record.fields.map(LuaValue.string))))))
            } else {
                rows.append(.texts(record.fields))
            }
        }
        return rows
    }

    static func text(of rows: [LuaValue], columns: [String]?, guardsFormulas: Bool) throws -> String {
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        let names = columns ?? CSVRows.names(of: rows.first)
        if !names.isEmpty { writer.record(names) }
        for (index, row) in rows.enumerated() {
            guard case .table(let table) = row else { throw Fault(message: "row \(index + 1) is no table") }
            let cells = names.isEmpty ? table.array : names.map { table[$0] }
            writer.record(try cells.map { try field($0, row: index + 1) })
        }
        return writer.text
    }

    private static func names(of row: LuaValue?) -> [String] {
        guard case .table(let table)? = row, table.array.isEmpty else { return [] }
        return table.entries.compactMap(\.key.stringValue)
    }

    private static func field(_ value: LuaValue, row: Int) throws -> String {
        switch value {
        case .nil: return ""
        case .string(let it): return it
        case .boolean, .integer, .number, .value: return APIText.text(of: value)
        case .table, .bytes, .function, .callback:
            throw Fault(message: "row \(row) has a value that is a \(value.typeName)")
        }
    }
}
