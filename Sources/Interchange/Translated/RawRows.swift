import TextFormats

/// The rows of a file as they stand in it: a table with a header, a JSON array, an object a line, or one document that has them as a
/// list.
struct RawRows {
    /// A row, or what is wrong with it.
    struct Row {
        var content: Content?
        var problem: ImportProblem?
        var line: Int
        /// Where it stands within its line: `results[3]`.
        var path = ""
    }

    enum Content {
        case fields([String])
        case object(JSONObject)
    }

    private enum Reader {
        case json(JSONArrayReader<CountingByteSource>)
        case csv(CSVReader<DecodedByteSource<CountingByteSource>>)
    }

    let file: String
    /// The columns of a table; nil for JSON.
    let header: CSVHeader?
    /// What is to be said of the file, together with its first row.
    private(set) var remarks: [ImportProblem] = []
    private let within: [String]
    private let bytes: CountingByteSource
    private var reader: Reader
    private var document: JSON?
    /// The rows of a document that were not handed out yet, the last first.
    private var waiting: [JSON] = []
    private var place = (line: 1, name: "", handedOut: 0)
    private var isEnded = false

    var bytesRead: Int { bytes.count }

    /// - Parameter within: members of a document under which rows stand as a list.
    /// - Throws: ``ImportProblem`` if the file cannot be read, or is a table without a header.
    init(path: String, isTable: Bool, within: [String]) throws(ImportProblem) {
        file = path
        self.within = within
        let encoding: TextEncoding
        do {
            encoding = isTable ? try TextEncoding.of(file: path) : .utf8
            bytes = CountingByteSource(try FileByteSource(path: path))
            document = isTable ? nil : try DocumentSource.wholeDocument(path: path)
        } catch {
            throw ImportProblem(file: path, line: 0, code: "unreadable", severity: .error, message: "\(error)")
        }
        guard isTable else {
            reader = .json(JSONArrayReader(source: bytes, skipsByteOrderMark: true))
            header = nil
            return
        }
        var table = CSVReader(source: DecodedByteSource(bytes, from: encoding), separator: nil)
        do throws(TextError) {
            guard let first = try table.next() else {
                throw TextError(
                    .syntax, "the file is empty; a header with names of columns is expected", line: 1, column: 1,
                    offset: 0)
            }
            let header = CSVHeader(first)
            self.header = header
            reader = .csv(table)
            remarks = Self.remarks(header, encoding, file: path, line: first.line)
        } catch {
            throw ImportProblem(
                file: path, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
        }
    }

    private static func remarks(
        _ header: CSVHeader, _ encoding: TextEncoding, file: String, line: Int
    ) -> [ImportProblem] {
        func remark(_ field: String?, _ code: String, _ message: String) -> ImportProblem {
            ImportProblem(file: file, line: line, field: field, code: code, severity: .warning, message: message)
        }
        let repeated = header.repeatedNames.compactMap(FieldText.nonBlank).map {
            remark($0, "repeated_column", "the column stands more than once; the first is read")
        }
        return encoding == .windows1252
            ? [remark(nil, "encoding", "the file is not UTF-8; it is read as Windows-1252")] + repeated : repeated
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
            guard case .object(let object)? = row.content,
                let name = within.first(where: { object[$0]?.arrayValue != nil }), let list = object[name]?.arrayValue
            else {
                if row.content == nil, row.problem == nil {
                    row.problem = problem(row.line, nil, "wrong_type", "a record is an object")
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
        do throws(TextError) {
            switch reader {
            case .json(var json):
                defer { reader = .json(json) }
                return try json.next().map { Self.row($0.value, line: $0.line) }
            case .csv(var table):
                defer { reader = .csv(table) }
                guard let record = try table.next() else { return nil }
                let most = header?.names.count ?? 0
                if record.count <= most { return Row(content: .fields(record.fields), line: record.line) }
                return Row(
                    problem: problem(
                        record.line, nil, "too_many_fields", "\(record.count) fields, but the header names \(most)"),
                    line: record.line)
            }
        } catch {
            let problem = problem(error.line, nil, error.code.rawValue, error.message)
            if error.code == .unreadable { throw problem }
            return Row(problem: problem, line: error.line)
        }
    }

    func problem(_ line: Int, _ field: String?, _ code: String, _ message: String) -> ImportProblem {
        ImportProblem(file: file, line: line, field: field, code: code, severity: .error, message: message)
    }
}
