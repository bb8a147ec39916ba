import Circulation
package import LuaRuntime
package import Scripting
package import TextFormats

extension PolicyTestWorker {
    /// Defines `run`, which runs the script under test at the desk that the test made last.
    func defineRun() throws {
        try state.define("run") { [unowned self] arguments in
            guard let script = run.script else {
                throw LuaHostError("run: these are tests of a policy; 'moonshelf script test' tests a script")
            }
            let desk = try self.desk ?? openDesk(LuaTable())
            let given = try ScriptTestArguments(arguments)
            let output = RecordedOutput()
            let result = desk.run(script, given, limits: Self.limitsOfScript, output)
            if let failure = result.failure { throw LuaHostError(failure.description) }
            return [ScriptTestAnswer.table(of: result, printed: output.printed)]
        }
    }

    /// What a script under test may use up, the same on every machine.
    private static let limitsOfScript = LuaLimits(memory: LuaLimits.script.memory, instructions: 500_000_000)
}

/// What a test runs a script with: the words of the command line, and the files that they name.
///
/// `run("--span", "2026")`, or `run { "--list", "new.csv", files = { ["new.csv"] = "barcode\n1001\n" } }`.
package struct ScriptTestArguments {
    package let words: [String]
    let files: [String: String]

    /// - Throws: `LuaHostError` for what is neither.
    package init(_ arguments: LuaArguments) throws {
        let values = try (0..<arguments.count).map { try arguments.value(at: $0) }
        guard values.count == 1, let table = values[0].tableValue else {
            words = try values.map(ScriptTestArguments.word)
            files = [:]
            return
        }
        words = try table.array.map(ScriptTestArguments.word)
        var files: [String: String] = [:]
        for entry in table.entries {
            if case .integer = entry.key { continue }
            guard entry.key.stringValue == "files", let named = entry.value.tableValue else {
                throw LuaHostError(
                    "run: takes the words of a command line, and 'files', a table of texts by their names")
            }
            for file in named.entries {
                guard let name = file.key.stringValue, let text = file.value.stringValue else {
                    throw LuaHostError("run: 'files' are texts by their names: files = { [\"new.csv\"] = \"...\" }")
                }
                files[name] = text
            }
        }
        self.files = files
    }

    private static func word(_ value: LuaValue) throws -> String {
        switch value {
        case .string(let text): text
        case .integer, .number, .boolean: value.description
        case .value(let small): small.plainText
        default: throw LuaHostError("run: an argument of a script is a text or a number, not a \(value.typeName)")
        }
    }

    /// The bytes of a file that the test gave.
    ///
    /// - Throws: `LuaHostError` for one that it did not.
    package func source(of path: String) throws -> MemoryByteSource {
        guard let text = files[path] else {
            throw LuaHostError("the test gives no file '\(path)'; run { ..., files = { [\"\(path)\"] = \"...\" } }")
        }
        return MemoryByteSource(Array(text.utf8))
    }
}

/// What a script did, as its test sees it: `title`, `tables`, `metrics` by name, `charts`, `texts`, `printed`, `values`,
/// and the `refusal` with which it ended.
package enum ScriptTestAnswer {
    /// - Parameter printed: the lines that it printed.
    package static func table(of result: ScriptResult, printed: [String]) -> LuaValue {
        let document = result.document
        var fields: [(String, LuaValue)] = [
            ("title", .string(document.title)), ("tables", .list(document.tables.map(table))),
            (
                "metrics",
                .table(LuaTable(entries: document.metrics.map { (.string($0.name), value($0.value)) }))
            ),
            ("charts", .list(document.charts.map(chart))),
            ("texts", .list(ofTexts: document.texts)), ("printed", .list(ofTexts: printed)),
            ("values", .list(result.values)),
        ]
        if let refusal = result.refusal {
            let reason = LuaTable(fields: [
                ("code", .string(refusal.code)), ("message", .string(refusal.message)),
            ])
            fields.append(("refusal", .table(reason)))
        }
        return .table(LuaTable(fields: fields))
    }

    private static func table(_ table: ReportTable) -> LuaValue {
        func row(_ values: [ReportValue]) -> LuaValue {
            .table(LuaTable(entries: zip(table.columns, values).map { (.string($0.name), value($1)) }))
        }
        var fields: [(String, LuaValue)] = [
            ("title", .string(table.title ?? "")), ("columns", .list(ofTexts: table.columns.map(\.name))),
            ("rows", .list(table.rows.map(row))),
        ]
        if let total = table.total { fields.append(("total", row(total))) }
        return .table(LuaTable(fields: fields))
    }

    private static func chart(_ chart: ReportChart) -> LuaValue {
        let series = chart.series.map { series -> LuaValue in
            let values = series.values.map { $0.map { LuaValue.number($0) } ?? .boolean(false) }
            return .table(LuaTable(fields: [("name", .string(series.name)), ("values", .list(values))]))
        }
        return .table(
            LuaTable(fields: [
                ("kind", .string(chart.kind.rawValue)), ("title", .string(chart.title ?? "")),
                ("labels", .list(ofTexts: chart.labels)), ("series", .list(series)),
            ]))
    }

    private static func value(_ value: ReportValue) -> LuaValue {
        switch value {
        case .none: .nil
        case .boolean(let it): .boolean(it)
        case .integer(let it): .integer(it)
        case .number(let it): .number(it)
        case .text(let it): .string(it)
        case .date(let it): LuaValue(it)
        case .instant(let it): LuaValue(it)
        case .money(let it): LuaValue(it)
        case .period(let it): LuaValue(it)
        case .percent(let it): LuaValue(it)
        case .link(let it): .string(it.text)
        }
    }
}

extension LuaValue {
    fileprivate static func list(_ values: [LuaValue]) -> LuaValue {
        .table(LuaTable(entries: values.enumerated().map { (.integer(Int64($0) + 1), $1) }))
    }

    fileprivate static func list(ofTexts texts: [String]) -> LuaValue { list(texts.map { .string($0) }) }
}
