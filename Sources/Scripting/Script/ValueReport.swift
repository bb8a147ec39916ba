package import Circulation
import LuaRuntime
package import TextFormats

/// What a script returned, as a report: lists of records become tables, the rest is text.
package enum ValueReport {
    /// The report of a run with its results and, of a dry run, its changes behind it.
    ///
    /// - Parameters:
    ///   - isForProgram: results that are no tables stand among the texts, where a program finds them.
    ///   - isExact: the changes stand there to the letter instead of as people read them.
    package static func document(_ result: ScriptResult, isForProgram: Bool, isExact: Bool) -> ReportDocument {
        var document = result.document
        if result.refusal == nil {
            document.blocks += result.values.compactMap { block($0, isForProgram: isForProgram) }
        }
        if let changes = isExact ? result.changes : result.changesForReading { document.blocks.append(.table(changes)) }
        return document
    }

    /// What a line gave: its value, `null` for none, a list for several. Nil if the line made a report instead.
    package static func json(_ result: ScriptResult) -> JSON? {
        let isReport = result.document.blocks.contains { block in
            if case .printed = block { return false }
            return true
        }
        guard result.changes == nil, !isReport || !result.values.isEmpty else { return nil }
        if result.refusal != nil { return .null }
        let values = result.values.map { value in
            JSON(plain: value) ?? .string(ScriptEvaluator.texts(of: [value]).joined())
        }
        return values.count > 1 ? .array(values) : values.first ?? .null
    }

    /// Where the rule that refused stands, as `file:line, row 2 of limits`.
    package static func place(_ result: ScriptResult) -> String? {
        guard result.values.count >= 2, case .table(let refusal) = result.values[1],
            case .table(let place) = refusal["where"], case .string(let file) = place["file"],
            case .integer(let line) = place["line"]
        else { return nil }
        var text = "decided at \(file):\(line)"
        if case .table(let row) = place["row"], case .string(let table) = row["table"],
            case .integer(let number) = row["row"]
        {
            text += ", row \(number) of \(table)"
        }
        return text
    }

    private static func block(_ value: LuaValue, isForProgram: Bool) -> ReportBlock? {
        if value.isNil { return nil }
        if let table = ValueTable.table(value) { return .table(table) }
        // A text stands as it is, so that a shell can use it.
        let text = if case .string(let text) = value { text } else { ScriptEvaluator.texts(of: [value]).joined() }
        return isForProgram ? .text(text) : .printed(text)
    }
}
