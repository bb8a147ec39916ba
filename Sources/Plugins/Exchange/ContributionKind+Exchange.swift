import Interchange
import LuaSyntax
import MARC
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
            .init("columns", .texts), .init("within", .text), .init(encoding, .text),
            .init(write, .function, isRequired: true),
        ],
        argument: { entry, _, _ in
            FieldTree(["each": .leaf, "leave_out": .leaf, entry.hasRows ? "put" : "text": .leaf])
        },
        problem: { entry in
            guard !entry.name.contains("/"), !entry.name.hasPrefix("."), entry.name.contains(".") else {
                return
                    "the name of an export is that of its file: something.json, something.csv, something.mrc or something.txt"
            }
            if let given = entry.values[encoding]?.stringValue {
                let known = [MARCEncoding.utf8, .marc8].map(\.rawValue)
                guard entry.marcForm == .binary, known.contains(given) else {
                    return "'encoding' is said of a file in .mrc: \(known.joined(separator: " or "))"
                }
            }
            if entry.isTable, entry.ranges["columns"] == nil { return "an export of a table says its 'columns'" }
            guard entry.isTable || entry.values["columns"] == nil && entry.values["within"] == nil else {
                return "'columns' and 'within' are said of a file in .csv or .json; 'out.text' writes into others"
            }
            return nil
        })

    static let recognise = "is"
    static let record = "record"
    static let write = "write"
    static let encoding = "encoding"
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
    /// Whether what it writes are rows, and not a text as the plugin has it.
    var isTable: Bool { name.hasSuffix(".csv") || name.hasSuffix(".json") }
    /// What MARC records are written as; nil: the file holds none.
    var marcForm: MARCForm? { name.hasSuffix(".mrc") ? .binary : name.hasSuffix(".marcxml") ? .xml : nil }
    /// Whether what is written are rows or records, and not a text as the plugin has it.
    var hasRows: Bool { isTable || marcForm != nil }
}
