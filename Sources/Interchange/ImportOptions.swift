/// How to import.
package struct ImportOptions: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case auto, json, csv, bitbooks, textbooksub, texttrader, swag, bookio

        /// The older system whose tables the files are; nil for all other kinds.
        package var system: OlderSystem? { OlderSystem(rawValue: rawValue) }
    }

    package var format: Format
    /// Keeps nothing if any record is rejected.
    package var isStrict: Bool
    /// Does everything and undoes it.
    package var isDryRun: Bool
    package var mapping: ColumnMapping?
    /// Records to a transaction.
    package var batch: Int

    package init(
        format: Format = .auto, isStrict: Bool = false, isDryRun: Bool = false, mapping: ColumnMapping? = nil,
        batch: Int = 500
    ) {
        self.format = format
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.mapping = mapping
        self.batch = batch
    }
}
