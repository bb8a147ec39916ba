/// Combinations put together where they come to the same, so that a table of them stays readable.
struct CombinationGroups {
    struct Group {
        var categories: [String]
        var itemTypes: [String]
        var branches: [String]
        /// What they come to.
        var id: Int32
    }

    private let dimensions: MatrixDimensions

    /// In the order of the dimensions.
    private(set) var groups: [Group] = []

    /// - Parameter ids: what each combination comes to, categories slowest, branches fastest.
    init(_ dimensions: MatrixDimensions, _ ids: [Int32]) {
        self.dimensions = dimensions
        let types = dimensions.itemTypes.count
        let branches = dimensions.branches.count
        let perCategory = types * branches
        let categories = Self.alike(
            dimensions.categories.indices.map { Array(ids[$0 * perCategory..<($0 + 1) * perCategory]) })
        for (members, pattern) in categories {
            let rows = Self.alike((0..<types).map { Array(pattern[$0 * branches..<($0 + 1) * branches]) })
            for (typeMembers, row) in rows {
                for (branchMembers, id) in Self.alike(row) {
                    groups.append(
                        Group(
                            categories: members.map { dimensions.categories[$0][0] },
                            itemTypes: typeMembers.map { dimensions.itemTypes[$0][0] },
                            branches: branchMembers.map { dimensions.branches[$0][0] }, id: id))
                }
            }
        }
    }

    /// The places of equal elements, in order of their first.
    private static func alike<Element: Hashable>(_ elements: [Element]) -> [(members: [Int], element: Element)] {
        var places: [Element: Int] = [:]
        var found: [(members: [Int], element: Element)] = []
        for (index, element) in elements.enumerated() {
            if let place = places[element] {
                found[place].members.append(index)
            } else {
                places[element] = found.count
                found.append(([index], element))
            }
        }
        return found
    }

    /// `all`, or the names.
    func words(_ group: Group) -> (category: String, itemType: String, branch: String) {
        (
            Self.words(group.categories, of: dimensions.categories.count),
            Self.words(group.itemTypes, of: dimensions.itemTypes.count),
            Self.words(group.branches, of: dimensions.branches.count)
        )
    }

    private static let mostNames = 6

    private static func words(_ names: [String], of count: Int) -> String {
        if names.count == count && count > 1 { return "all" }
        if names.count <= mostNames { return names.joined(separator: ", ") }
        return names.prefix(mostNames).joined(separator: ", ") + " and \(names.count - mostNames) more"
    }
}
