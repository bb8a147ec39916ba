package import Circulation

extension PolicyMatrix {
    /// Combinations that come to the same in one row: for people.
    package var summary: ReportTable {
        let groups = CombinationGroups(dimensions, cells)
        let names = fieldNames
        var table = ReportTable(columns: columns(names))
        for group in groups.groups {
            let words = groups.words(group)
            table.append(
                row(words.category, words.itemType, words.branch, outcomes[Int(group.id)], names))
        }
        return table
    }

    /// A row for each combination: for spreadsheets.
    package var table: ReportTable {
        let names = fieldNames
        let values = outcomes.map { row("", "", "", $0, names) }
        var table = ReportTable(columns: columns(names))
        for (index, place) in cells.enumerated() {
            var row = values[Int(place)]
            let (category, itemType, branch) = self.names(index)
            row[0] = .text(category)
            row[1] = .text(itemType)
            row[2] = .text(branch)
            table.append(row)
        }
        return table
    }

    private var fieldNames: [String] { outcomes.first?.fields.map(\.name) ?? [] }

    private func columns(_ names: [String]) -> [ReportColumn] {
        (["category", "item_type", "branch", "answer"] + names).map { ReportColumn(name: $0) }
    }

    private func row(
        _ category: String, _ itemType: String, _ branch: String, _ outcome: MatrixOutcome, _ names: [String]
    ) -> [ReportValue] {
        [.text(category), .text(itemType), .text(branch), .text(outcome.code ?? outcome.answer.rawValue)]
            + names.map { name in outcome[name].flatMap { $0 == .value(nil) ? nil : .text($0.words) } ?? .none }
    }

    /// What is wrong with the table, a line each: rows that never match, combinations without a row.
    package var complaints: [String] {
        losing.map(words) + uncoveredWords
    }

    /// `rules row 3 (main.lua:12) never wins: row 1, line 8, goes before it`
    private func words(_ row: LosingRow) -> String {
        let what = row.fields.isEmpty ? "" : row.fields.joined(separator: ", ") + " of "
        let head =
            "\(what)\(row.table.rawValue) row \(row.row) (\(row.place.file):\(row.place.line)) never "
            + (row.fields.isEmpty ? "matches" : "wins")
        if let because = row.because { return "\(head): \(because)" }
        let rows = row.hiddenBy.map { other in
            "row \(other)" + (line(of: other, in: row.table).map { ", line \($0)," } ?? "")
        }
        return "\(head): \(rows.joined(separator: " and ")) \(rows.count == 1 ? "goes" : "go") before it"
    }

    private var uncoveredWords: [String] {
        let groups = CombinationGroups(dimensions, cells)
        return groups.groups.filter { outcomes[Int($0.id)].isUncovered }.map { group in
            let words = groups.words(group)
            return "no row says how long a loan lasts: category \(words.category), item type \(words.itemType),"
                + " branch \(words.branch)"
        }
    }
}

extension MatrixDifference {
    /// What changes, combinations alike in one row: for people.
    package var summary: ReportTable {
        let groups = CombinationGroups(before.dimensions, cells)
        var table = ReportTable(columns: Self.columns)
        for group in groups.groups {
            let words = groups.words(group)
            for change in kinds[Int(group.id)] { table.append(row(words, change)) }
        }
        return table
    }

    /// A row for each change of each combination: for spreadsheets.
    package var table: ReportTable {
        var table = ReportTable(columns: Self.columns)
        for (index, kind) in cells.enumerated() where kind != 0 {
            for change in kinds[Int(kind)] { table.append(row(before.names(index), change)) }
        }
        return table
    }

    private static let columns = ["category", "item_type", "branch", "field", "before", "after"]
        .map { ReportColumn(name: $0) }

    private func row(
        _ names: (category: String, itemType: String, branch: String), _ change: Change
    ) -> [ReportValue] {
        [
            .text(names.category), .text(names.itemType), .text(names.branch), .text(change.field),
            .text(change.before.words), .text(change.after.words),
        ]
    }
}
