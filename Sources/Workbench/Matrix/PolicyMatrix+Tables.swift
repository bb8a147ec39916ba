package import Circulation
import Prover

extension PolicyMatrix {
    /// Combinations that come to the same in one row: for people.
    package var summary: ReportTable {
        // What functions decide stands in a table of its own.
        let groups = groups(alikeBy: outcomes.map(\.ofTables))
        let names = fieldNames
        var table = ReportTable(columns: columns(names))
        for group in groups.groups {
            let words = groups.words(group)
            table.append(
                row(words.category, words.itemType, words.branch, outcomes[Int(group.id)], names))
        }
        return table
    }

    /// Combinations whose outcomes are alike; the number of a group is the place of one of its outcomes.
    ///
    /// - Parameter looks: what of each outcome is looked at.
    private func groups<Look: Hashable>(alikeBy looks: [Look]) -> CombinationGroups {
        var places: [Look: Int32] = [:]
        for (place, look) in looks.enumerated() where places[look] == nil { places[look] = Int32(clamping: place) }
        let alike = looks.map { places[$0] ?? 0 }
        return CombinationGroups(dimensions, cells.map { alike[Int($0)] })
    }

    /// A row for each combination: for spreadsheets.
    package var table: ReportTable {
        let names = fieldNames
        let hasFunctions = outcomes.contains { !$0.functions.isEmpty }
        let values = outcomes.map { outcome in
            row("", "", "", outcome, names)
                + (hasFunctions ? [outcome.functionWords().map { .text($0) } ?? .none] : [])
        }
        var table = ReportTable(columns: columns(names) + (hasFunctions ? [ReportColumn(name: "functions")] : []))
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
        [.text(category), .text(itemType), .text(branch), .text(outcome.answerWords)]
            + names.map { name in outcome[name].flatMap { $0 == .value(nil) ? nil : .text($0.words) } ?? .none }
    }

    /// What functions decide of combinations, a row for each outcome with its condition; what is not known of them, and why.
    package var decisions: ReportTable {
        var table = ReportTable(
            columns: ["category", "item_type", "branch", "point", "where", "decides"].map { ReportColumn(name: $0) })
        guard outcomes.contains(where: { !$0.functions.isEmpty }) else { return table }
        let groups = groups(alikeBy: outcomes.map(\.functions))
        for group in groups.groups {
            let names = groups.words(group)
            for decision in outcomes[Int(group.id)].functions {
                let conditions = decision.outcome?.conditions.map(\.words) ?? []
                table.append([
                    .text(names.category), .text(names.itemType), .text(names.branch),
                    .text(decision.point.rawValue), .text(conditions.joined(separator: " and ")),
                    .text(decision.words),
                ])
            }
        }
        return table
    }

    /// What is wrong with the table, a line each: rows that never match, combinations without a row, answers that no case of
    /// any combination gets.
    package var complaints: [String] {
        losing.map(words) + uncoveredWords
            + unreached.map { answer in
                "\(answer.point.rawValue) (\(answer.file):\(answer.line)): no combination comes to this answer"
            }
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

extension MatrixOutcome {
    /// Without what functions decide.
    fileprivate var ofTables: MatrixOutcome {
        var copy = self
        copy.functions = []
        return copy
    }

    /// `allow; not_lent if channel web`
    var answerWords: String {
        ([code ?? answer.rawValue] + refusals.map { "\($0.code) if \($0.condition.words)" }).joined(separator: "; ")
    }
}

extension MatrixOutcome {
    /// `checkout: refused, fees_owed if `patron.fees_owed` >= 10.00 EUR; ...`; nil: functions decide nothing.
    ///
    /// - Parameter withPlaces: whether it is said where they are in the files.
    func functionWords(withPlaces: Bool = true) -> String? {
        let words = functions.map { decision in
            let conditions = (decision.outcome?.conditions ?? []).map(\.words)
            return "\(decision.point.rawValue): \(withPlaces ? decision.words : decision.wordsWithoutPlace)"
                + (conditions.isEmpty ? "" : " if \(conditions.joined(separator: " and "))")
        }
        return words.isEmpty ? nil : words.sorted().joined(separator: "; ")
    }
}

extension ReportTable {
    /// The first rows alone.
    package func first(_ count: Int) -> ReportTable {
        rows.count <= count ? self : ReportTable(title: title, columns: columns, rows: Array(rows.prefix(count)))
    }
}

extension MatrixOutcome.FunctionDecision {
    fileprivate var words: String {
        because.map { "unknown: \($0.file):\($0.line): \($0.message)" } ?? outcome?.words ?? ""
    }

    fileprivate var wordsWithoutPlace: String {
        if let because { return "unknown: \(because.message)" }
        return switch outcome?.answer {
        case .value(nil): "a value that is reckoned"
        case .fails(let code): "fails (\(code))"
        default: words
        }
    }
}
