import Sheets
import TextFormats

/// The rows of a table below its header, whatever kind of file it stands in.
struct TableRows {
    /// A row, and what is to be said of its cells.
    struct Row {
        var record: CSVRecord
        var remarks: [ImportProblem] = []
        /// Of a sheet: how many columns a cell spans, by the first of them, where they are several.
        var spans: [Int: Int] = [:]

        /// Whether nothing stands in it, as between the parts of a list.
        var isBlank: Bool { remarks.isEmpty && record.fields.allSatisfy { FieldText.nonBlank($0) == nil } }
    }

    private enum Source {
        case text(CSVReader<DecodedByteSource<CountingByteSource>>)
        case sheet(any SheetRowSource)
    }

    private typealias Outcome = HeaderRows.Outcome

    let file: InputFile
    let header: CSVHeader
    let headerLine: Int
    /// Of a header of two rows: the names in the second one of columns that both name.
    let ownNames: [String?]
    /// How the rows of the header were read, where they may be read otherwise.
    let headerWords: String?
    /// What is to be said of the file, together with its first row.
    private(set) var remarks: [ImportProblem]
    private(set) var description: FileDescription
    private var source: Source
    /// Rows that were looked at while the header was searched, the next one last.
    private var waiting: [Outcome]
    private let bytes: CountingByteSource?
    private var hasUnnamedColumns = false
    /// Whether a row of totals is read as any other: of tables that the library wrote.
    var keepsTotals = false

    /// The header stands in one of so many rows.
    private static let searchedRows = 20
    private static let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
    /// What lists of other systems have between their columns where a comma stands in the texts.
    private static let rareSeparators: [UInt8] = [UInt8(ascii: "~"), UInt8(ascii: "^")]

    /// How many bytes were read; of a spreadsheet, which is read in pieces, none are known.
    var bytesRead: Int { bytes?.count ?? 0 }

    /// Where rows of a table may be, and how they are read.
    private struct Place {
        var source: Source
        var bytes: CountingByteSource?
        var sheet: Workbook.Sheet?
        /// How many columns the cells of a row span, by its number.
        var spans: (Int) throws(SheetFault) -> [Int: Int] = { _ throws(SheetFault) in [:] }
    }

    /// A place with the rows that were looked at.
    private struct Found {
        var place: Place
        var rows: [Outcome]
        /// The header of a known table among them.
        var known: HeaderRows.Place?

        /// Whether it has a row of several columns to begin with, by a rare separator, where the other one has none.
        func isBetter(than other: Found?) -> Bool {
            guard case .text(let reader) = place.source, let separator = reader.separator,
                TableRows.rareSeparators.contains(separator), case .success(let row)? = rows.first,
                row.record.count > 1
            else { return false }
            guard case .success(let first)? = other?.rows.first else { return true }
            return first.record.count < 2
        }
    }

