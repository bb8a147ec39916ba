import TextFormats

/// Which columns of an unknown table stand for which of ours: a mapping file of the first version, in JSON.
/// ``RecordMapping`` is the second.
///
/// ```json
/// { "kind": "titles", "separator": ";", "columns": { "isbn": "ISBN-Nr.", "title": "Titel" },
///   "constants": { "branch": "main" } }
/// ```
package struct ColumnMapping: Hashable, Sendable {
    /// `titles`, `copies`, `patrons` or `loans`.
    package var kind: String
    /// Our name of a column to the file's.
    package var columns: [String: String]
    /// Values that every row gets.
    package var constants: [String: String]
    package var separator: UInt8?

    /// Reads a mapping file.
    ///
    /// - Parameter text: the file's content.
    /// - Throws: ``ImportProblem`` with the line, the member at fault and what was expected there.
    package init(_ text: [UInt8], file: String) throws(ImportProblem) {
        let json: JSON
        do throws(TextError) {
            json = try JSONParser.parse(text)
        } catch {
            throw ImportProblem(
                file: file, line: error.line, code: ColumnMapping.code, severity: .error, message: error.message)
        }
        do throws(Fault) {
            try self.init(json)
        } catch {
            throw ImportProblem(
                file: file, line: JSONMemberLine.of(error.path, in: text) ?? 1,
                field: error.path.isEmpty ? nil : error.path.joined(separator: "."), code: ColumnMapping.code,
                severity: .error, message: error.message)
        }
    }

    private init(_ json: JSON) throws(Fault) {
        guard let object = json.objectValue else {
            throw Fault([], "a mapping is an object with 'kind' and 'columns'")
        }
        for key in object.keys where !ColumnMapping.members.contains(key) {
            throw Fault([key], "unknown member; expected one of \(ColumnMapping.members.joined(separator: ", "))")
        }
        guard let kind = object["kind"]?.stringValue, let columns = ColumnMapping.kinds[kind] else {
            throw Fault(["kind"], "expected one of \(ColumnMapping.kinds.keys.sorted().joined(separator: ", "))")
        }
        self.kind = kind
        self.columns = try ColumnMapping.strings(object["columns"], "columns", of: columns)
        constants = try ColumnMapping.strings(object["constants"], "constants", of: columns)
        guard !self.columns.isEmpty else { throw Fault(["columns"], "name at least one column") }
        if let text = object["separator"] {
            guard let text = text.stringValue, let byte = ColumnMapping.separator(text) else {
                throw Fault(["separator"], ColumnMapping.expectedSeparator)
            }
            separator = byte
        }
    }

    /// The character between columns that a text names; nil: it can be none.
    static func separator(_ text: String) -> UInt8? {
        guard text.utf8.count == 1, let byte = text.utf8.first, !noSeparators.contains(byte) else { return nil }
        return byte
    }

    static let expectedSeparator = "expected one ASCII character that is neither a quote nor a line end"

    private struct Fault: Error {
        let path: [String]
        let message: String

        init(_ path: [String], _ message: String) {
            self.path = path
            self.message = message
        }
    }

    static let code = "bad_mapping"
    private static let members = ["kind", "separator", "columns", "constants"]
    private static let noSeparators = Set("\"\r\n".utf8)

    /// The kinds of record, and the columns of each.
    private static let kinds: [String: [String]] = [
        "titles": TitleTableProfile.columns, "copies": CopyTableProfile.own,
        "patrons": PatronTableProfile.columns, "loans": LoanTableProfile.columns,
    ]

    private static func strings(
        _ json: JSON?, _ member: String, of known: [String]
    ) throws(Fault) -> [String: String] {
        guard let json else { return [:] }
        guard let object = json.objectValue else { throw Fault([member], "expected an object of texts") }
        var result: [String: String] = [:]
        for entry in object {
            guard known.contains(entry.key) else {
                throw Fault([member, entry.key], "no column of ours; expected one of \(known.joined(separator: ", "))")
            }
            guard let text = entry.value.stringValue else { throw Fault([member, entry.key], "expected a text") }
            result[entry.key] = text
        }
        return result
    }

    /// The profile of the mapping's kind.
    var profile: any TableProfile {
        switch kind {
        case "copies": CopyTableProfile()
        case "patrons": PatronTableProfile()
        case "loans": LoanTableProfile()
        default: TitleTableProfile()
        }
    }

    /// The columns that the mapping names and the file lacks.
    func missingColumns(in header: CSVHeader) -> [String] {
        columns.values.filter { header.index(of: $0) == nil }.sorted()
    }

    /// The record as it would stand under our own names.
    func translate(_ record: CSVRecord, header: CSVHeader) -> (header: CSVHeader, record: CSVRecord) {
        var names: [String] = []
        var fields: [String] = []
        for (ours, theirs) in columns.sorted(by: { $0.key < $1.key }) {
            names.append(ours)
            fields.append(header.field(theirs, of: record) ?? "")
        }
        for (ours, value) in constants.sorted(by: { $0.key < $1.key }) where columns[ours] == nil {
            names.append(ours)
            fields.append(value)
        }
        return (
            CSVHeader(CSVRecord(fields: names, line: record.line)), CSVRecord(fields: fields, line: record.line)
        )
    }
}

extension ImportProblem: Error {}
