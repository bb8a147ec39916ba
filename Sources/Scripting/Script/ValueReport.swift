package import Circulation
import LuaRuntime

/// What a script returned, as a report: lists of records become tables, the rest is text.
package enum ValueReport {
    /// The report of a run with its results and, of a dry run, its changes behind it.
    ///
    /// - Parameter isForProgram: results that are no tables stand among the texts, where a program finds them.
    package static func document(_ result: ScriptResult, isForProgram: Bool) -> ReportDocument {
        var document = result.document
        if result.refusal == nil {
            document.blocks += result.values.compactMap { block($0, isForProgram: isForProgram) }
        }
        if let changes = result.changes { document.blocks.append(.table(changes)) }
        return document
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