    /// Finds the header: the first row that is one of a known table, or else the first row with more than one cell.
    ///
    /// - Parameters:
    ///   - separator: of a text; nil: what the header shows.
    ///   - headerRows: how many rows the header has, 1 or 2; nil: as they show.
    ///   - isHeader: whether a row is the header of a known table.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or holds no row.
    init(
        _ file: InputFile, separator: UInt8? = nil, sheet: String? = nil, headerRows: Int? = nil,
        isHeader: (CSVHeader) -> Bool
    ) throws(ImportProblem) {
        self.file = file
        var found: Found?
        var header = HeaderRows.Place(index: 0)
        var others: [String] = []
        do {
            let search = try Search(file, separator: separator, sheet: sheet)
            others = search.sheets.map(\.name)
            while let place = try search.next() {
                let tried = try Self.look(into: place, file, headerRows, isHeader)
                if tried.known != nil {
                    found = tried
                    break
                }
                if found == nil || found?.rows.isEmpty == true || tried.isBetter(than: found) { found = tried }
            }
            if let found {
                header = try HeaderRows(given: headerRows, spans: found.place.spans).place(
                    found.rows, known: found.known)
            }
        } catch let problem as ImportProblem {
            throw problem
        } catch let fault as SheetFault {
            throw file.problem(fault.problemCode, "\(fault)")
        } catch {
            throw file.problem("unreadable", "\(error)")
        }
        guard let found, let first = found.rows.first else {
            if file.kind == .html {
                throw file.problem("unknown_xml", "it is HTML without a table; of XML, MARCXML is read")
            }
            throw file.problem("empty", "the file is empty; a header with names of columns is expected")
        }
        if case .failure(let error) = first, found.known == nil {
            throw file.problem(error.code.rawValue, error.message, line: error.line)
        }
        guard case .success(let row) = found.rows[header.index] else {
            throw file.problem("empty", "the file has no header with names of columns")
        }
        headerLine = row.record.line
        self.header = header.joined?.header(line: headerLine) ?? CSVHeader(row.record)
        ownNames = header.joined?.ends ?? []
        headerWords = header.remark?.message
        waiting = found.rows[(header.index + (header.joined == nil ? 1 : 2))...].reversed()
        source = found.place.source
        bytes = found.place.bytes
        description = FileDescription(file)
        description.sheet = found.place.sheet?.name
        description.headerLine = headerLine
        description.headerRows = header.joined == nil ? 1 : 2
        if case .text(let reader) = source {
            description.separator = reader.separator.map { String(UnicodeScalar($0)) }
        }
        remarks = Self.remarks(file, self.header, header, line: headerLine, rows: found.rows)
        others.removeAll { $0 == found.place.sheet?.name }
        if !others.isEmpty, let read = found.place.sheet, sheet == nil {
            let names = others.map { "\"\($0)\"" }.listed(by: "and")
            remarks.append(
                file.remark(
                    "other_sheets", "the sheet \"\(read.name)\" is read, not \(names); --sheet picks another",
                    line: headerLine))
        }
    }

    private static func remarks(
        _ file: InputFile, _ header: CSVHeader, _ place: HeaderRows.Place, line: Int, rows: [Outcome]
    ) -> [ImportProblem] {
        var remarks = file.encodingRemark.map { [$0] } ?? []
        // `sep=;` is said to a spreadsheet, not to people.
        let above = rows[..<place.index].filter { row in
            guard case .success(let row) = row else { return true }
            return row.record.fields.first?.hasPrefix("sep=") != true
        }
        if !above.isEmpty {
            let words = above.count == 1 ? "the row above it is" : "the \(above.count) rows above it are"
            remarks.append(
                file.remark("header_below", "the header stands in line \(line); \(words) passed over", line: line))
        }
        if let remark = place.remark { remarks.append(file.remark(remark.code, remark.message, line: line)) }
        return remarks
            + header.repeatedNames.compactMap(FieldText.nonBlank).map { name in
                file.remark(
                    "repeated_column", "the column stands more than once; the first is read", line: line, field: name)
            }
    }

    private static func look(
        into place: Place, _ file: InputFile, _ headerRows: Int?, _ isHeader: (CSVHeader) -> Bool
    ) throws(SheetFault) -> Found {
        let header = HeaderRows(given: headerRows, spans: place.spans)
        var found = Found(place: place, rows: [])
        while found.rows.count < searchedRows {
            do throws(TextError) {
                guard let row = try row(of: &found.place.source, file) else { break }
                found.rows.append(.success(row))
            } catch {
                found.rows.append(.failure(error))
                if error.code == .unreadable { break }
            }
            found.known = try header.known(found.rows, isHeader)
            if found.known != nil { break }
        }
        return found
    }

    /// The next row.
    ///
    /// - Throws: `TextError` with the place of the fault; after ``TextError/Code/unreadable`` there is nothing more.
    mutating func next() throws(TextError) -> Row? {
        var row: Row?
        repeat {
            if let outcome = waiting.popLast() {
                row = try outcome.get()
            } else {
                row = try Self.row(of: &source, file)
            }
        } while row?.isBlank == true
        if let row, !keepsTotals, TotalRow.may(row.record) {
            // One that stands below all others; a row behind it may be a record.
            let isLast = try isAtEnd()
            if isLast {
                throw TextError(.total, TotalRow.message(row.record), line: row.record.line, column: 1, offset: 0)
            }
        }
        if case .sheet = source, let found = row, found.record.count > header.names.count {
            row = named(found)
        }
        return row
    }

