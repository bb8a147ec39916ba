package import TextFormats

/// What an import would take a file for, shown on its first rows.
package struct FileExplanation: Sendable {
    /// What knows the file.
    package enum Recogniser: String, Sendable {
        /// Written by `export`.
        case export
        /// A kind of table that is known by its header.
        case table
        case plugin, mapping, json, marc
        /// Nothing knows it; what is said of its columns is a proposal.
        case none
    }

    package var file: String
    /// `csv`, `json`, `marc` and the like.
    package var kind: String
    package var recogniser: Recogniser
    /// The kind of table, the plugin's import or the mapping file.
    package var name: String?
    package var why: String
    package var columns: [Column] = []
    package var rows: [Row] = []
    package var problems: [ImportProblem] = []
    /// A mapping file that says the same, for a person to check and to change; nil where the file is no table.
    package var mapping: JSON?

    /// A column of a table, and what it is taken for.
    package struct Column: Sendable {
        /// How sure that is.
        package enum Confidence: String, Sendable {
            /// What knows the file says so.
            case certain
            /// The name says so.
            case likely
            /// A near name or the content says so.
            case possible
            /// Nothing takes it.
            case none
        }

        package var name: String
        /// `patrons.birth_date`; several where one column gives several fields.
        package var fields: [String] = []
        package var confidence = Confidence.none
        package var why = ""
        /// The first values that are not blank.
        package var samples: [String] = []
        /// What is wrong with its values, or can be read in two ways.
        package var problems: [String] = []
    }

    /// One of the first rows, as the records that it would become.
    package struct Row: Sendable {
        package var line: Int
        /// As JSON has records: `{"patron": {…}}`.
        package var records: [JSON]
        package var problems: [ImportProblem]
    }

    /// The shape that programs read.
    package var json: JSON {
        [
            "file": .string(file), "kind": .string(kind), "recognised_by": .string(recogniser.rawValue),
            "name": name.map { .string($0) } ?? .null, "why": .string(why),
            "columns": .array(columns.map(\.json)), "rows": .array(rows.map(\.json)),
            "problems": .array(problems.map(\.json)), "mapping": mapping ?? .null,
        ]
    }
}

extension FileExplanation.Column {
    fileprivate var json: JSON {
        [
            "column": .string(name), "fields": .array(fields.map { .string($0) }),
            "confidence": .string(confidence.rawValue), "why": .string(why),
            "samples": .array(samples.map { .string($0) }), "problems": .array(problems.map { .string($0) }),
        ]
    }
}

extension FileExplanation.Row {
    fileprivate var json: JSON {
        [
            "line": .integer(Int64(line)), "records": .array(records),
            "problems": .array(problems.map(\.json)),
        ]
    }
}

extension FileExplanation {
    /// The first values of a column; none of one of passwords.
    static func samples(of name: String, _ content: ColumnContent) -> [String] {
        FieldNames.isPassword(name) ? [] : Array(content.values.prefix(3))
    }
}
