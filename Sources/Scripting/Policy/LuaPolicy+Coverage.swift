package import Circulation

/// A row of a policy's tables, by its zero-based place.
package struct PolicyTableRow: Hashable, Sendable {
    package let table: PolicyTable
    package let row: Int

    package init(table: PolicyTable, row: Int) {
        self.table = table
        self.row = row
    }
}

extension LuaPolicy {
    /// The rows that had a part in a decision: those of `rules` that set a group of fields, those of `limits` that refused
    /// or let the case have any number of loans, those of `notices` whose stage was reached, that of
    /// `membership` that held.
    package func rows(deciding decision: Decision, of question: Case) -> Set<PolicyTableRow> {
        var rows: Set<PolicyTableRow> = []
        for row in decision.rule?.rows.values.map({ $0 }) ?? [] {
            rows.insert(PolicyTableRow(table: .rules, row: row))
        }
        let effects = decision.effects.map { effect -> RuleOrigin? in
            if case .notice(let order) = effect { order.origin } else { nil }
        }
        let reasons = decision.refusal?.reasons.map(\.origin) ?? []
        for origin in reasons + effects {
            if let table = origin?.table, let row = origin?.row {
                rows.insert(PolicyTableRow(table: table, row: row - 1))
            }
        }
        if let origin = decision.membership?.origin, let row = origin.row, origin.table == .membership {
            rows.insert(PolicyTableRow(table: .membership, row: row - 1))
        }
        if question.point == .checkout, decision.answer != .failed, let row = unlimitedLimit(for: question) {
            rows.insert(PolicyTableRow(table: .limits, row: row))
        }
        return rows
    }

    private func unlimitedLimit(for question: Case) -> Int? {
        defer { endQuestion() }
        return try? tables.unlimitedLimit(for: question) { try condition($0, question) }
    }
}