    /// Whether nothing but blank rows follows.
    private mutating func isAtEnd() throws(TextError) -> Bool {
        if let outcome = waiting.last(where: { (try? $0.get().isBlank) != true }) {
            return (try? outcome.get().record).map { TotalRow.may($0) } ?? false
        }
        while true {
            let outcome: Outcome
            do throws(TextError) {
                guard let row = try Self.row(of: &source, file) else { return true }
                outcome = .success(row)
                if row.isBlank { continue }
            } catch {
                outcome = .failure(error)
            }
            waiting.insert(outcome, at: 0)
            return false
        }
    }

    /// Of a sheet, cells to the right of the header are left out, which is said once.
    private mutating func named(_ row: Row) -> Row {
        var row = row
        let name = row.record.fields[header.names.count...].first { !$0.isEmpty } ?? ""
        row.record = CSVRecord(fields: Array(row.record.fields.prefix(header.names.count)), line: row.record.line)
        guard !hasUnnamedColumns else { return row }
        hasUnnamedColumns = true
        row.remarks.append(
            file.remark(
                "unnamed_column", "'\(name)' stands in a column that the header does not name; such are left out",
                line: row.record.line))
        return row
    }

    private static func row(of source: inout Source, _ file: InputFile) throws(TextError) -> Row? {
        switch source {
        case .text(var reader):
            defer { source = .text(reader) }
            return try reader.next().map { Row(record: $0) }
        case .sheet(var rows):
            defer { source = .sheet(rows) }
            do throws(SheetFault) {
                return try rows.next().map { self.row($0, file) }
            } catch {
                throw TextError(.unreadable, "\(error)", line: 0, column: 1, offset: 0)
            }
        }
    }

    private static func row(_ row: SheetRow, _ file: InputFile) -> Row {
        var fields = [String](repeating: "", count: (row.cells.last?.column ?? -1) + 1)
        var remarks: [ImportProblem] = []
        for cell in row.cells {
            if cell.isError {
                remarks.append(
                    file.remark(
                        "cell_error", "the formula of a cell gives \(cell.text); the cell is left out", line: row.number
                    ))
            } else {
                fields[cell.column] = cell.text
            }
        }
        let spans = row.cells.filter { $0.span > 1 }.map { ($0.column, $0.span) }
        return Row(
            record: CSVRecord(fields: fields, line: row.number), remarks: remarks,
            spans: Dictionary(spans, uniquingKeysWith: { first, _ in first }))
    }

    /// The places where the table may be, one after the other.
    private final class Search {
        let sheets: [Workbook.Sheet]
        private let file: InputFile
        private let workbook: Workbook?
        private var rest: [Workbook.Sheet]
        private var separators: [UInt8?]

        init(_ file: InputFile, separator: UInt8?, sheet: String?) throws {
            self.file = file
            guard file.kind.isSpreadsheet else {
                if sheet != nil {
                    throw file.problem("no_sheet", "it is \(file.kind.rawValue), which has no sheets to pick one of")
                }
                (workbook, sheets, rest) = (nil, [], [])
                separators =
                    separator.map { [$0] }
                    ?? (file.kind == .csv ? [nil] + TableRows.separators + TableRows.rareSeparators : [nil])
                return
            }
            let workbook = try Workbook(path: file.path, size: file.size, isXML: file.kind == .spreadsheetML)
            self.workbook = workbook
            sheets = workbook.sheets
            separators = []
            guard let sheet else {
                rest = sheets.filter { !$0.isHidden } + sheets.filter(\.isHidden)
                return
            }
            rest = sheets.filter { $0.name.lowercased() == sheet.lowercased() }
            if rest.isEmpty {
                let names = sheets.map { "\"\($0.name)\"" }.listed(by: "and")
                throw file.problem("no_sheet", "it has no sheet \"\(sheet)\"; it has \(names)")
            }
        }

        func next() throws -> Place? {
            if let workbook {
                guard !rest.isEmpty else { return nil }
                let sheet = rest.removeFirst()
                return Place(source: .sheet(try workbook.rows(of: sheet)), sheet: sheet) {
                    [file] number throws(SheetFault) in try file.spans(of: number, sheet, in: workbook)
                }
            }
            guard !separators.isEmpty else { return nil }
            let separator = separators.removeFirst()
            let (text, count) = try file.text()
            if file.kind == .html { return Place(source: .sheet(try HTMLRows(text)), bytes: count) }
            return Place(source: .text(CSVReader(source: text, separator: separator)), bytes: count)
        }
    }
}
