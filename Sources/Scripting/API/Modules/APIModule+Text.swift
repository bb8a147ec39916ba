import Circulation
import LuaRuntime
import TextFormats

extension APIModule {
    static let json = APIModule(
        "json", "JSON (RFC 8259).", [.jsonEncode, .jsonObject, .jsonArray, .jsonDecode], callers: .everyone)
    static let csv = APIModule("csv", "CSV (RFC 4180).", [.csvRows, .csvEncode], callers: .everyone)
    static let log = APIModule(
        "log", "Lines for the person who watches the script run; they are no part of the report.",
        [
            .log("info", "Logs what is going on.", .info), .log("warn", "Logs what should be looked at.", .warn),
            .log("error", "Logs what went wrong; the script goes on.", .error),
        ], callers: .everyone)
}

extension APIFunction {
    /// The longest text that is read at once.
    private static let longestText = 16 << 20

    fileprivate static let jsonEncode = APIFunction(
        "encode", "Writes a value as JSON.",
        details:
            "A sequence becomes an array, `none` null. A table without anything in it becomes an object, unless the library gave it as "
            + "a list, as `loans.active` does, or it comes from `json.array`.",
        [
            .required("value", .json, "dates, money and periods become their text"),
            .optional("pretty", .boolean, "on several lines", standard: "false"),
        ],
        returns: .value(.text),
        examples: APIExample(
            #"json.encode({ copies = { 1, 2 }, title = "Dune" })"#, #""{\"copies\":[1,2],\"title\":\"Dune\"}""#)
    ) { call in
        let value: JSON = try call.arguments.need("value")
        let isPretty = call.arguments["pretty"] ?? false
        // The text, and the memory that it grows in.
        try call.charge(3 * JSONSize.bytes(of: value, isPretty: isPretty) { try call.charge(0) })
        return [.string(value.text(pretty: isPretty))]
    }

    fileprivate static let jsonObject = APIFunction(
        "object", "Writes a JSON object with its members in the order in which they are given.",
        details:
            "A member is its name with its value, `{ \"id\", 5 }`; without a value it is null. What is JSON already stands under "
            + "`json` in the value's place; `member` takes one member of that, as it stands there.",
        [.required("members", .list(.any), "")],
        returns: .value(.text),
        examples: [
            APIExample(
                #"json.object({ { "title", "Dune" }, { "isbn" }, { "copies", json = "[1,2]" } })"#,
                #""{\"title\":\"Dune\",\"isbn\":null,\"copies\":[1,2]}""#)
        ]
    ) { call in
        var object = JSONObject()
        for member in try call.arguments.need("members") as [LuaValue] {
            guard case .table(let table) = member, let name = table.array.first?.stringValue else {
                throw call.fault("a member is a table with its name and its value")
            }
            if let text = table["json"].stringValue {
                let whole = try JSONParser.parse(text, maximumDepth: 100) { try call.charge(3 * $0) }
                object[name] = table["member"].stringValue.map { whole[$0] ?? .null } ?? whole
            } else if let value = JSON(plain: table.array.count > 1 ? table.array[1] : .nil) {
                object[name] = value
            } else {
                throw call.fault("'\(APIText.quotable(name))' has a function in it")
            }
        }
        let json = JSON.object(object)
        try call.charge(3 * JSONSize.bytes(of: json, isPretty: false) { try call.charge(0) })
        return [.string(json.text())]
    }

    fileprivate static let jsonArray = APIFunction(
        "array", "Gives a list that is an array in JSON even where it is empty.",
        [.optional("list", .list(.any), "its elements", standard: "{}")],
        returns: .value(.list(.any)),
        examples: APIExample("json.encode({ titles = json.array() })", #""{\"titles\":[]}""#)
    ) { call in
        [.table(LuaTable(array: call.arguments["list"] ?? []))]
    }

    fileprivate static let jsonDecode = APIFunction(
        "decode", "Reads JSON. `null` becomes nil; a wrong text is an error with line and column.",
        [.required("text", .text(maximum: longestText))],
        returns: .value(.any),
        examples: APIExample(#"json.decode('{"a":[1,2.5,"x"]}').a[2]"#, "2.5"),
        APIExample(#"pcall(json.decode, "[1,") and "read" or "refused""#, #""refused""#)
    ) { call in
        let text: String = try call.arguments.need("text")
        // No deeper than a Lua value can be copied.
        // What is read stands in memory twice: as it was read, and as Lua's values.
        return [.json(try JSONParser.parse(text, maximumDepth: 100) { try call.charge(3 * $0) })]
    }

    fileprivate static let csvRows = APIFunction(
        "rows", "Goes through the records of a CSV text as tables by the names of its first record.",
        [
            .required("text", .text(maximum: longestText)),
            .optional(
                "options",
                .fields([
                    .optional(
                        "header", .boolean, "false: the first record is data, rows are sequences", standard: "true")
                ]), ""),
        ],
        returns: .each(.any),
        examples: APIExample(
            #"for row in csv.rows("isbn,copies\n9780441013593,2\n") do return row.copies end"#, #""2""#)
    ) { call in
        let options: APIArguments = call.arguments["options"] ?? APIArguments()
        let text: String = try call.arguments.need("text")
        return try call.records(of: text, hasHeader: options["header"] ?? true)
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
        examples: APIExample(
            #"csv.encode({ { a = 1, b = "x,y" } }, { columns = { "a", "b" } })"#, #""a,b\r\n1,\"x,y\"\r\n""#)
    ) { call in
        let options: APIArguments = call.arguments["options"] ?? APIArguments()
        let rows: [LuaValue] = try call.arguments.need("rows")
        do {
            return [
                .string(
                    try CSVRows.text(
                        of: rows, columns: options["columns"], guardsFormulas: options["guard"] ?? false,
                        charge: call.charge))
            ]
        } catch let error as CSVRows.Fault {
            throw call.fault(error.message)
        }
    }

    fileprivate static func log(_ name: String, _ summary: String, _ level: ScriptLogLevel) -> APIFunction {
        APIFunction(
            name, summary, [.required("message", .longText)], returns: .nothing,
            examples: APIExample("log.\(name)(\"3 loans moved\")", shows: "\(level.rawValue): 3 loans moved")
        ) { call in
            let message: String = try call.arguments.need("message")
            call.script.output.log(level, SafeText.line(message))
            return []
        }
    }
}

extension APICall {
    /// An iterator over the records of a CSV text, each read when it is asked for; the text stays as long as that goes on.
    fileprivate func records(of text: String, hasHeader: Bool) throws -> [LuaValue] {
        var reader = CSVReader(source: MemoryByteSource(text))
        var kept: KeptText? = try KeptText(2 * text.utf8.count, for: script)
        let names = hasHeader ? try reader.next()?.fields : nil
        // The callback lives in the script's own state: it must not keep the script.
        let (script, function) = (script, function.fullName)
        return [
            .callback { [unowned script] _ in
                guard kept != nil else { return [.nil] }
                let next: CSVRecord?
                do {
                    next = try reader.next()
                } catch {
                    throw LuaHostError("\(function): \(APIText.safe(String(describing: error)))")
                }
                guard let record = next else {
                    kept = nil
                    return [.nil]
                }
                try script.charge(record.fields.reduce(0) { $0 + 2 * $1.utf8.count + 128 })
                guard let names else { return [.texts(record.fields)] }
                return [.table(LuaTable(fields: Array(zip(names, record.fields.map(LuaValue.string)))))]
            }
        ]
    }
}

/// Memory that is kept for a script as long as this is there.
private final class KeptText {
    private let bytes: Int
    private weak var state: LuaState?

    init(_ bytes: Int, for script: ScriptContext) throws {
        self.bytes = bytes
        state = script.machine?.state
        try state?.keep(bytes)
    }

    deinit { state?.giveBack(bytes) }
}

/// How long a value is as JSON.
private enum JSONSize {
    /// At most, without writing it.
    static func bytes(of value: JSON, isPretty: Bool, depth: Int = 1, poll: () throws -> Void) throws -> Int {
        let indent = isPretty ? 2 * depth + 2 : 1
        switch value {
        case .null, .bool: return 6
        case .integer, .number: return 26
        case .string(let text): return size(of: text)
        case .array(let elements):
            try poll()
            return try elements.reduce(2 + indent) {
                try $0 + indent + bytes(of: $1, isPretty: isPretty, depth: depth + 1, poll: poll)
            }
        case .object(let object):
            try poll()
            return try object.entries.reduce(2 + indent) {
                try $0 + indent + size(of: $1.key) + 2
                    + bytes(of: $1.value, isPretty: isPretty, depth: depth + 1, poll: poll)
            }
        }
    }

    /// A control character takes six bytes, a quotation mark two.
    private static func size(of text: String) -> Int {
        text.utf8.reduce(3) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

/// CSV text as Lua's tables, and back.
enum CSVRows {
    struct Fault: Error {
        let message: String
    }

    static func text(
        of rows: [LuaValue], columns: [String]?, guardsFormulas: Bool, charge: (Int) throws -> Void
    ) throws -> String {
        var written = 0
        var writer = CSVWriter(guardsFormulas: guardsFormulas)
        let names = columns ?? CSVRows.names(of: rows.first)
        if !names.isEmpty { writer.record(names) }
        for (index, row) in rows.enumerated() {
            guard case .table(let table) = row else { throw Fault(message: "row \(index + 1) is not a table") }
            let cells = names.isEmpty ? table.array : names.map { table[$0] }
            let fields = try cells.map { try field($0, row: index + 1) }
            // As if all were quotation marks to be doubled, in memory that grows.
            let size = fields.reduce(2) { $0 + 4 * $1.utf8.count + 4 }
            try charge(size)
            written += size
            writer.record(fields)
        }
        try charge(written)
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
