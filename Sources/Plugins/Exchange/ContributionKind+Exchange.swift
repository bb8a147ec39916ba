import Interchange
import TextFormats

extension ContributionKind {
    /// Tables of others that the library takes in. `is` is asked whether a file is such a table; `record` makes records of a row.
    package static let imports = ContributionKind(
        "imports", "an import", .list(named: "name"),
        [
            .init("files", .texts), .init("has", .texts), .init("lacks", .texts), .init("key", .texts),
            .init("within", .texts), .init("first", .flag), .init("columns", .names), .init(recognise, .function),
            .init(record, .function, isRequired: true),
        ],
        problem: { entry in
            for column in entry.values["columns"]?.objectValue ?? [:] {
                guard TranslatedColumn(column.key, column.value.stringValue ?? "") != nil else {
                    return "the column '\(SafeText.line(column.key))' says \(TranslatedColumn.expected)"
                }
            }
            return nil
        })

    /// Tables of others that are written: each is a file of its name.
    package static let exports = ContributionKind(
        "exports", "an export", .list(named: "name"),
        [
            .init("columns", .texts, isRequired: true), .init("within", .text),
            .init(write, .function, isRequired: true),
        ],
        problem: { entry in
            let isFile = [".json", ".csv"].contains { entry.name.hasSuffix($0) } && !entry.name.contains("/")
            return isFile ? nil : "the name of an export is that of its file: something.json or something.csv"
        })

    static let recognise = "is"
    static let record = "record"
    static let write = "write"
}

extension Contribution {
    /// The table that an import says it reads.
    var table: TranslatedTable {
        TranslatedTable(
            name: name, files: texts("files"), has: texts("has"), lacks: texts("lacks"), key: texts("key"),
            within: texts("within"),
            columns: (values["columns"]?.objectValue ?? [:]).compactMap {
                TranslatedColumn($0.key, $0.value.stringValue ?? "")
            },
            isAsked: has(ContributionKind.recognise), isFirst: values["first"]?.boolValue ?? false)
    }

    /// The columns that an export says it writes.
    var columns: [String] { texts("columns") }
}
