package import Circulation
package import Prover

/// The outcome of a set of combinations that nothing distinguishes.
package struct MatrixOutcome: Hashable, Sendable {
    /// Whether something is lent, as far as rows say: surely not, or, if no refusal meets the case, yes.
    package enum Answer: String, Hashable, Sendable {
        case allow, deny
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
        /// `of this title within 28 days`; empty for open loans of any title.
        package var counting: String
        package var condition: MatrixCondition
    }

    /// Rows refuse the cases of which a condition holds.
    package struct Refusal: Hashable, Sendable {
        /// `not_lent`, `no_rule` or `limit`.
        package var code: String
        package var condition: MatrixCondition
    }

    /// What a function decides of the cases of which conditions hold.
    package struct FunctionDecision: Hashable, Sendable {
        package var point: DecisionPoint
        /// nil: it is not known what.
        package var outcome: FunctionOutcomes.Outcome?
        /// Why it is not known.
        package var because: Unsettled?
    }

    package var answer: Answer
    /// The code of the refusal, where it is sure: `not_lent`, `no_rule` or `limit`.
    package var code: String?
    package var refusals: [Refusal]
    /// `max` first, then the fields that any row of the policy sets.
    package var fields: [Field]
    /// All rows of `limits` that apply or may.
    package var limits: [Limit]
    /// What functions decide, in the order of points.
    package var functions: [FunctionDecision] = []

    /// No row sets a loan period or date, so that nothing is lent though no row says so.
    package var isUncovered: Bool { code == "no_rule" }

    package subscript(name: String) -> MatrixValue? { fields.first { $0.name == name }?.value }
}

/// Makes outcomes of what the tables say.
struct OutcomeMaker {
    let tables: CompiledTables
    /// What is known of the functions of rows, at a point.
    var known: (Int, DecisionPoint) -> MatrixCondition? = { _, _ in nil }

    func outcome(_ rows: CombinedRows) -> MatrixOutcome {
        var fields = [MatrixOutcome.Field(name: "max", value: maximum(rows))]
        if let windows = limitsOfWindows(rows) {
            fields.append(MatrixOutcome.Field(name: "max_within", value: windows))
        }
        fields += tables.fieldsInUse.map { name, group in
            MatrixOutcome.Field(name: name, value: value(name, rows.groups[group], tables.groups[group]))
        }
        if let stages = stages(rows) { fields.append(MatrixOutcome.Field(name: "notices", value: stages)) }
        if let ends = membership(rows) { fields.append(MatrixOutcome.Field(name: "membership", value: ends)) }
        let refusals = refusals(rows)
        let sure = refusals.first { $0.condition == .always }
        return MatrixOutcome(
            answer: sure == nil ? .allow : .deny, code: sure?.code, refusals: sure == nil ? refusals : [],
            fields: fields, limits: limits(rows))
    }

    // MARK: - Conditions

    /// What a row asks beyond the combination.
    private func condition(
        _ conditions: RowConditions, _ place: SourcePlace, at point: DecisionPoint
    ) -> MatrixCondition {
        var beyond = conditions.beyond
        beyond.when = nil
        var parts: [MatrixCondition] = beyond == RowConditions() ? [] : [.row(beyond)]
        if let when = conditions.when {
            parts.append(
                known(when, point) ?? .asks(words: "what the row's function says (\(place.file):\(place.line))"))
        }
        return MatrixCondition.every(parts).resolved()
    }

    private func condition(ofRule row: Int, _ group: RuleGroup) -> MatrixCondition {
        condition(tables.source.rules[row].conditions, tables.source.rules[row].place, at: group.point)
    }

    /// What is asked of a case that may get some rows, and where, if anything beyond the combination is.
    func asked(_ rows: CombinedRows) -> [(conditions: RowConditions, point: DecisionPoint)] {
        let rules = zip(rows.groups, tables.groups).flatMap { rows, group in
            rows.possible.map { (tables.source.rules[$0].conditions, group.point) }
        }
        return rules + rows.limits.map { (tables.source.limits[$0.row].conditions, .checkout) }
            + rows.notices.map { (tables.source.notices[$0.row].conditions, .overdue) }
            + rows.membership.possible.map { (tables.source.membership[$0].conditions, .expiry) }
    }

    // MARK: - Fields

    private func value(_ name: String, _ rows: PossibleRows, _ group: RuleGroup) -> MatrixValue {
        let choices = rows.all.map {
            MatrixValue.Choice(row: $0 + 1, value: value(name, row: $0), condition(ofRule: $0, group))
        }
        return .first(of: choices, otherwise: RuleField.named[name]?.standard)
    }

    private func value(_ name: String, row: Int) -> RuleValue? {
        switch tables.source.rules[row].fields[name] {
        case .some(.none): nil
        case .some(let value): value
        case nil: RuleField.named[name]?.standard
        }
    }

    /// The rows of `limits` with when each applies: behind one that is unlimited where that does not.
    private func limits(_ rows: CombinedRows) -> [MatrixOutcome.Limit] {
        var isRead: [MatrixCondition] = []
        var limits: [MatrixOutcome.Limit] = []
        for (row, _) in rows.limits {
            let limit = tables.source.limits[row]
            let owing = limit.debtWords.map { MatrixCondition.asks(words: $0) }
            let rest = condition(limit.conditions, limit.place, at: .checkout)
            let own = MatrixCondition.every([rest] + owing).resolved()
            let applies = MatrixCondition.every([own] + isRead).resolved()
            if applies != .never {
                limits.append(
                    .init(row: row + 1, maximum: limit.maximum, counting: limit.countWords, condition: applies))
            }
            if limit.maximum == nil { isRead.append(.fails(own)) }
        }
        return limits
    }

