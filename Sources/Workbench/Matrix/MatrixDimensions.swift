package import Circulation
import Prover

/// The values of the three conditions whose combinations a matrix shows, each with its ancestors, the value itself first.
package struct MatrixDimensions: Hashable, Sendable {
    package var categories: [[String]]
    package var itemTypes: [[String]]
    package var branches: [[String]]

    /// Whether ``other`` stands for all values that a policy does not name; otherwise it is a value like others.
    package private(set) var isOpen = false

    /// What stands for all values that a policy does not name.
    package static let other = "other"

    package init(categories: [[String]], itemTypes: [[String]], branches: [[String]]) {
        self.categories = categories
        self.itemTypes = itemTypes
        self.branches = branches
    }

    /// The values that policies name themselves, in order of their first appearance, and ``other``.
    package init(namedBy tables: [PolicyTables]) {
        let conditions = tables.flatMap(\.allConditions)
        func named(_ values: (RowConditions) -> [String]?) -> [[String]] {
            var seen: Set<String> = []
            let found = conditions.flatMap { values($0) ?? [] }.filter { seen.insert($0).inserted }
            return (found.filter { $0 != Self.other } + [Self.other]).map { [$0] }
        }
        self.init(
            categories: named(\.categories), itemTypes: named(\.itemTypes),
            branches: named(\.branches))
        isOpen = true
    }

    /// Adds values that functions name, before ``other``.
    mutating func add(categories: Set<String>, itemTypes: Set<String>, branches: Set<String>) {
        func add(_ words: Set<String>, to chains: inout [[String]]) {
            let new = words.sorted().map { [$0] }.filter { !chains.contains($0) && $0 != [Self.other] }
            chains.insert(contentsOf: new, at: chains.count - 1)
        }
        add(categories, to: &self.categories)
        add(itemTypes, to: &self.itemTypes)
        add(branches, to: &self.branches)
    }

    /// The codes of a combination, for what functions make of it.
    func codes(_ chain: [String]) -> [String] { isOpen && chain == [Self.other] ? [Combination.anyOther] : chain }

    /// How many combinations there are; nil beyond what a number holds.
    package var count: Int? {
        let (pairs, overflow) = categories.count.multipliedReportingOverflow(by: itemTypes.count)
        let (all, carry) = pairs.multipliedReportingOverflow(by: branches.count)
        return overflow || carry ? nil : all
    }
}

extension MatrixDimensions {
    /// What a library declares.
    package init(categories: [Category], itemTypes: [ItemType], branches: [Branch]) {
        self.init(
            categories: Self.chains(categories), itemTypes: Self.chains(itemTypes), branches: Self.chains(branches))
    }

    /// Each code with its ancestors. One that is, against the rules, its own ancestor ends the chain.
    static func chains(_ declared: [some NestedCode]) -> [[String]] {
        let parents = Dictionary(declared.map { ($0.code, $0.parent) }) { first, _ in first }
        return declared.map { entry in
            var chain = [entry.code]
            while let last = chain.last, let parent = parents[last] ?? nil, !chain.contains(parent) {
                chain.append(parent)
            }
            return chain
        }
    }
}
