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
    /// A row that only several others together hide is not found. A row with a `when`
    /// function hides nothing.
    package func hiddenRows() -> [HiddenRow] {
        (hiddenLimits() + hiddenRules() + hiddenMembership())
            .sorted { ($0.table.rawValue, $0.row) < ($1.table.rawValue, $1.row) }
    }

    private func hiddenLimits() -> [HiddenRow] {
        source.limits.indices.compactMap { row in
            let hiding = rows(covering: row, in: .limits).first {
                $0 < row && source.limits[$0].maximum == nil && !source.limits[$0].asksDebts
            }
            return hiding.map { HiddenRow(table: .limits, row: row, fields: [], hiddenBy: [$0]) }
        }
    }

    private func hiddenRules() -> [HiddenRow] {
        order.indices.compactMap { position -> HiddenRow? in
            let row = order[position]
            let names = source.rules[row].fields.keys.sorted()
            let covering = rules.rows(covering: source.rules[row].conditions)
            var hiding: [Int: [String]] = [:]
            for name in names {
                guard let group = groups.firstIndex(of: RuleField.named[name]?.group ?? .free(name)),
                    let other = covering.firstCommon(with: setters[group]), other < position
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

    /// The zero-based rows of a table that match wherever one of it does, in the order in which they are written; itself,
    /// if it has no `when`.
    package func rows(covering row: Int, in table: PolicyTable) -> [Int] {
        switch table {
        case .limits: limits.rows(covering: source.limits[row].conditions).positions
        case .notices: notices.rows(covering: source.notices[row].conditions).positions
        case .membership: membership.rows(covering: source.membership[row].conditions).positions
        case .rules: rules.rows(covering: source.rules[row].conditions).positions.map { order[$0] }.sorted()
        }
    }
}
