/// One record of a CSV file: its fields as text, unquoted, exactly as they stand there.
package struct CSVRecord: Hashable, Sendable {
    package let fields: [String]
    /// The line on which the record begins, from 1. A record with line breaks in quotes covers several.
    package let line: Int

    package init(fields: [String], line: Int) {
        self.fields = fields
        self.line = line
    }

    package var count: Int { fields.count }

    /// The field at `index`, or nil if the record is shorter, as records of real files are.
    package subscript(index: Int) -> String? {
        fields.indices.contains(index) ? fields[index] : nil
    }
}
