package import TextFormats

/// Something that was found in an import, with the place where it stands.
package struct ImportProblem: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        /// The record was not taken.
        case error
        /// The record was taken, with what the message says.
        case warning
    }

    package var file: String
    /// The line on which the record begins, from 1, or the number of a MARC record; 0 where a whole file is meant.
    package var line: Int
    /// What a record is called that has no line of its own: `record 7, control number ocm42`; nil where it has one.
    package var record: String?
    /// The column or member at fault, nil if the whole record is.
    package var field: String?
    /// A stable word: `isbn_check_digit`, `impossible_date` and the like.
    package var code: String
    package var severity: Severity
    package var message: String
    /// The other record that it is about: what it is called, and `file` and `line` where it stands in the same file.
    package var other: JSON?

    /// The shape that programs read.
    package var json: JSON {
        var object: JSONObject = [
            "file": .string(file), "line": .integer(Int64(line)), "field": field.map { .string($0) } ?? .null,
            "code": .string(code), "severity": .string(severity.rawValue), "message": .string(message),
        ]
        object["record"] = record.map { .string($0) }
        object["other"] = other
        return .object(object)
    }
}

extension ImportProblem: CustomStringConvertible {
    /// `books.csv:17: isbn: the check digit of 9780439023482 is wrong`
    package var description: String {
        let place = record.map { "\(file): \($0)" } ?? (line > 0 ? "\(file):\(line)" : file)
        return field.map { "\(place): \($0): \(message)" } ?? "\(place): \(message)"
    }
}

extension ImportProblem {
    /// Columns of a table that are left out since nothing reads them; nil where there are none.
    static func unread(
        _ header: CSVHeader, except read: [String], by reader: String, in file: String, _ line: Int
    ) -> ImportProblem? {
        let known = Set(read.map(CSVHeader.normalized))
        let others = header.names.filter { name in
            FieldText.nonBlank(name) != nil && !known.contains(CSVHeader.normalized(name))
        }
        guard !others.isEmpty else { return nil }
        let more = others.count > 40 ? " and \(others.count - 40) more" : ""
        let names = others.prefix(40).map { "'\($0)'" }.joined(separator: ", ")
        return ImportProblem(
            file: file, line: line, code: "unread_columns", severity: .warning,
            message: "\(reader) does not read \(names)\(more); left out")
    }
}
