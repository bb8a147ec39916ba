import Desk
import TextFormats

/// The rows of a table that an import has refused, to be mended and sent again: as they stand in the file, each behind what is wrong
/// with it.
package struct RefusedRows: Sendable {
    /// What is wrong, by the lines of rows.
    private var reasons: [Int: String] = [:]
    /// Whether there were more than are kept.
    package private(set) var isCut = false

    /// So many rows are kept, so that a file of nothing but bad rows does not fill the memory.
    package static let most = 20_000
    /// So many bytes of what is wrong with a row.
    private static let mostReason = 500
    /// What the column is called that says what is wrong.
    package static let column = "problem"

    package init() {}

    package var isEmpty: Bool { reasons.isEmpty }
    package var count: Int { reasons.count }

    /// Notes what is wrong with a row.
    package mutating func note(_ problem: ImportProblem) {
        guard problem.severity == .error, problem.line > 0 else { return }
        let words = [problem.field, problem.message].compactMap(\.self).joined(separator: ": ")
        guard let given = reasons[problem.line] else {
            if reasons.count >= Self.most {
                isCut = true
            } else {
                reasons[problem.line] = SafeText.line(words)
            }
            return
        }
        if given.utf8.count < Self.mostReason { reasons[problem.line] = "\(given); \(SafeText.line(words))" }
    }

    func reason(_ line: Int) -> String? { reasons[line] }
}

extension FileExplainer {
    /// The refused rows of a table as CSV, below its header; nil where the file is no table.
    ///
    /// - Throws: ``ImportProblem`` if the file cannot be read.
    package func csv(of refused: RefusedRows, in path: String) throws -> [UInt8]? {
        guard !refused.isEmpty else { return nil }
        let file = try inputFile(path)
        guard file.kind.isTable else { return nil }
        var rows = try rows(of: file)
        rows.keepsTotals = true
        let separator = rows.description.separator?.utf8.first ?? UInt8(ascii: ",")
        var writer = CSVWriter(separator: separator)
        for names in Self.header(rows) { writer.record(names) }
        while true {
            do throws(TextError) {
                guard let row = try rows.next() else { return Array(Self.mark) + writer.bytes }
                if let reason = refused.reason(row.record.line) { writer.record([reason] + row.record.fields) }
            } catch {
                // A line that is no row: what can be said of it stands there in its place.
                if let reason = refused.reason(error.line) { writer.record(["\(error.line): \(reason)"]) }
                if error.code == .unreadable { return Array(Self.mark) + writer.bytes }
            }
        }
    }

    /// Spreadsheets know by it that a text is UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The header as it can be read again: of two rows where it had two.
    private static func header(_ rows: TableRows) -> [[String]] {
        let names = rows.header.names
        guard rows.description.headerRows == 2 else { return [[RefusedRows.column] + names] }
        let groups = zip(names, rows.ownNames).map { name, own in
            own.map { String(name.dropLast($0.count + 1)) } ?? name
        }
        return [[RefusedRows.column] + groups, [""] + rows.ownNames.map { $0 ?? "" }]
    }
}
