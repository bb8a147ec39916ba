import TextFormats

/// A header of two rows: the names of groups stand above those of columns, as people merge the cells of a spreadsheet.
///
/// `Borrower,,Loan,` above `Name,Card,Out,Due` calls the columns `Borrower Name`, `Borrower Card`, `Loan Out` and `Loan Due`.
struct GroupedHeader {
    /// What each column is called: its group, a blank, and its own name; where one of the two rows is blank, the other alone.
    private(set) var names: [String] = []
    /// The own names of columns that are called by both rows.
    private(set) var ends: [String?] = []
    /// The column where the group of each column begins; nil for columns without a group.
    private var starts: [Int?] = []

    /// Whether two rows are a header together, as far as they and the rows below them show.
    enum Judgement {
        case no, unclear, yes
    }

    /// Joins two rows: a name of the upper one holds for the columns that its cell spans. Where no cell of the row is known to span several,
    /// it holds for the blank columns to its right, and for those of the same name.
    init(_ above: TableRows.Row, _ below: TableRows.Row) {
        var group: (name: String, start: Int, end: Int?)?
        for column in 0..<max(above.record.count, below.record.count) {
            let upper = above.record[column].flatMap(FieldText.nonBlank)
            let lower = below.record[column].flatMap(FieldText.nonBlank)
            if let upper {
                if group.map({ CSVHeader.normalized($0.name) == CSVHeader.normalized(upper) && $0.end == nil }) != true
                {
                    group = (upper, column, above.spans.isEmpty ? nil : column + (above.spans[column] ?? 1))
                }
            } else if let end = group?.end, column >= end {
                group = nil
            }
            let name = upper == nil && lower == nil ? nil : group?.name
            starts.append(name == nil ? nil : group?.start)
            if let name, let lower, CSVHeader.normalized(name) != CSVHeader.normalized(lower) {
                names.append("\(name) \(lower)")
                ends.append(lower)
            } else {
                names.append(lower ?? name ?? "")
                ends.append(nil)
            }
        }
    }

    /// Whether a name of the upper row stands above several names of the lower one.
    var hasGroups: Bool { !wide.isEmpty }

    /// The groups with several columns that are called by both rows.
    private var wide: Set<Int> {
        var counts: [Int: Int] = [:]
        for (start, end) in zip(starts, ends) where end != nil { if let start { counts[start, default: 0] += 1 } }
        return Set(counts.filter { $0.value > 1 }.keys)
    }

    /// Two rows without a value in them, the upper one with groups, are names where the rows below have values in columns of these groups.
    /// Where the rows below are words too, the second one may be one of them.
    static func judge(_ above: TableRows.Row, _ below: TableRows.Row, _ rest: [TableRows.Row]) -> Judgement {
        let header = GroupedHeader(above, below)
        let wide = header.wide
        let cells = (above.record.fields + below.record.fields).compactMap(FieldText.nonBlank)
        guard !wide.isEmpty, below.record.fields.count(where: { FieldText.nonBlank($0) != nil }) > 1,
            !cells.contains(where: { ColumnContent([$0]).isValue }),
            Set(header.names.filter { !$0.isEmpty }.map(CSVHeader.normalized)).count
                == header.names.count(where: { !$0.isEmpty })
        else { return .no }
        let typed = header.names.indices.filter { column in
            header.ends[column] != nil && ColumnContent(rest.map { $0.record[column] ?? "" }).isValue
        }
        let isUnderGroup = typed.contains { header.starts[$0].map(wide.contains) == true }
        return isUnderGroup && typed.count + wide.count > 2 ? .yes : .unclear
    }

    /// `'Borrower Name', 'Borrower Card', 'Loan Out' …`
    var words: String {
        let shown = names.filter { !$0.isEmpty }
        return shown.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (shown.count > 3 ? " …" : "")
    }
}
