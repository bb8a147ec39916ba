package import TextFormats

/// What an import found a file to be.
package struct FileDescription: Hashable, Sendable {
    package var file: String
    /// `csv`, `json`, `marc`, `marcxml`, `xlsx`, `ods`, `spreadsheetml` or `html`.
    package var kind: String
    /// Of a text.
    package var encoding: String?
    /// What stands between the columns of a CSV file.
    package var separator: String?
    /// Of a spreadsheet.
    package var sheet: String?
    /// The kind of table; nil where records say themselves what they are.
    package var table: String?
    /// Where the header stands.
    package var headerLine: Int?
    /// How many rows the header has, 1 or 2.
    package var headerRows: Int?

    init(_ file: InputFile, table: String? = nil) {
        self.file = file.name
        kind = file.kind.rawValue
        encoding = file.kind.isSpreadsheet || file.kind.isMARC ? nil : file.encoding.rawValue
        self.table = table
    }

    /// The shape that programs read.
    package var json: JSON {
        [
            "file": .string(file), "kind": .string(kind), "encoding": encoding.map { .string($0) } ?? .null,
            "separator": separator.map { .string($0) } ?? .null, "sheet": sheet.map { .string($0) } ?? .null,
            "table": table.map { .string($0) } ?? .null,
            "header_line": headerLine.map { .integer(Int64($0)) } ?? .null,
            "header_rows": headerRows.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension FileDescription: CustomStringConvertible {
    /// `books.dat: xlsx, sheet "Books", table of titles`
    package var description: String {
        var words = [kind == "csv" && separator == "\t" ? "tsv" : kind]
        if let encoding, encoding != TextEncoding.utf8.rawValue { words.append(encoding) }
        if let separator, separator != ",", separator != "\t" { words.append("separator \(separator)") }
        if let sheet { words.append("sheet \"\(sheet)\"") }
        if headerRows == 2 { words.append("header of two rows") }
        if let table {
            words.append(kind.hasPrefix("marc") || kind == "json" ? "records of \(table)" : "table of \(table)")
        }
        return "\(file): \(words.joined(separator: ", "))"
    }
}
