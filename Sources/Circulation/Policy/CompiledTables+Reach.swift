/// A row, or some fields of it, that can never win, and the row that always goes before it.
package struct HiddenRow: Hashable, Sendable {
    package var table: PolicyTable
    /// Zero-based.
    package var row: Int
    /// The fields that can never win, by name; empty: the whole row.
    package var fields: [String]
    /// The zero-based rows that hide it, in the order in which they are written.
    package var hiddenBy: [Int]
}

extension CompiledTables {
    /// The rows and fields that can never win, whatever the case: a row before them in reading order, or in the order of
    /// `match`, meets every case that they meet and sets the same group. In `limits`, rows behind one that is unlimited.
    ///
    /// Rows are compared one by one; a row that only several others together hide is not found. A row with a `when`
    /// function hides nothing.
    package func hiddenRows() -> [HiddenRow] {
        (hiddenLimits() + hiddenRules()).sorted { ($0.table.rawValue, $0.row) < ($1.table.rawValue, $1.row) }
    }

    private func hiddenLimits() -> [HiddenRow] {
        source.limits.indices.compactMap { row in
            let hiding = source.limits[..<row].indices.first {
                source.limits[$0].maximum == nil
                    && source.limits[$0].conditions.meetsAll(of: source.limits[row].conditions)
            }
            return hiding.map { HiddenRow(table: .limits, row: row, fields: [], hiddenBy: [$0]) }
        }
    }

    private func hiddenRules() -> [HiddenRow] {
        order.indices.compactMap { position -> HiddenRow? in
            let row = order[position]
            let names = source.rules[row].fields.keys.sorted()
            var hiding: [Int: [String]] = [:]
            for name in names {
                guard let group = groups.firstIndex(of: RuleField.named[name]?.group ?? .free(name)),
                    let other = (0..<position).first(where: { hides($0, position, group: group) })
                else { continue }
                hiding[order[other], default: []].append(name)
            }
            let hidden = hiding.values.flatMap { $0 }
            if names.isEmpty || hidden.isEmpty { return nil }
            return HiddenRow(
                table: .rules, row: row, fields: hidden.count == names.count ? [] : hidden.sorted(),
                hiddenBy: hiding.keys.sorted())
        }
    }

    private func hides(_ other: Int, _ position: Int, group: Int) -> Bool {
        setters[group].contains(other)
            && source.rules[order[other]].conditions.meetsAll(of: source.rules[order[position]].conditions)
    }
}

extension RowConditions {
    /// Whether every case that meets the other conditions surely meets these too.
    package func meetsAll(of other: RowConditions) -> Bool {
        when == nil && RowConditions.contains(categories, other.categories)
            && RowConditions.contains(itemTypes, other.itemTypes) && RowConditions.contains(branches, other.branches)
            && RowConditions.contains(copyBranches, other.copyBranches)
            && RowConditions.contains(homeBranches, other.homeBranches)
            && RowConditions.contains(channels, other.channels) && (onSite == nil || onSite == other.onSite)
    }

    private static func contains(_ wide: [String]?, _ narrow: [String]?) -> Bool {
        guard let wide else { return true }
        return narrow?.allSatisfy(wide.contains) ?? false
    }
}
