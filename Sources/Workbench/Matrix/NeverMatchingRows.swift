import Circulation

/// Finds the rows, and fields of rows, that win for no combination.
struct NeverMatchingRows {
    private let tables: CompiledTables
    private let answers: [CombinedRows]
    private let dimensions: MatrixDimensions
    /// What a row, or rows, hide whatever the combinations are.
    private let hidden: [HiddenRow]

    init(_ tables: CompiledTables, _ answers: [CombinedRows], _ dimensions: MatrixDimensions) {
        self.tables = tables
        self.answers = answers
        self.dimensions = dimensions
        hidden = tables.hiddenRows()
    }

    var found: [PolicyMatrix.LosingRow] { limits + rules + notices + membership }

    // MARK: - Limits and notices

    private var limits: [PolicyMatrix.LosingRow] {
        let read = Set(answers.flatMap { $0.limits.map(\.row) })
        return tables.source.limits.indices.filter { !read.contains($0) }.map { row in
            let before = answers.filter { $0.beatenLimits.contains(row) }.compactMap { $0.limits.last?.row }
            let limit = tables.source.limits[row]
            return losing(.limits, row, limit.place, Set(before), limit.conditions)
        }
    }

    private var notices: [PolicyMatrix.LosingRow] {
        let read = Set(answers.flatMap { $0.notices.map(\.row) })
        return tables.source.notices.indices.filter { !read.contains($0) }.map { row in
            losing(.notices, row, tables.source.notices[row].place, [], tables.source.notices[row].conditions)
        }
    }

    private var membership: [PolicyMatrix.LosingRow] {
        let read = Set(answers.flatMap(\.membership.all))
        return tables.source.membership.indices.filter { !read.contains($0) }.map { row in
            let before = answers.filter { $0.beatenMembership.contains(row) }.compactMap(\.membership.certain)
            let written = tables.source.membership[row]
            return losing(.membership, row, written.place, Set(before), written.conditions)
        }
    }

    // MARK: - Rules

    private var rules: [PolicyMatrix.LosingRow] {
        var winners = Array(repeating: Set<Int>(), count: tables.groups.count)
        var beaten: [[Int: Set<Int>]] = Array(repeating: [:], count: tables.groups.count)
        for answer in answers {
            for group in tables.groups.indices {
                winners[group].formUnion(answer.groups[group].all)
                guard let winner = answer.groups[group].certain else { continue }
                for row in answer.beaten[group] { beaten[group][row, default: []].insert(winner) }
            }
        }
        return tables.source.rules.indices.compactMap { row in
            let groups = tables.groupsSet(by: row)
            let lost = groups.filter { !winners[$0].contains(row) }
            guard !lost.isEmpty else { return nil }
            let hiding = lost.reduce(into: Set<Int>()) { $0.formUnion(beaten[$1][row] ?? []) }
            let rule = tables.source.rules[row]
            var losing = losing(.rules, row, rule.place, hiding, rule.conditions)
            if lost.count < groups.count {
                losing.fields = rule.fields.keys.filter { name in lost.contains { tables.sets(name, group: $0) } }
                    .sorted()
                if let place = losing.fields.first.flatMap({ rule.fieldPlaces[$0] }) { losing.place = place }
            }
            return losing
        }
    }

    private func losing(
        _ table: PolicyTable, _ row: Int, _ place: SourcePlace, _ beating: Set<Int>, _ conditions: RowConditions
    ) -> PolicyMatrix.LosingRow {
        // Where fewer rows are enough to hide it, the others that beat it here or there say nothing.
        let enough = hidden.first { $0.table == table && $0.row == row && $0.fields.isEmpty }?.hiddenBy
        let hiding = enough.map { Set($0) } ?? beating
        return PolicyMatrix.LosingRow(
            table: table, row: row + 1, fields: [], place: place, hiddenBy: hiding.sorted().map { $0 + 1 },
            because: hiding.isEmpty ? mismatch(conditions) : nil)
    }

    /// Which condition no value of the dimensions meets.
    private func mismatch(_ conditions: RowConditions) -> String {
        let asked: [(String, [String]?, [[String]])] = [
            ("category", conditions.categories, dimensions.categories),
            ("item type", conditions.itemTypes, dimensions.itemTypes),
            ("branch", conditions.branches, dimensions.branches),
        ]
        for (name, wanted, values) in asked {
            guard let wanted, !values.contains(where: { $0.contains(where: wanted.contains) }) else { continue }
            return "there is no \(name) \(wanted.joined(separator: " or "))"
        }
        return "no combination meets its conditions"
    }
}

extension CompiledTables {
    /// The places of the groups that a row of `rules` sets any field of.
    fileprivate func groupsSet(by row: Int) -> [Int] {
        groups.indices.filter { index in source.rules[row].fields.keys.contains { sets($0, group: index) } }
    }

    fileprivate func sets(_ name: String, group: Int) -> Bool {
        groups[group] == RuleField.named[name]?.group ?? .free(name)
    }
}
