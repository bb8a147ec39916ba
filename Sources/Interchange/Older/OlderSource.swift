import TextFormats

/// A file of an older system: a JSON array, one object a line, `{"results": […]}` as Bookio answers, `{"Items": […]}` as
/// its database gives Text Trader's, or CSV with a header. Names of members are compared without regard to case.
struct OlderSource: RecordSource {
    private enum Rows {
        case json(JSONArrayReader<CountingByteSource>)
        case csv(CSVReader<CountingByteSource>, CSVHeader)
    }

    private let system: OlderSystem
    private let file: String
    private let bytes: CountingByteSource
    private var rows: Rows
    /// A document that spans lines, read as a whole.
    private var document: JSON?
    /// The rows of an answer that were not handed out yet, the last first, and where they stand.
    private var waiting: [JSON] = []
    private var lineOfWaiting = 1
    private var nameOfWaiting = ""
    private var rowsHandedOut = 0
    private var isEnded = false
    /// Where a record of this identity stood first; digests, so that long fields cost no memory.
    private var seen: [String: String] = [:]

    var bytesRead: Int { bytes.count }

    /// - Throws: ``ImportProblem`` if the file cannot be read, or is a table without a header.
    init(path: String, system: OlderSystem, isTable: Bool) throws(ImportProblem) {
        self.system = system
        file = path
        do throws(FileByteSource.Failure) {
            bytes = CountingByteSource(try FileByteSource(path: path))
            document = isTable ? nil : try DocumentSource.wholeDocument(path: path)
        } catch {
            throw ImportProblem(file: path, line: 0, code: "unreadable", severity: .error, message: "\(error)")
        }
        guard isTable else {
            rows = .json(JSONArrayReader(source: bytes, skipsByteOrderMark: true))
            return
        }
        var reader = CSVReader(source: bytes, separator: nil)
        do throws(TextError) {
            guard let first = try reader.next() else {
                throw TextError(
                    .syntax, "the file is empty; a header with names of columns is expected", line: 1, column: 1,
                    offset: 0)
            }
            rows = .csv(reader, CSVHeader(first))
        } catch {
            throw ImportProblem(
                file: path, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
        }
    }

    mutating func next() throws -> ReadRecord? {
        while true {
            if let row = waiting.popLast() {
                rowsHandedOut += 1
                return record(of: row, line: lineOfWaiting, path: "\(nameOfWaiting)[\(rowsHandedOut)]")
            }
            guard let (value, line) = try nextValue() else { return nil }
            if let problem = value.problem { return rejected(problem) }
            let json = value.json
            nameOfWaiting = json["results"] == nil ? "Items" : "results"
            guard let list = json[nameOfWaiting]?.arrayValue else { return record(of: json, line: line) }
            waiting = list.reversed()
            (lineOfWaiting, rowsHandedOut) = (line, 0)
        }
    }

    /// A value of the file, or what is wrong with it.
    private struct Value {
        var json: JSON = .null
        var problem: ImportProblem?
    }

    private mutating func nextValue() throws -> (Value, line: Int)? {
        if let whole = document {
            document = nil
            isEnded = true
            return (Value(json: whole), 1)
        }
        guard !isEnded else { return nil }
        do throws(TextError) {
            switch rows {
            case .json(var reader):
                defer { rows = .json(reader) }
                guard let (value, line) = try reader.next() else { return nil }
                return (Value(json: value), line)
            case .csv(var reader, let header):
                defer { rows = .csv(reader, header) }
                guard let row = try reader.next() else { return nil }
                var object = JSONObject()
                for name in header.names { object[name] = header.field(name, of: row).map { .string($0) } }
                guard row.count <= header.names.count else {
                    let message = "\(row.count) fields, but the header names \(header.names.count)"
                    return (Value(problem: problem(row.line, nil, "too_many_fields", message)), row.line)
                }
                return (Value(json: .object(object)), row.line)
            }
        } catch {
            let problem = problem(error.line, nil, error.code.rawValue, error.message)
            if error.code == .unreadable { throw problem }
            return (Value(problem: problem), error.line)
        }
    }

    private func problem(_ line: Int, _ field: String?, _ code: String, _ message: String) -> ImportProblem {
        ImportProblem(file: file, line: line, field: field, code: code, severity: .error, message: message)
    }

    private func rejected(_ problem: ImportProblem) -> ReadRecord {
        ReadRecord(records: [], problems: [problem], isRepaired: false, file: file, line: problem.line)
    }

    /// - Parameter path: of a row of an answer within its line: `results[3]`.
    private mutating func record(of value: JSON, line: Int, path: String = "") -> ReadRecord {
        let field = path.isEmpty ? nil : path
        guard let given = value.objectValue else {
            return rejected(problem(line, field, "wrong_type", "a record is an object"))
        }
        var object = JSONObject()
        for entry in given { object[entry.key.lowercased()] = OlderSource.plain(entry.value) }
        guard let table = system.table(of: Set(object.keys)) else {
            let members = given.keys.prefix(8).joined(separator: ", ")
            let message = "no table of \(system.rawValue) has the members \(members)"
            return rejected(problem(line, field, "unknown_record", message))
        }
        if let identity = OlderSystem.identity(of: table, object) {
            let digest = SHA256.hexadecimal(of: identity.utf8)
            if let first = seen[digest] {
                return rejected(
                    problem(line, field, "duplicate_record", "the same record stands at \(first) already"))
            }
            seen[digest] = field ?? "line \(line)"
        }
        var reader = MemberReader(object: object, file: file, line: line, path: path)
        let records = OlderRecords.records(of: &reader, in: table)
        return ReadRecord(
            records: reader.isRejected ? [] : records, problems: reader.problems, isRepaired: false, file: file,
            line: line)
    }

    /// A value as the exports of DynamoDB wrap it: `{"S": "Dune"}`, `{"N": "4.50"}`.
    private static func plain(_ value: JSON) -> JSON {
        guard let object = value.objectValue, object.keys.count == 1, let kind = object.keys.first,
            ["S", "N", "BOOL", "NULL"].contains(kind), let inner = object[kind]
        else { return value }
        return kind == "NULL" ? .null : inner
    }
}
