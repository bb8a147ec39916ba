import Foundation
import MARC
import TextFormats

/// The rows of a file as they stand in it: a table with a header, a JSON array, an object a line, one document that has them as a
/// list, or records of MARC, of which each is an object as MARC-in-JSON has it.
struct RawRows {
    /// A row, or what is wrong with it.
    struct Row {
        var content: Content?
        var problems: [ImportProblem] = []
        /// Where it begins; of a MARC record its number in the file.
        var line: Int
        /// What people call a MARC record: its number in the file, and its control number.
        var record: String?
        /// A MARC record to the letter.
        var source: MARCRecord?
        /// Where it stands within its line: `results[3]`.
        var path = ""
    }

    enum Content {
        case fields([String])
        case object(JSONObject)
    }

    private enum Reader {
        case json(JSONArrayReader<DecodedByteSource<CountingByteSource>>)
        case table(TableRows)
        case marc(MARCReader<CountingByteSource>)
    }

    let file: String
    /// The columns of a table; nil where rows are objects.
    let header: CSVHeader?
    /// Where the header stands.
    private(set) var headerLine = 1
    /// What is to be said of the file, together with its first row.
    private(set) var remarks: [ImportProblem] = []
    let description: FileDescription
    private let within: [String]
    private let bytes: CountingByteSource?
    private var reader: Reader
    private var document: JSON?
    /// The rows of a document that were not handed out yet, the last first.
    private var waiting: [JSON] = []
    private var place = (line: 1, name: "", handedOut: 0)
    private var isEnded = false

    var bytesRead: Int {
        if case .table(let rows) = reader { return rows.bytesRead }
        return bytes?.count ?? 0
    }

    /// - Parameters:
    ///   - within: members of a document under which rows stand as a list.
    ///   - encoding: that of MARC records, whatever they say; nil: as they say.
    ///   - separator: what stands between columns; nil: what the file shows.
    ///   - sheet: of a spreadsheet; nil: the first one with a header that is known.
    ///   - headerRows: how many rows the header of a table has, 1 or 2; nil: as they show.
    ///   - isHeader: whether a row is the header of a known table.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or is a table without a header.
    init(
        _ file: InputFile, within: [String], encoding: MARCEncoding? = nil, separator: UInt8? = nil,
        sheet: String? = nil, headerRows: Int? = nil, isHeader: (CSVHeader) -> Bool
    ) throws(ImportProblem) {
        self.file = file.name
        self.within = within
        if file.kind.isTable {
            let rows = try TableRows(
                file, separator: separator, sheet: sheet, headerRows: headerRows, isHeader: isHeader)
            headerLine = rows.headerLine
            (header, remarks, description, bytes) = (rows.header, rows.remarks, rows.description, nil)
            reader = .table(rows)
            return
        }
        header = nil
        description = FileDescription(file)
        remarks = file.encodingRemark.map { [$0] } ?? []
        do {
            if file.kind.isMARC {
                let source = CountingByteSource(try FileByteSource(path: file.path))
                bytes = source
                reader = .marc(try MARCReader(source, isXML: file.kind == .marcXML, encoding: encoding))
            } else {
                let (text, count) = try file.text()
                bytes = count
                document = try DocumentSource.wholeDocument(file)
                reader = .json(JSONArrayReader(source: text, skipsByteOrderMark: true))
            }
        } catch {
            throw file.problem("unreadable", "\(error)")
        }
    }

    /// The next row, nil at the end.
    ///
    /// - Throws: ``ImportProblem`` if the file cannot be read on.
    mutating func next() throws -> Row? {
        while true {
            if let row = waiting.popLast() {
                place.handedOut += 1
                return Self.row(row, line: place.line, path: "\(place.name)[\(place.handedOut)]")
            }
            guard var row = try nextOfFile() else { return nil }
            if case .json = reader, case .object(let object)? = row.content, let rows = Self.keyed(object) {
                waiting = rows.reversed()
                place = (row.line, "", 0)
                continue
            }
            guard case .object(let object)? = row.content,
                let name = within.first(where: { object[$0]?.arrayValue != nil }), let list = object[name]?.arrayValue
            else {
                if row.content == nil, row.problems.isEmpty {
                    row.problems = [problem(row.line, nil, "wrong_type", "a record is an object")]
                }
                return row
            }
            waiting = list.reversed()
            place = (row.line, name, 0)
        }
    }

    private static func row(_ json: JSON, line: Int, path: String = "") -> Row {
        Row(content: json.objectValue.map { .object($0) }, line: line, path: path)
    }

    private mutating func nextOfFile() throws -> Row? {
        if let whole = document {
            document = nil
            isEnded = true
            return Self.row(whole, line: 1)
        }
        guard !isEnded else { return nil }
        if case .marc(let records) = reader { return try nextOfMARC(records) }
        do throws(TextError) {
            switch reader {
            case .json(var json):
                defer { reader = .json(json) }
                return try json.next().map { Self.row($0.value, line: $0.line) }
            case .table(var table):
                defer { reader = .table(table) }
                guard let row = try table.next() else { return nil }
                let (record, most) = (row.record, table.header.names.count)
                if record.count <= most {
                    return Row(content: .fields(record.fields), problems: row.remarks, line: record.line)
                }
                let message = "\(record.count) fields, but the header names \(most)"
                return Row(problems: [problem(record.line, nil, "too_many_fields", message)], line: record.line)
            case .marc: return nil
            }
        } catch {
            let problem = problem(error.line, nil, error.code.rawValue, error.message)
            if error.code == .unreadable { throw problem }
            return Row(problems: [problem], line: error.line)
        }
    }

    /// The records of a document that has each under its number, as LibraryThing writes them: `{"101": {…}, "102": {…}}`.
    private static func keyed(_ object: JSONObject) -> [JSON]? {
        guard !object.isEmpty,
            object.entries.allSatisfy({ entry in
                entry.value.objectValue != nil && entry.key.utf8.allSatisfy { (0x30...0x39).contains($0) }
            })
        else { return nil }
        return object.entries.map(\.value)
    }

    private mutating func nextOfMARC(_ given: MARCReader<CountingByteSource>) throws -> Row? {
        var records = given
        defer { reader = .marc(records) }
        guard let item = try records.next() else { return nil }
        let controlNumber = item.controlNumber.map { ", control number \(SafeText.line($0))" }
        let name = "record \(item.number)\(controlNumber ?? "")"
        let problems = item.faults.map { fault in
            ImportProblem(
                file: file, line: fault.line ?? item.number, record: fault.line == nil ? name : nil, field: fault.tag,
                code: fault.code, severity: fault.isFatal ? .error : .warning, message: fault.message)
        }
        // What is handed on is composed as people type it; the record itself stays as it is.
        let row = item.record?.json { text in
            text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
        }
        return Row(
            content: row.map { .object($0) }, problems: problems, line: item.number, record: name,
            source: item.record)
    }

    func problem(_ line: Int, _ field: String?, _ code: String, _ message: String) -> ImportProblem {
        ImportProblem(file: file, line: line, field: field, code: code, severity: .error, message: message)
    }
}
