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
    /// Which conditions a case can meet together, by the codes that there are.
    private let together: JointConditions

    /// - Parameter codes: as the library has them.
    init(
        _ one: CompiledTables, _ other: CompiledTables, _ codes: ProofDomain.Codes,
        until deadline: ContinuousClock.Instant
    ) {
        (self.one, self.other, self.deadline) = (one, other, deadline)
        let conditions = Numbers<RowConditions>()
        var together = JointConditions(codes)
        oneRows = one.source.rules.map { conditions.number(of: $0.conditions.sorted) }
        otherRows = other.source.rules.map { conditions.number(of: $0.conditions.sorted) }
        always = conditions.number(of: RowConditions())
        self.conditions = conditions
        for (number, rule) in zip(oneRows, one.source.rules) { together.add(rule.conditions, number) }
        for (number, rule) in zip(otherRows, other.source.rules) { together.add(rule.conditions, number) }
        together.add(RowConditions(), always)
        self.together = together
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
                if left.values[place] != right.values[otherPlace],
                    together.canBeMet(condition, right.conditions[otherPlace])
                {
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

/// Which conditions of rows one and the same case can meet, as far as the codes say that the library has.
private struct JointConditions {
    /// Of categories, item types or branches.
    private struct Part {
        /// The chains of codes that cases have; nil where any may be.
        let chains: [[String]]?
        /// The sets of codes that conditions ask for, by number.
        var numbers: [[String]?: Int] = [:]
        /// Which chains have a code of each; nil: of all cases.
        var members: [Set<Int>?] = []
        /// Whether a chain has a code of either of two sets.
        var meetings: [[Bool]] = []

        init(_ tree: [String: [String]]?) { chains = tree?.map { [$0.key] + $0.value } }

        mutating func number(of codes: [String]?) -> Int {
            if let known = numbers[codes] { return known }
            let own: Set<Int>? = codes.flatMap { codes in
                chains.map { chains in
                    Set(chains.indices.filter { index in codes.contains(where: chains[index].contains) })
                }
            }
            members.append(own)
            let row = members.map { other in
                guard let own, let other else { return true }
                return !own.isDisjoint(with: other)
            }
            for index in meetings.indices { meetings[index].append(row[index]) }
            meetings.append(row)
            numbers[codes] = numbers.count
            return numbers.count - 1
        }
    }

    private var parts: [Part]
    /// By the number of conditions, the numbers of the sets that they ask for, part by part; nil where that was not said.
    private var sets: [[Int]?] = []

    init(_ codes: ProofDomain.Codes) { parts = [codes.categories, codes.itemTypes, codes.branches].map(Part.init) }

    mutating func add(_ conditions: RowConditions, _ number: Int) {
        while sets.count <= number { sets.append(nil) }
        if sets[number] != nil { return }
        let asked = [conditions.categories, conditions.itemTypes, conditions.branches]
        sets[number] = parts.indices.map { parts[$0].number(of: asked[$0]) }
    }

    /// Whether a case can meet both.
    func canBeMet(_ one: Int, _ other: Int) -> Bool {
        guard let left = sets[one], let right = sets[other] else { return true }
        for part in left.indices where !parts[part].meetings[left[part]][right[part]] { return false }
        return true
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
