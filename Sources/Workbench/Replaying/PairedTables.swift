import Circulation
import Prover

/// The tables of two policies, read for one and the same case.
struct PairedTables {
    private let one: CompiledTables
    private let other: CompiledTables
    /// Whether the `when` functions of the one are those of the other, one by one.
    private let hasSameConditions: Bool
    /// What each row says of a group, by number; rows of either table that say the same have the same one.
    private let values: [RuleGroup: (one: [Int], other: [Int])]
    private let haveSameLimitRows: Bool

    init(_ one: CompiledTables, _ other: CompiledTables, hasSameConditions: Bool) {
        (self.one, self.other, self.hasSameConditions) = (one, other, hasSameConditions)
        var numbers: [[String: RuleValue]: Int] = [:]
        func number(_ row: RuleRow, _ group: RuleGroup) -> Int {
            let said = row.values(of: group)
            if let known = numbers[said] { return known }
            numbers[said] = numbers.count
            return numbers.count - 1
        }
        var values: [RuleGroup: (one: [Int], other: [Int])] = [:]
        for group in one.groups + other.groups where values[group] == nil {
            values[group] = (
                one.source.rules.map { number($0, group) }, other.source.rules.map { number($0, group) }
            )
        }
        self.values = values
        haveSameLimitRows = one.source.limits.map(\.withoutPlace) == other.source.limits.map(\.withoutPlace)
    }

    /// Whether the rows that hold for a case say the same of some groups; nil: of all.
    func haveSameRules(_ question: Case, _ groups: Set<RuleGroup>?) -> Bool {
        if groups?.isEmpty ?? false { return true }
        return isSame { tables, isOther, when in
            let rule = try tables.matchedRule(for: question, when: when)
            var said: [RuleGroup: Int] = [:]
            for (group, rows) in values where groups?.contains(group) ?? true {
                if let row = rule.row(setting: group) { said[group] = isOther ? rows.other[row] : rows.one[row] }
            }
            return said
        }
    }

    /// Whether the same limits leave no room for one more loan.
    func haveSameLimits(_ question: Case) -> Bool {
        haveSameLimitRows
            || isSame { tables, _, when in
                try tables.limitsExceeded(for: question, when: when).map { [$0.count, $0.maximum] }
            }
    }

    /// Whether the same notices are to be sent.
    func haveSameNotices(_ question: Case) -> Bool {
        isSame { tables, _, when in
            try tables.noticesDue(for: question, when: when).map { notice in
                var notice = notice
                notice.origin = nil
                return notice
            }
        }
    }

    /// Whether no notice of either asks a function.
    var haveNoticesOfTablesAlone: Bool {
        (one.source.notices + other.source.notices).allSatisfy { $0.conditions.when == nil }
    }

    /// Whether a notice may be due by the first.
    func mayHaveNotices(_ question: Case) -> Bool {
        var depends = false
        let due = try? one.noticesDue(for: question) { _ in
            depends = true
            return false
        }
        return depends || !(due?.isEmpty ?? false)
    }

    // MARK: - Conditions that are functions

    /// So many of them may matter to one case.
    private static let mostConditions = 6

    private typealias Reading<Result> = (CompiledTables, _ isOther: Bool, WhenCondition) throws -> Result

    /// Whether both read alike, whatever comes of the `when` functions that are asked: they are the same in both,
    /// and both ask the same ones, any of which may also fail.
    private func isSame<Result: Equatable>(_ known: [Int: Bool] = [:], _ read: Reading<Result>) -> Bool {
        var asked: (one: Set<Int>, other: Set<Int>) = ([], [])
        let left = try? read(one, false) { condition in
            asked.one.insert(condition)
            return known[condition] ?? false
        }
        let right = try? read(other, true) { condition in
            asked.other.insert(condition)
            return known[condition] ?? false
        }
        guard let left, let right, asked.one == asked.other else { return false }
        guard let open = asked.one.first(where: { known[$0] == nil }) else { return left == right }
        guard hasSameConditions, known.count < Self.mostConditions else { return false }
        return [false, true].allSatisfy { holds in
            isSame(known.merging([open: holds]) { first, _ in first }, read)
        }
    }
}

extension LimitRow {
    fileprivate var withoutPlace: LimitRow {
        var row = self
        row.place = SourcePlace(file: "", line: 0)
        return row
    }
}
