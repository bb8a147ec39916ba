package import TextFormats

/// Which columns of an unknown table stand for which of ours: a mapping file, in JSON.
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

    /// Reads a mapping.
    ///
    /// - Throws: ``ImportProblem`` with the member at fault.
    package init(_ json: JSON, file: String) throws(ImportProblem) {
        func fail(_ field: String?, _ message: String) -> ImportProblem {
            ImportProblem(
                file: file, line: 0, field: field, code: "bad_mapping", severity: .error, message: message)
        }
        guard let object = json.objectValue else { throw fail(nil, "a mapping is an object with 'kind' and 'columns'") }
        for key in object.keys where !["kind", "columns", "constants", "separator"].contains(key) {
            throw fail(key, "unknown member; expected kind, columns, constants or separator")
        }
        guard let kind = object["kind"]?.stringValue, ColumnMapping.kinds.contains(kind) else {
            throw fail("kind", "expected one of \(ColumnMapping.kinds.joined(separator: ", "))")
        }
        self.kind = kind
        columns = try ColumnMapping.strings(object["columns"], "columns", fail)
        constants = try ColumnMapping.strings(object["constants"], "constants", fail)
        guard !columns.isEmpty else { throw fail("columns", "name at least one column") }
        if let text = object["separator"] {
            guard let byte = text.stringValue?.utf8.first, text.stringValue?.utf8.count == 1 else {
                throw fail("separator", "expected one ASCII character")
            }
            separator = byte
        }
    }

    package static let kinds = ["titles", "copies", "patrons", "loans"]

    private static func strings(
        _ json: JSON?, _ field: String, _ fail: (String?, String) -> ImportProblem
    ) throws(ImportProblem) -> [String: String] {
        guard let json else { return [:] }
        guard let object = json.objectValue else { throw fail(field, "expected an object of texts") }
        var result: [String: String] = [:]
        for entry in object {
            guard let text = entry.value.stringValue else {
                throw fail("\(field).\(entry.key)", "expected a text")
            }
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
