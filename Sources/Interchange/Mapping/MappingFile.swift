import TextFormats

/// A mapping file of one of the two versions.
package enum MappingFile: Hashable, Sendable {
    case columns(ColumnMapping)
    case records(RecordMapping)

    /// Reads a mapping file.
    ///
    /// - Throws: ``ImportProblem`` with the line, the member at fault and what was expected there.
    package init(_ text: [UInt8], file: String) throws(ImportProblem) {
        self =
            RecordMapping.isOne(text)
            ? .records(try RecordMapping(text, file: file)) : .columns(try ColumnMapping(text, file: file))
    }
}
