/// Which rows a combination of category, item type and branch may get, where the rest of a case is not known.
package struct PossibleRows: Hashable, Sendable {
    /// The zero-based row that surely matches, the first of its kind; nil where none does.
    package var certain: Int?
    /// The rows before it that may match: they ask a function, or for what the combination does not say, such as the
    /// channel or the patron's home branch.
    package var possible: [Int]

    package init(certain: Int? = nil, possible: [Int] = []) {
        self.certain = certain
        self.possible = possible
    }

    /// All rows that may win, in the order in which they are read.
    package var all: [Int] { possible + (certain.map { [$0] } ?? []) }
}

/// What a policy's tables may come to for combinations that no row distinguishes.
package struct CombinedRows: Hashable, Sendable {
    /// For each of ``CompiledTables/groups`` the rows that may set it.
    package var groups: [PossibleRows]
    /// For each group the rows that match and surely lose to the certain one.
    package var beaten: [[Int]]
    /// The rows of `limits` that apply or may apply, in order, and whether that is sure.
    package var limits: [(row: Int, isCertain: Bool)] {
        zip(limitRows, certainLimits).map { ($0, $1) }
    }
    /// The rows of `limits` behind one that is surely unlimited.
    package var beatenLimits: [Int]
    /// The rows of `notices` that apply or may apply, and whether that is sure.
    package var notices: [(row: Int, isCertain: Bool)] {
        zip(noticeRows, certainNotices).map { ($0, $1) }
    }

    /// The rows of `membership` that may hold, and those that surely lose to the certain one.
    package var membership: PossibleRows
    package var beatenMembership: [Int]

    var limitRows: [Int]
    var certainLimits: [Bool]
    var noticeRows: [Int]
    var certainNotices: [Bool]
}

