package import TextFormats

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
    /// Of texts; nil: as they show it.
    package var encoding: TextEncoding?
    /// The sheet of spreadsheets; nil: the first one with a header that is known.
    package var sheet: String?
    /// How many rows the headers of tables have, 1 or 2; nil: as they show.
    package var headerRows: Int?
    /// How dates and amounts are read that can be read in two ways.
    package var conventions: Conventions
    /// How many records are read at once, and at most kept by one transaction.
    package var batch: Int
    /// What becomes of records whose key an earlier record of their file has.
    package var repeated = RepeatedRecords.refuse
    /// Of the loans that come along.
    package var arrivals = ArrivalChoice()
    /// Of passwords in plain text.
    package var passwords = PasswordChoice.reported
    /// Whether what is in the store is counted before and after.
    package var countsStore = false

    package init(
        format: Format = .auto, isStrict: Bool = false, isDryRun: Bool = false, mapping: ColumnMapping? = nil,
        translator: String? = nil, encoding: TextEncoding? = nil, sheet: String? = nil,
        headerRows: Int? = nil, conventions: Conventions = Conventions(), batch: Int = 500
    ) {
        self.headerRows = headerRows
        self.encoding = encoding
        self.sheet = sheet
        self.conventions = conventions
        self.translator = translator
        self.format = format
        self.isStrict = isStrict
        self.isDryRun = isDryRun
        self.mapping = mapping
        self.batch = batch
    }
}

/// What becomes of a record whose key an earlier record of its file has, and that says something else.
package enum RepeatedRecords: String, Hashable, Sendable, CaseIterable {
    /// It is refused, with the place of the earlier one.
    case refuse
    /// It changes the earlier one.
    case update
}
