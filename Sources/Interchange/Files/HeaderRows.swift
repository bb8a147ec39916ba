import Sheets
import TextFormats

/// Finds the header among the first rows of a table, and of how many rows it is.
struct HeaderRows {
    /// Where the header begins.
    struct Place {
        let index: Int
        /// With the row below it.
        var joined: GroupedHeader?
        /// How the rows were read, where they may be read otherwise.
        var remark: (code: String, message: String)?
    }

    /// A row, or why it cannot be read.
    typealias Outcome = Result<TableRows.Row, TextError>

    /// How many rows it has, 1 or 2; nil: as they show.
    let given: Int?
    /// How many columns the cells of a row span, by its number, where that stands apart from the rows.
    let spans: (Int) throws(SheetFault) -> [Int: Int]

    /// The header of a known table that ends with the last of these rows: that row, or the two last ones.
    func known(_ rows: [Outcome], _ isHeader: (CSVHeader) -> Bool) throws(SheetFault) -> Place? {
        guard case .success(let row)? = rows.last else { return nil }
        if given != 2, isHeader(CSVHeader(row.record)) { return Place(index: rows.count - 1) }
        guard given != 1, rows.count > 1, case .success(let above) = rows[rows.count - 2] else { return nil }
        let joined = GroupedHeader(try spanned(above, row), row)
        return isHeader(joined.header(line: above.record.line)) ? Place(index: rows.count - 2, joined: joined) : nil
    }

    /// Where the header begins, and what is to be said of that: the known one, or else the first row with more than one cell.
    func place(_ rows: [Outcome], known: Place?) throws(SheetFault) -> Place {
        if var known {
            known.remark =
                if let joined = known.joined { twoRows(joined, rows, known.index) } else {
                    try groups(rows, above: known.index)
                }
            return known
        }
        let first = rows.firstIndex(where: Self.hasNames) ?? 0
        guard given != 1 else { return Place(index: first) }
        guard let pair = try pair(rows, first) else {
            return Place(index: first, remark: try groups(rows, above: first))
        }
        let joined = GroupedHeader(pair.above, pair.below)
        if given == 2 {
            return joined.hasGroups || first == 0 ? Place(index: first, joined: joined) : try upper(rows, first)
        }
        switch GroupedHeader.judge(pair.above, pair.below, Self.rows(rows.dropFirst(first + 2))) {
        case .yes:
            return Place(index: first, joined: joined, remark: twoRows(joined, rows, first))
        case .unclear:
            let (line, next) = (pair.above.record.line, pair.below.record.line)
            let message =
                "line \(next) may be a second row of the header in line \(line); it is read as data;"
                + " --header-rows 2 makes names of both (\(joined.words)), --header-rows 1 says that it is data"
            return Place(index: first, remark: ("header_rows", message))
        case .no: return Place(index: first, remark: try groups(rows, above: first))
        }
    }

    /// A header of two rows that ends with this one.
    private func upper(_ rows: [Outcome], _ index: Int) throws(SheetFault) -> Place {
        guard let pair = try pair(rows, index - 1) else { return Place(index: index) }
        return Place(index: index - 1, joined: GroupedHeader(pair.above, pair.below))
    }

    private func twoRows(_ joined: GroupedHeader, _ rows: [Outcome], _ index: Int) -> (String, String)? {
        guard given == nil else { return nil }
        let lines = Self.rows(rows[index...].prefix(2)).map { "\($0.record.line)" }.joined(separator: " and ")
        return (
            "two_row_header",
            "the header has two rows, lines \(lines): \(joined.words); --header-rows 1 takes one row alone"
        )
    }

    /// That names of groups stand above a header that is read without them.
    private func groups(_ rows: [Outcome], above index: Int) throws(SheetFault) -> (String, String)? {
        guard given == nil, index > 0, let pair = try pair(rows, index - 1),
            // A heading stands in the first column, alone.
            Self.hasNames(rows[index - 1]) || pair.above.record.fields.first.flatMap(FieldText.nonBlank) == nil,
            GroupedHeader.judge(pair.above, pair.below, Self.rows(rows.dropFirst(index + 1))) != .no
        else { return nil }
        let joined = GroupedHeader(pair.above, pair.below)
        return (
            "group_row",
            "line \(pair.above.record.line) may have names of groups for the names in line \(pair.below.record.line);"
                + " it is passed over; --header-rows 2 makes names of both (\(joined.words))"
        )
    }

    private func pair(
        _ rows: [Outcome], _ index: Int
    ) throws(SheetFault) -> (above: TableRows.Row, below: TableRows.Row)? {
        guard index >= 0, index + 1 < rows.count, case .success(let above) = rows[index],
            case .success(let below) = rows[index + 1]
        else { return nil }
        return (try spanned(above, below), below)
    }

    /// The row with what its cells span. That is looked up for rows alone that seem to have groups.
    private func spanned(_ above: TableRows.Row, _ below: TableRows.Row) throws(SheetFault) -> TableRows.Row {
        guard above.spans.isEmpty, GroupedHeader(above, below).hasGroups else { return above }
        var above = above
        above.spans = try spans(above.record.line)
        return above
    }

    private static func rows(_ outcomes: some Sequence<Outcome>) -> [TableRows.Row] {
        outcomes.compactMap { try? $0.get() }
    }

    /// Whether it is more than a heading.
    private static func hasNames(_ outcome: Outcome) -> Bool {
        guard case .success(let row) = outcome else { return false }
        return row.record.fields.count { FieldText.nonBlank($0) != nil } > 1
    }
}

extension GroupedHeader {
    /// The names as a header that begins in a line.
    func header(line: Int) -> CSVHeader { CSVHeader(CSVRecord(fields: names, line: line)) }
}
