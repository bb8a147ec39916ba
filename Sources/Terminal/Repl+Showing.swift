package import Circulation
import LineEditing
import LuaRuntime
import LuaSyntax
import Reports
import Scripting
import TextFormats

extension Repl {
    private var options: RenderOptions { RenderOptions(usesColour: screen.usesColour, width: screen.width()) }

    /// Shows a table.
    package func present(_ table: ReportTable) { show(table) }

    /// Shows what came of a text; its failure, if it failed.
    func show(_ evaluation: ScriptEvaluator.Evaluation) -> ScriptFailure? {
        switch evaluation {
        case .incomplete: return nil
        case .failed(let failure): return failure
        case .values(let values):
            if let refusal = Refused(values) {
                lastRefusal = refusal.table
                tell(refusal.text)
                return nil
            }
            keep(values)
            // `return nil` and statements without a value say nothing.
            for value in values where !(values.count == 1 && value.isNil) { show(value) }
            return nil
        }
    }

    private func show(_ value: LuaValue) {
        if format == .json {
            let json = JSON(plain: value)?.text(pretty: true) ?? Repl.plain(value)
            screen.write(SafeText.escapedJSON(json) + "\n")
        } else if format == .table, case .table(let table) = value, table.entries.isEmpty {
            screen.write("(empty)\n")
        } else if let table = ValueTable.table(value, isForReading: format == .table).map(forReading) {
            if format == .table, table.columns.map(\.name) == ["field", "value"], isRecord(value) {
                show(fields: table.rows.map { ($0[0].text, $0[1].text) })
            } else {
                show(table)
            }
        } else {
            emit(SafeText.lines(told(value)))
        }
    }

    /// A value as people write it: moments by the library's clock, a nested table over as many lines as it takes.
    private func told(_ value: LuaValue) -> String {
        if format == .table, case .value(let small) = value, let instant = small.instant {
            return moment(instant)
        }
        if format == .table, case .table(let table) = value {
            let flat = Repl.plain(value)
            guard let width = screen.width(), DisplayWidth.of(flat) > width else { return flat }
            return NestedText(width: width, moment: moment).lines(of: table).joined(separator: "\n")
        }
        return Repl.plain(value)
    }

    private func moment(_ instant: Instant) -> String {
        let (date, time) = evaluator.zone.local(of: instant)
        return "\(date) \(time.description.prefix(5))"
    }

    /// Moments by the library's clock, to the minute.
    private func forReading(_ table: ReportTable) -> ReportTable {
        guard format == .table else { return table }
        return table.mapped { if case .instant(let instant) = $1 { .text(moment(instant)) } else { $1 } }
    }

    /// A value as a line: a text as it is read, without quotation marks; inside a table texts have them.
    static func plain(_ value: LuaValue) -> String {
        if case .string(let text) = value { text } else { ScriptEvaluator.texts(of: [value]).joined() }
    }

    private func isRecord(_ value: LuaValue) -> Bool {
        if case .table(let table) = value { table.array.isEmpty } else { false }
    }

    /// Fields one below the other.
    func show(fields: [(String, String)]) {
        let text = TextFields(labels: fields.map(\.0), options: options)
        emit(fields.flatMap { text.lines($0, $1) }.joined(separator: "\n"))
    }

    /// A table; at a terminal only its beginning.
    func show(_ table: ReportTable) {
        var table = table
        let count = table.rows.count
        let isCut = screen.width() != nil && format == .table && count > Repl.longest
        if isCut {
            table = ReportTable(
                title: table.title, columns: table.columns, rows: Array(table.rows.prefix(Repl.longest)),
                total: table.total)
        }
        var text = format.render(ReportDocument(blocks: [.table(table)]), options: options)
        if isInteractive, format == .table, !isCut, count > 1 { text += faint("(\(count) rows)") + "\n" }
        emit(text)
        if isCut { screen.write("(the first \(Repl.longest) of \(count); ':format csv' writes all)\n") }
    }