    /// The strictest of the limits that apply.
    private func maximum(_ rows: CombinedRows) -> MatrixValue {
        let limits = limits(rows).filter { $0.maximum != nil && ($0.counting.isEmpty || $0.maximum == 0) }.sorted {
            ($0.maximum ?? 0, $0.row) < ($1.maximum ?? 0, $1.row)
        }
        let choices = limits.map {
            MatrixValue.Choice(row: $0.row, value: $0.maximum.map { .integer($0) } ?? .unlimited, $0.condition)
        }
        return .first(of: choices, otherwise: .unlimited)
    }

    /// What limits say of titles and of windows, where the policy has any such row, each with when it applies.
    private func limitsOfWindows(_ rows: CombinedRows) -> MatrixValue? {
        guard !tables.source.limits.allSatisfy(\.countsOpenLoans) else { return nil }
        let words = limits(rows).compactMap { limit -> String? in
            guard !limit.counting.isEmpty, let maximum = limit.maximum else { return nil }
            let head = "\(maximum) \(limit.counting)"
            return limit.condition == .always ? head : "\(head) (if \(limit.condition.words))"
        }
        return .value(words.isEmpty ? nil : .text(words.joined(separator: ", ")))
    }

    /// The stages of notices, where the policy has any, each with when it comes.
    private func stages(_ rows: CombinedRows) -> MatrixValue? {
        guard !tables.source.notices.isEmpty else { return nil }
        var stages: [(name: String, condition: MatrixCondition)] = []
        for (row, _) in rows.notices {
            let notice = tables.source.notices[row]
            let own = condition(notice.conditions, notice.place, at: .overdue)
            if let place = stages.firstIndex(where: { $0.name == notice.stage }) {
                stages[place].condition = MatrixCondition.any([stages[place].condition, own]).resolved()
            } else {
                stages.append((notice.stage, own))
            }
        }
        let words = stages.filter { $0.condition != .never }.map { stage in
            stage.condition == .always ? stage.name : "\(stage.name) (if \(stage.condition.words))"
        }
        return .value(words.isEmpty ? nil : .text(words.joined(separator: ", ")))
    }

    /// When memberships end, where the policy says so in rows, each with for whom.
    private func membership(_ rows: CombinedRows) -> MatrixValue? {
        guard !tables.source.membership.isEmpty else { return nil }
        let choices = rows.membership.all.map { row in
            let written = tables.source.membership[row]
            let ages = written.ageWords.map { [MatrixCondition.asks(words: $0)] } ?? []
            let own = condition(written.conditions, written.place, at: .expiry)
            return MatrixValue.Choice(
                row: row + 1, value: .text(written.endWords), MatrixCondition.every([own] + ages).resolved())
        }
        return .first(of: choices, otherwise: nil)
    }

    // MARK: - The answer

    /// When rows refuse, the weightiest first.
    private func refusals(_ rows: CombinedRows) -> [MatrixOutcome.Refusal] {
        let lending = when(.lending, rows, otherwise: false) {
            tables.source.rules[$0].fields["lend"] == .boolean(false)
        }
        let period = when(.period, rows, otherwise: true) {
            value("loan", row: $0) == nil && value("due_at", row: $0) == nil
        }
        func full(_ isMeant: (LimitRow) -> Bool) -> MatrixCondition {
            let limits = limits(rows).filter { $0.maximum == 0 && isMeant(tables.source.limits[$0.row - 1]) }
            return MatrixCondition.any(limits.map(\.condition)).resolved()
        }
        return [
            ("not_lent", lending), ("no_rule", period), ("limit", full { !$0.asksDebts }),
            ("fees_owed", full { $0.asksDebts }),
        ]
        .filter { $0.1 != .never }.map { MatrixOutcome.Refusal(code: $0.0, condition: $0.1) }
    }

    /// When the row that counts of some is one that a test finds.
    ///
    /// - Parameter standard: whether it is so where no row counts.
    private func when(
        _ group: RuleGroup, _ rows: CombinedRows, otherwise standard: Bool, _ isSo: (Int) -> Bool
    ) -> MatrixCondition {
        var before: [MatrixCondition] = []
        var found: [MatrixCondition] = []
        for row in self.group(group, rows).all {
            let own = condition(ofRule: row, group)
            if isSo(row) { found.append(.every([own] + before)) }
            before.append(.fails(own))
        }
        if standard { found.append(.every(before)) }
        return MatrixCondition.any(found).resolved()
    }

    private func group(_ group: RuleGroup, _ rows: CombinedRows) -> PossibleRows {
        tables.groups.firstIndex(of: group).map { rows.groups[$0] } ?? PossibleRows()
    }
}

extension RuleGroup {
    /// Where its functions are asked for what it says.
    package var point: DecisionPoint {
        switch self {
        case .lending, .period, .sameTitle, .free: .checkout
        case .renewal: .renew
        case .fine, .suspension: .fine
        case .hold: .hold
        case .lost: .lost
        case .rental: .price
        }
    }
}

extension LimitRow {
    /// What has to be owed so that the row applies.
    fileprivate var debtWords: [String] {
        let whose = of.map { " by the \($0.rawValue)" } ?? ""
        return [
            owedFor.map { "something is owed for \($0)" }, owed.map { "\($0) or more is owed\(whose)" },
        ].compactMap(\.self)
    }
}
