extension Schema {
    /// Views are made anew by each migration: `report_blocks.ends` is a date there, as it is in the table.
    static let endsOfBlocks = "-- See ReportView."
}
