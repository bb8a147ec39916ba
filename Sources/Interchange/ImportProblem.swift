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

    /// The shape that programs read.
    package var json: JSON {
        var object: JSONObject = [
            "file": .string(file), "line": .integer(Int64(line)), "field": field.map { .string($0) } ?? .null,
            "code": .string(code), "severity": .string(severity.rawValue), "message": .string(message),
        ]
        object["record"] = record.map { .string($0) }
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
