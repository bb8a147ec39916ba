import Circulation
import TextFormats

/// A JSON file: an array of objects, one object a line, or one document.
struct DocumentSource: RecordSource {
    private let bytes: CountingByteSource
    private var reader: JSONArrayReader<DecodedByteSource<CountingByteSource>>
    private let file: String
    let description: FileDescription
    private let fields: CustomFields
    private let dates: MemberDates
    /// A document that spans lines, read as a whole.
    private var document: JSON?
    private var isEnded = false
    /// Set by the head of an export: what follows is taken to the letter.
    private var isExact = false
    /// What is to be said of the file, together with its first record.
    private var remark: ImportProblem?

    var bytesRead: Int { bytes.count }

    /// A single document longer than this is not read: long lists belong into arrays or lines of their own.
    static let maximumDocumentLength = 64 << 20

    /// - Parameter given: how dates are read that can be read in two ways, whatever the file shows.
    init(
        _ file: InputFile, _ given: Conventions, fields: CustomFields, currency: Currency
    ) throws(ImportProblem) {
        let conventions = ColumnConventions(file: file.name, given, currency, dates: nil, amounts: []) { take in
            try withoutActuallyEscaping(take) { take in
                let dates = MemberDates { text, member, line in
                    take(member, text, line)
                    return .none
                }
                var source = try DocumentSource(file, dates, fields)
                while try source.next() != nil {}
            }
        }
        try self.init(file, MemberDates { conventions.date($0, in: $1, line: $2) }, fields)
    }

    private init(_ file: InputFile, _ dates: MemberDates, _ fields: CustomFields) throws(ImportProblem) {
        self.fields = fields
        self.dates = dates
        self.file = file.name
        description = FileDescription(file)
        do throws(FileByteSource.Failure) {
            let (text, count) = try file.text()
            bytes = count
            reader = JSONArrayReader(source: text, skipsByteOrderMark: true)
            document = try DocumentSource.wholeDocument(file)
        } catch {
            throw file.problem("unreadable", "\(error)")
        }
        remark = file.encodingRemark
    }

    /// The document in the file, if it is one object over several lines: its first line alone is not JSON.
    static func wholeDocument(_ file: InputFile) throws(FileByteSource.Failure) -> JSON? {
        var source = try file.text().text
        var text: [UInt8] = []
        let portion = 1 << 16
        while text.count <= maximumDocumentLength {
            var read = 0
            var buffer = [UInt8](repeating: 0, count: portion)
            do {
                read = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            } catch {
                return nil
            }
            if read == 0 { break }
            text += buffer[..<read]
            if text.count == read, !looksLikeDocument(text) { return nil }
        }
        guard text.count <= maximumDocumentLength else { return nil }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return try? JSONParser.parse(text.starts(with: mark) ? text.dropFirst(mark.count) : text[...])
    }

    private static func looksLikeDocument(_ start: [UInt8]) -> Bool {
        let text = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        guard text.first == UInt8(ascii: "{") else { return false }
        let firstLine = text.prefix { $0 != 0x0A }
        return (try? JSONParser.parse(Array(firstLine))) == nil
    }

    mutating func next() throws -> ReadRecord? {
        var record = try nextRecord()
        if record != nil, let remark {
            record?.problems.insert(remark, at: 0)
            self.remark = nil
        }
        return record
    }

    private mutating func nextRecord() throws -> ReadRecord? {
        if let whole = document {
            document = nil
            isEnded = true
            return try record(of: whole, line: 1)
        }
        guard !isEnded else { return nil }
        let next: (value: JSON, line: Int)?
        do throws(TextError) {
            next = try reader.next()
        } catch {
            let problem = ImportProblem(
                file: file, line: error.line, code: error.code.rawValue, severity: .error, message: error.message)
            if error.code == .unreadable { throw problem }
            return ReadRecord(records: [], problems: [problem], isRepaired: false, file: file, line: error.line)
        }
        return try next.map { try record(of: $0.value, line: $0.line) }
    }

    /// - Throws: ``ImportProblem`` at a date that can be read in two ways, where nothing says which.
    private mutating func record(of value: JSON, line: Int) throws(ImportProblem) -> ReadRecord {
        func rejected(_ code: String, _ message: String) -> ReadRecord {
            let problem = ImportProblem(file: file, line: line, code: code, severity: .error, message: message)
            return ReadRecord(records: [], problems: [problem], isRepaired: false, file: file, line: line)
        }
        guard let object = value.objectValue else { return rejected("wrong_type", "a record is an object") }
        if let version = object["moonshelf"]?["version"]?.integerValue, version >= 2 { isExact = true }
        var reader = MemberReader(
            object: object, file: file, line: line, isExact: isExact, fields: fields, dates: dates)
        let found = BitBooksTables.records(of: &reader) ?? NativeRecords.records(of: &reader)
        if let stop = dates.stop { throw stop }
        guard let records = found else {
            let members = object.keys.prefix(8).joined(separator: ", ")
            return rejected("unknown_record", "no known kind of record has the members \(members)")
        }
        return ReadRecord(
            records: reader.isRejected ? [] : records, problems: reader.problems, isRepaired: false, file: file,
            line: line, password: reader.password)
    }
}
