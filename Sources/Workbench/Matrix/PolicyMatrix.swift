package import Circulation
package import Scripting

/// What a policy's rows give to every combination of category, item type and branch.
///
/// Rows are read without a case: where a row asks a function, or for what a combination does not say, a value
/// "depends".
package struct PolicyMatrix: Sendable {
    /// A row, or some fields of it, that wins for no combination.
    package struct LosingRow: Hashable, Sendable {
        package var table: PolicyTable
        /// One-based.
        package var row: Int
        /// The fields that never win, where others do; empty: the whole row.
        package var fields: [String]
        package var place: SourcePlace
        /// The one-based rows that go before it wherever it matches.
        package var hiddenBy: [Int]
        /// Why it matches nothing, where no combination meets its conditions.
        package var because: String?
    }

    package let name: String
    package let dimensions: MatrixDimensions
    package let outcomes: [MatrixOutcome]
    /// For each combination the place of its outcome: categories slowest, branches fastest.
    package let cells: [Int32]
    package let losing: [LosingRow]
    /// The points at which a function of the policy may decide otherwise.
    package let points: [DecisionPoint]
    package let file: String
    /// The line of each row, by table.
    private let lines: [PolicyTable: [Int]]

    /// The most combinations that are reckoned.
    package static let mostCombinations = 5_000_000

    /// - Throws: ``PolicyProblems`` if the bundle is not a policy.
    package init(_ parsed: ParsedPolicy, dimensions: MatrixDimensions? = nil, currency: Currency = .eur) throws {
        let policy = try LuaPolicy(parsed, currency: currency, limits: LuaPolicy.limitsForChecking)
        self.init(policy, dimensions: dimensions ?? MatrixDimensions(namedBy: [policy.tables.source]))
    }

    package init(_ policy: LuaPolicy, dimensions: MatrixDimensions) {
        let tables = policy.tables
        self.dimensions = dimensions
        name = policy.name
        file = policy.bundle.files.first?.name ?? policy.name
        points = policy.points
        lines = [
            .limits: tables.source.limits.map(\.place.line), .rules: tables.source.rules.map(\.place.line),
            .notices: tables.source.notices.map(\.place.line),
        ]
        var reader = CombinationReader(tables)
        let types = dimensions.itemTypes.map { reader.passing(itemType: $0) }
        let branches = dimensions.branches.map { reader.passing(branch: $0) }
        var cells: [Int32] = []
        cells.reserveCapacity(dimensions.count ?? 0)
        for category in dimensions.categories {
            let passing = reader.passing(category: category)
            for type in types {
                for branch in branches { cells.append(Int32(clamping: reader.answer(passing, type, branch))) }
            }
        }
        self.cells = cells
        let maker = OutcomeMaker(tables: tables, points: Set(points))
        outcomes = reader.answers.map(maker.outcome)
        losing = NeverMatchingRows(tables, reader.answers, dimensions).found
    }

    // MARK: - Combinations

    /// One combination and what it gets.
    package struct Cell: Sendable {
        package let category: String
        package let itemType: String
        package let branch: String
        package let outcome: MatrixOutcome
    }

    package func cell(_ index: Int) -> Cell {
        let (category, itemType, branch) = names(index)
        return Cell(category: category, itemType: itemType, branch: branch, outcome: outcomes[Int(cells[index])])
    }

    func names(_ index: Int) -> (category: String, itemType: String, branch: String) {
        let branches = dimensions.branches.count
        let types = dimensions.itemTypes.count
        return (
            dimensions.categories[index / branches / types][0], dimensions.itemTypes[index / branches % types][0],
            dimensions.branches[index % branches][0]
        )
    }

    /// The line of a one-based row.
    func line(of row: Int, in table: PolicyTable) -> Int? {
        lines[table].flatMap { $0.indices.contains(row - 1) ? $0[row - 1] : nil }
    }

    /// The combinations for which no row says how long a loan lasts.
    package var uncovered: [Int] { cells.indices.filter { outcomes[Int(cells[$0])].isUncovered } }

    /// Whether nothing is to be complained of.
    package var isSound: Bool { losing.isEmpty && !outcomes.contains(where: \.isUncovered) }
}
