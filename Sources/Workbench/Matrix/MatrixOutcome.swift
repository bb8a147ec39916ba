import Circulation

/// The outcome of a set of combinations that no row distinguishes.
package struct MatrixOutcome: Hashable, Sendable {
    /// Whether something is lent.
    package enum Answer: String, Hashable, Sendable {
        case allow, deny, depends
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: MatrixValue
    }

    package struct Limit: Hashable, Sendable {
        /// One-based.
        package var row: Int
        /// nil: unlimited.
        package var maximum: Int64?
        /// Whether the row surely applies.
        package var isCertain: Bool
    }

    package var answer: Answer
    /// The code of the refusal, where it is sure: `not_lent`, `no_rule` or `limit`.
    package var code: String?
    /// `max` first, then the fields that any row of the policy sets.
    package var fields: [Field]
    /// All rows of `limits` that apply or may.
    package var limits: [Limit]
    /// No row sets a loan period or date, so that nothing is lent though no row says so.
    package var isUncovered: Bool

    package subscript(name: String) -> MatrixValue? { fields.first { $0.name == name }?.value }
}

/// Makes outcomes of what the tables say.
struct OutcomeMaker {
    let tables: CompiledTables
    /// The points at which the policy has a function.
    let points: Set<DecisionPoint>

    func outcome(_ rows: CombinedRows) -> MatrixOutcome {
        var fields = [MatrixOutcome.Field(name: "max", value: maximum(rows))]
        fields += tables.fieldsInUse.map { name, group in
            MatrixOutcome.Field(name: name, value: value(name, rows.groups[group]))
        }
        if points.contains(.due) { fields.append(MatrixOutcome.Field(name: "due", value: .depends([]))) }
        let stages = stages(rows)
        if let stages { fields.append(MatrixOutcome.Field(name: "notices", value: stages)) }
        let (answer, code) = answer(rows)
        return MatrixOutcome(
            answer: answer, code: code, fields: fields,
            limits: rows.limits.map { row, isCertain in
                MatrixOutcome.Limit(row: row + 1, maximum: tables.source.limits[row].maximum, isCertain: isCertain)
            }, isUncovered: code == "no_rule")
    }

    // MARK: - Fields

    private func value(_ name: String, _ rows: PossibleRows) -> MatrixValue {
        var choices = rows.all.map { MatrixValue.Choice(row: $0 + 1, value: value(name, row: $0)) }
        if rows.certain == nil && !rows.possible.isEmpty {
            choices.append(.init(row: nil, value: RuleField.named[name]?.standard))
        }
        guard let first = choices.first else { return .value(RuleField.named[name]?.standard) }
        return choices.allSatisfy { $0.value == first.value } ? .value(first.value) : .depends(choices)
    }

    private func value(_ name: String, row: Int) -> RuleValue? {
        switch tables.source.rules[row].fields[name] {
        case .some(.none): nil
        case .some(let value): value
        case nil: RuleField.named[name]?.standard
        }
    }

    /// The strictest limit that surely applies, unless one that may apply is stricter or lifts it.
    private func maximum(_ rows: CombinedRows) -> MatrixValue {
        let sure = rows.limits.filter(\.isCertain).compactMap { tables.source.limits[$0.row].maximum }.min()
        let strictest: RuleValue = sure.map { .integer($0) } ?? .unlimited
        let others = rows.limits.filter { limit in
            guard !limit.isCertain else { return false }
            guard let maximum = tables.source.limits[limit.row].maximum else { return sure != nil }
            return sure.map { maximum < $0 } ?? true
        }
        if others.isEmpty { return .value(strictest) }
        return .depends(
            others.map { limit in
                .init(
                    row: limit.row + 1,
                    value: tables.source.limits[limit.row].maximum.map { .integer($0) } ?? .unlimited)
            } + [.init(row: nil, value: strictest)])
    }

    /// The stages of notices, where the policy has any: those that surely come, or all where that depends.
    private func stages(_ rows: CombinedRows) -> MatrixValue? {
        guard !tables.source.notices.isEmpty else { return nil }
        let all = names(rows.notices.map(\.row))
        let sure = names(rows.notices.filter(\.isCertain).map(\.row))
        if all == sure { return .value(all.isEmpty ? nil : .text(all)) }
        return .depends([.init(row: nil, value: .text(all)), .init(row: nil, value: sure.isEmpty ? nil : .text(sure))])
    }

    private func names(_ rows: [Int]) -> String {
        var seen: Set<String> = []
        return rows.map { tables.source.notices[$0].stage }.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    // MARK: - The answer

    private func answer(_ rows: CombinedRows) -> (MatrixOutcome.Answer, String?) {
        let lending = group(.lending, rows)
        let isLent = lending.all.map { tables.source.rules[$0].fields["lend"] != .boolean(false) }
        if !isLent.isEmpty, lending.certain != nil, !isLent.contains(true) { return (.deny, "not_lent") }
        let period = group(.period, rows)
        let hasPeriod = period.all.map { row in
            value("loan", row: row) != nil || value("due_at", row: row) != nil
        }
        if !hasPeriod.contains(true) { return (.deny, "no_rule") }
        let full = rows.limits.contains { $0.isCertain && tables.source.limits[$0.row].maximum == 0 }
        if full { return (.deny, "limit") }
        let mayBeFull = rows.limits.contains { tables.source.limits[$0.row].maximum == 0 }
        let isOpen =
            isLent.contains(false) || hasPeriod.contains(false) || period.certain == nil || mayBeFull
            || !points.isDisjoint(with: [.request, .checkout])
        return (isOpen ? .depends : .allow, nil)
    }

    private func group(_ group: RuleGroup, _ rows: CombinedRows) -> PossibleRows {
        tables.groups.firstIndex(of: group).map { rows.groups[$0] } ?? PossibleRows()
    }
}
