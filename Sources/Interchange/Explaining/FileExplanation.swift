package import Circulation
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
    /// The beginning of a table.
    var head: TableHead?

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

        /// Whether it can be taken for a field: it has a name, and is not one of passwords.
        package var mayBeTaken: Bool { FieldText.nonBlank(name) != nil && !FieldNames.isPassword(name) }
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
    /// What stands in the first rows of a column.
    func content(of column: String) -> ColumnContent {
        let key = CSVHeader.normalized(column)
        let index = head?.names.firstIndex { CSVHeader.normalized($0) == key }
        return index.flatMap { head?.contents[$0] } ?? ColumnContent([])
    }

    /// A date of a column that can be read in two ways, with both; nil: the column says its order itself, or has none.
    package func openDate(in column: String) -> (text: String, readings: [(order: DateOrder, date: CivilDate)])? {
        let content = content(of: column)
        guard content.dates.order == nil else { return nil }
        for text in content.values {
            guard case .open(let readings) = DateOrder.readings(of: text), Set(readings.map(\.value)).count > 1 else {
                continue
            }
            return (text, readings.map { (order: $0.by, date: $0.value) })
        }
        return nil
    }

    /// An amount of a column that can be read in two ways, with both; nil: the column says itself how it is written.
    package func openAmount(
        in column: String, _ currency: Currency
    ) -> (text: String, readings: [(mark: DecimalMark, amount: String)])? {
        var open: (text: String, readings: [(mark: DecimalMark, amount: String)])?
        for text in content(of: column).values {
            guard case .open(let readings) = DecimalMark.readings(of: text, currency) else { continue }
            if Set(readings.map(\.value)).count == 1 { return nil }
            open = open ?? (text, readings.map { (mark: $0.by, amount: $0.value) })
        }
        return open
    }

    /// The first values of a column; none of one of passwords.
    static func samples(of name: String, _ content: ColumnContent) -> [String] {
        FieldNames.isPassword(name) ? [] : Array(content.values.prefix(3))
    }
}
