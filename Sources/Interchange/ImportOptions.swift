/// How to import.
package struct ImportOptions: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case auto, json, csv, bitbooks
    }

    package var format: Format
    /// Keeps nothing if any record is rejected.
    package var isStrict: Bool
    /// Does everything and undoes it.
    package var isDryRun: Bool
    package var mapping: ColumnMapping?
    /// The translator of the files; nil: as ``format`` says.
    package var translator: String?
    /// How many records are read at once, and at most kept by one transaction.
    package var batch: Int

    package init(
        format: Format = .auto, isStrict: Bool = false, isDryRun: Bool = false, mapping: ColumnMapping? = nil,
        translator: String? = nil, batch: Int = 500
    ) {
        self.translator = translator
        self.format = format
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.mapping = mapping
        self.batch = batch
    }
}