/// Reads a policy's tables for combinations of category, item type and branch, each a code with its ancestors.
///
/// What rows ask beyond these three stays open. Combinations that no row distinguishes share one answer, so that a
/// hundred thousand of them cost little.
package struct CombinationReader {
    private let tables: CompiledTables
    private let rules: ConditionIndex
    private let limits: ConditionIndex
    private let notices: ConditionIndex
    private let membership: ConditionIndex
    private let isCertainRule: [Bool]
    private var known: [Key: Int] = [:]
    /// The answers so far; ``answer(_:_:_:)`` gives places among them.
    package private(set) var answers: [CombinedRows] = []

    private struct Key: Hashable {
        var rules: RowSet
        var limits: RowSet
        var notices: RowSet
        var membership: RowSet
        /// Where rows are weighed by how near the type is that they name.
        var itemTypes: [String]
    }

    /// The rows that one value of one condition lets pass.
    package struct Passing {
        fileprivate var rules: RowSet
        fileprivate var limits: RowSet
        fileprivate var notices: RowSet
        fileprivate var membership: RowSet
        fileprivate var chain: [String]
    }

    package init(_ tables: CompiledTables) {
        self.tables = tables
        let ordered = tables.order.map { tables.source.rules[$0].conditions }
        rules = ConditionIndex(ordered.map(\.ofCombination))
        limits = ConditionIndex(tables.source.limits.map(\.conditions.ofCombination))
        notices = ConditionIndex(tables.source.notices.map(\.conditions.ofCombination))
        membership = ConditionIndex(tables.source.membership.map(\.conditions.ofCombination))
        isCertainRule = ordered.map(\.asksCombinationOnly)
    }

    package func passing(category chain: [String]) -> Passing { passing(chain) { $0.rows(ofCategories: $1) } }
    package func passing(itemType chain: [String]) -> Passing { passing(chain) { $0.rows(ofItemTypes: $1) } }
    package func passing(branch chain: [String]) -> Passing { passing(chain) { $0.rows(ofBranches: $1) } }

    private func passing(_ chain: [String], _ rows: (ConditionIndex, [String]) -> RowSet) -> Passing {
        Passing(
            rules: rows(rules, chain), limits: rows(limits, chain), notices: rows(notices, chain),
            membership: rows(membership, chain), chain: chain)
    }

    /// The place of the answer for a combination among ``answers``.
    package mutating func answer(_ category: Passing, _ itemType: Passing, _ branch: Passing) -> Int {
        var key = Key(
            rules: category.rules, limits: category.limits, notices: category.notices,
            membership: category.membership,
            itemTypes: tables.weighsItemTypes && itemType.chain.count > 1 ? itemType.chain : [])
        key.rules.formIntersection(itemType.rules)
        key.rules.formIntersection(branch.rules)
        key.limits.formIntersection(itemType.limits)
        key.limits.formIntersection(branch.limits)
        key.notices.formIntersection(itemType.notices)
        key.notices.formIntersection(branch.notices)
        key.membership.formIntersection(branch.membership)
        if let place = known[key] { return place }
        answers.append(combined(key))
        known[key] = answers.count - 1
        return answers.count - 1
    }

    private func combined(_ key: Key) -> CombinedRows {
        var positions = key.rules.positions
        if !key.itemTypes.isEmpty { positions = tables.positions(positions, byImportanceFor: key.itemTypes) }
        var groups: [PossibleRows] = []
        var beaten: [[Int]] = []
        for setters in tables.setters {
            var rows = PossibleRows()
            var lost: [Int] = []
            for position in positions where setters.contains(position) {
                let row = tables.order[position]
                if rows.certain != nil {
                    lost.append(row)
                } else if isCertainRule[position] {
                    rows.certain = row
                } else {
                    rows.possible.append(row)
                }
            }
            groups.append(rows)
            beaten.append(lost)
        }
        let (limitRows, certainLimits, beatenLimits) = limits(key.limits)
        let notices = key.notices.positions
        let (membership, beatenMembership) = membership(key.membership)
        return CombinedRows(
            groups: groups, beaten: beaten, beatenLimits: beatenLimits, membership: membership,
            beatenMembership: beatenMembership, limitRows: limitRows,
            certainLimits: certainLimits, noticeRows: notices,
            certainNotices: notices.map { tables.source.notices[$0].conditions.asksCombinationOnly })
    }

    private func membership(_ passing: RowSet) -> (rows: PossibleRows, beaten: [Int]) {
        var rows = PossibleRows()
        var beaten: [Int] = []
        for row in passing.positions {
            let written = tables.source.membership[row]
            if rows.certain != nil {
                beaten.append(row)
            } else if written.conditions.asksCombinationOnly && !written.mayBePassedOver {
                rows.certain = row
            } else {
                rows.possible.append(row)
            }
        }
        return (rows, beaten)
    }

    /// Up to a row that is surely unlimited.
    private func limits(_ passing: RowSet) -> (rows: [Int], isCertain: [Bool], beaten: [Int]) {
        var rows: [Int] = []
        var certain: [Bool] = []
        var beaten: [Int] = []
        var isOver = false
        for row in passing.positions {
            let limit = tables.source.limits[row]
            if isOver {
                beaten.append(row)
                continue
            }
            rows.append(row)
            certain.append(limit.asksCombinationOnly)
            isOver = limit.maximum == nil && limit.asksCombinationOnly
        }
        return (rows, certain, beaten)
    }
}

extension RowConditions {
    /// Those conditions that a combination of category, item type and branch decides.
    fileprivate var ofCombination: RowConditions {
        RowConditions(categories: categories, itemTypes: itemTypes, branches: branches)
    }

    /// What else is asked.
    package var beyond: RowConditions {
        var others = self
        (others.categories, others.itemTypes, others.branches) = (nil, nil, nil)
        return others
    }

    /// Whether nothing else is asked.
    package var asksCombinationOnly: Bool {
        copyBranches == nil && homeBranches == nil && locations == nil && onSite == nil && channels == nil
            && when == nil
    }
}

extension PolicyTables {
    /// The conditions of the rows of all tables, as written.
    package var allConditions: [RowConditions] {
        limits.map(\.conditions) + rules.map(\.conditions) + notices.map(\.conditions) + membership.map(\.conditions)
    }
}
