import Circulation
import Prover

/// The rows of two tables that may set a group for one and the same case, with values that differ.
///
/// Of rows that both tables have in the same order, with the same conditions and values, nothing is to be asked.
struct RowPairs {
    struct Pair: Hashable {
        /// Zero-based; nil: no row sets the group.
        let one: Int?
        let other: Int?
    }

    private let one: CompiledTables
    private let other: CompiledTables
    private let deadline: ContinuousClock.Instant
    private let conditions: Numbers<RowConditions>
    private let values = Numbers<[String: RuleValue]>()
    /// The conditions of each row of either table, by number.
    private let oneRows: [Int]
    private let otherRows: [Int]
    private let always: Int

    init(_ one: CompiledTables, _ other: CompiledTables, until deadline: ContinuousClock.Instant) {
        (self.one, self.other, self.deadline) = (one, other, deadline)
        let conditions = Numbers<RowConditions>()
        oneRows = one.source.rules.map { conditions.number(of: $0.conditions.sorted) }
        otherRows = other.source.rules.map { conditions.number(of: $0.conditions.sorted) }
        always = conditions.number(of: RowConditions())
        self.conditions = conditions
    }

    /// Values by the number in which they were first met.
    private final class Numbers<Element: Hashable> {
        private var numbers: [Element: Int] = [:]

        func number(of element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
    }

    /// The rows that set a group, as far as they can win: of two with the same conditions the first, none behind one without.
    private struct List: Equatable {
        var conditions: [Int] = []
        var values: [Int] = []
        var rows: [Int?] = []

        static func == (left: List, right: List) -> Bool {
            left.conditions == right.conditions && left.values == right.values
        }
    }

    private func list(_ group: RuleGroup, _ tables: CompiledTables, _ numbers: [Int]) -> List {
        var list = List()
        var seen: Set<Int> = []
        for row in tables.rows(setting: group) where seen.insert(numbers[row]).inserted {
            list.conditions.append(numbers[row])
            list.values.append(values.number(of: tables.source.rules[row].meaning(of: group)))
            list.rows.append(row)
            if numbers[row] == always { return list }
        }
        list.conditions.append(always)
        list.values.append(values.number(of: [:]))
        list.rows.append(nil)
        return list
    }

    /// nil: it was not found out in time.
    func pairs(of group: RuleGroup) -> [Pair]? {
        let (left, right) = (list(group, one, oneRows), list(group, other, otherRows))
        if left == right { return [] }
        let places = Self.places(left.conditions)
        let otherPlaces = Self.places(right.conditions)
        // Where each row of the other table stands in this one; behind all, if nowhere.
        let standing = right.conditions.map { places[$0] ?? left.conditions.count }
        var latest: [Int] = []
        for place in standing { latest.append(max(latest.last ?? -1, place)) }
        var pairs: [Pair] = []
        for (place, condition) in left.conditions.enumerated() {
            if place & 63 == 0, ContinuousClock.now > deadline { return nil }
            // The row with the same conditions decides at the latest.
            let last = otherPlaces[condition] ?? right.conditions.count - 1
            func add(_ otherPlace: Int) {
                if left.values[place] != right.values[otherPlace] {
                    pairs.append(Pair(one: left.rows[place], other: right.rows[otherPlace]))
                }
            }
            if last > 0, latest[last - 1] >= place {
                for otherPlace in 0..<last where standing[otherPlace] >= place { add(otherPlace) }
            }
            if standing[last] >= place { add(last) }
        }
        return pairs
    }

    private static func places(_ conditions: [Int]) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: conditions.enumerated().map { ($1, $0) })
    }
}

extension RuleRow {
    /// The fields of a group that say something else than if they were not there.
    func meaning(of group: RuleGroup) -> [String: RuleValue] {
        values(of: group).filter { name, value in
            let standard = RuleField.named[name]?.standard
            return value == .none ? standard != nil : value != standard
        }
    }
}

extension RowConditions {
    /// With the codes of each condition in order, since theirs does not matter.
    fileprivate var sorted: RowConditions {
        RowConditions(
            categories: categories?.sorted(), itemTypes: itemTypes?.sorted(), branches: branches?.sorted(),
            copyBranches: copyBranches?.sorted(), homeBranches: homeBranches?.sorted(),
            locations: locations?.sorted(), onSite: onSite, channels: channels?.sorted(), when: when)
    }
}
