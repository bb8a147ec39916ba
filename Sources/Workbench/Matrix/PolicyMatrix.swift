package import Circulation
import Prover
package import Scripting

/// What a policy gives to every combination of category, item type and branch.
///
/// Rows are read without a case: where a row asks a function, or for what a combination does not say, a value has several outcomes, each with
/// its condition. So have functions, as far as a proof follows them.
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

    /// Where a function answers something to no case of any combination.
    package struct UnreachedAnswer: Hashable, Sendable {
        package var point: DecisionPoint
        package var file: String
        package var line: Int
    }

    package let name: String
    package let dimensions: MatrixDimensions
    package let outcomes: [MatrixOutcome]
    /// The answers of functions that none of the combinations comes to.
    package let unreached: [UnreachedAnswer]
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
        self.init(
            policy, dimensions: dimensions ?? MatrixDimensions(namedBy: [policy.tables.source]),
            MatrixFunctions(policy, currency: currency))
    }

    /// - Parameter functions: what the policy's functions decide.
    package init(_ policy: LuaPolicy, dimensions: MatrixDimensions, _ functions: MatrixFunctions) {
        let tables = policy.tables
        name = policy.name
        file = policy.bundle.files.first?.name ?? policy.name
        points = policy.points
        lines = [
            .limits: tables.source.limits.map(\.place.line), .rules: tables.source.rules.map(\.place.line),
            .notices: tables.source.notices.map(\.place.line),
            .membership: tables.source.membership.map(\.place.line),
        ]
        var (dimensions, found) = (dimensions, Self.reckoned(tables, dimensions, functions))
        // What functions ask for by name is told apart as well.
        while let wider = functions.named(beside: dimensions) {
            (dimensions, found) = (wider, Self.reckoned(tables, wider, functions))
        }
        self.dimensions = dimensions
        (cells, outcomes) = (found.cells, found.outcomes)
        unreached = functions.unreached.map { .init(point: $0.point, file: $0.file, line: $0.line) }
        losing = NeverMatchingRows(tables, found.answers, dimensions).found
    }

    private static func reckoned(
        _ tables: CompiledTables, _ dimensions: MatrixDimensions, _ functions: MatrixFunctions
    ) -> (cells: [Int32], outcomes: [MatrixOutcome], answers: [CombinedRows]) {
        var reader = CombinationReader(tables)
        let types = dimensions.itemTypes.map { reader.passing(itemType: $0) }
        let branches = dimensions.branches.map { reader.passing(branch: $0) }
        var cells: [Int32] = []
        cells.reserveCapacity(dimensions.count ?? 0)
        var outcomes = MatrixOutcomes(dimensions, functions, tables)
        for (index, category) in dimensions.categories.enumerated() {
            let passing = reader.passing(category: category)
            for (typeIndex, type) in types.enumerated() {
                for (branchIndex, branch) in branches.enumerated() {
                    let rows = reader.answer(passing, type, branch)
                    cells.append(outcomes.place(of: rows, reader.answers[rows], index, typeIndex, branchIndex))
                }
            }
        }
        return (cells, outcomes.made, reader.answers)
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