    /// Rows that a terminal is given at once.
    private static let longest = 10_000

    /// Writes a result; at a terminal, one of more than a screen opens in a pager.
    func emit(_ text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while rows.last == "" { rows.removeLast() }
        if isInteractive, format == .table, let lines, lines.page(rows) {
            // Of a table, its rows; of a text, its lines.
            screen.write(
                (rows.last.map { $0.contains(" rows)") } ?? false ? rows.last ?? "" : "(\(rows.count) lines)") + "\n")
        } else {
            screen.write(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n")
        }
    }

    /// Words for a person, broken where the terminal ends.
    package func tell(_ text: String) { screen.write(broken(text) + "\n") }

    /// Words broken where the terminal ends.
    func broken(_ text: String) -> String { screen.width().map { DisplayWidth.reflowed(text, to: $0) } ?? text }

    /// Shows a failure with the line on which it came up, unless that is the one line just typed.
    func complain(_ failure: ScriptFailure) {
        let source = failure.file.flatMap { sources[$0] }
        let lines = source.map { SourceText($0.text) }
        let isTypedLine = failure.file == current && lines?.lineCount == 1
        var place = ""
        if !isTypedLine, let file = failure.file {
            let number = failure.line.map { "line \($0)" }
            place =
                (file == current ? number ?? file : [file, number].compactMap { $0 }.joined(separator: ", ")) + ": "
        }
        screen.complain(style("error: ") + SafeText.lines(place + failure.message))
        guard let line = failure.line, let lines, lines.line(line) != nil else { return }
        let mark = source.flatMap { ErrorMark(failure, line: line, of: $0.text) }
        if isTypedLine {
            if let mark { for text in [mark.line, style(mark.marker)] { screen.complain("    " + text) } }
            return
        }
        for number in max(1, line - 1)...min(lines.lineCount, line + 1) {
            let sign = number == line ? ">" : " "
            let text = number == line ? mark?.line : nil
            screen.complain("  \(sign) \(number) | \(text ?? SafeText.line(lines.line(number) ?? ""))")
            guard number == line, let mark else { continue }
            let margin = String(repeating: " ", count: 4 + String(number).count)
            screen.complain("\(margin) | " + style(mark.marker))
        }
    }

    private func faint(_ text: String) -> String { screen.usesColour ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    private func style(_ text: String) -> String { screen.usesColour ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text }

    /// Lets later statements find a result as `_`, the one before it as `_1`, the one before that as `_2`.
    func keep(_ values: [LuaValue]) {
        guard let value = values.first(where: { !$0.isNil }) else { return }
        results = Array(([value] + results).prefix(3))
        let context = evaluator.context
        guard let state = try? context.state, let environment = try? context.environment else { return }
        for (name, result) in zip(["_", "_1", "_2"], results) {
            // A result that fills the memory a second time is not kept.
            try? state.define(name, value: result, in: environment)
        }
    }
}

/// A request that was answered with no: `nil` and a refusal.
struct Refused {
    let table: LuaTable
    private let code: String
    private let message: String

    init?(_ values: [LuaValue]) {
        guard values.count >= 2, values[0].isNil, case .table(let table) = values[1],
            case .string(let code) = table["code"], case .string(let message) = table["message"]
        else { return nil }
        self.table = table
        self.code = code
        self.message = message
    }

    var text: String {
        let first = "refused (\(SafeText.line(code))): \(SafeText.line(message))"
        return Refused.place(table["where"]).map { "\(first)\n  decided at \($0)" } ?? first
    }

    /// `university.lua:23, row 2 of limits`.
    static func place(_ value: LuaValue) -> String? {
        guard case .table(let place) = value, case .string(let file) = place["file"],
            case .integer(let line) = place["line"]
        else { return nil }
        var text = "\(SafeText.line(file)):\(line)"
        if case .table(let row) = place["row"], case .string(let table) = row["table"],
            case .integer(let number) = row["row"]
        {
            text += ", row \(number) of \(SafeText.line(table))"
        }
        return text
    }
}
