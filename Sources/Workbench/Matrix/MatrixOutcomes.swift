import Circulation
import Prover

/// The different outcomes of combinations: by the rows that they may get, and by what functions decide of them.
struct MatrixOutcomes {
    private struct Key: Hashable {
        let rows: Int
        let functions: [Int]
    }

    private let dimensions: MatrixDimensions
    private let functions: MatrixFunctions
    private let maker: OutcomeMaker
    private var places: [Key: Int32] = [:]
    /// For rows, by their place, what they ask beyond a combination.
    private var asked: [Int: [(conditions: RowConditions, point: DecisionPoint)]] = [:]
    private(set) var made: [MatrixOutcome] = []

    init(_ dimensions: MatrixDimensions, _ functions: MatrixFunctions, _ tables: CompiledTables) {
        (self.dimensions, self.functions) = (dimensions, functions)
        maker = OutcomeMaker(tables: tables)
    }

    /// - Parameters:
    ///   - number: which of the reader's answers the rows are.
    ///   - category: the combination, by places among the dimensions.
    mutating func place(
        of number: Int, _ rows: CombinedRows, _ category: Int, _ itemType: Int, _ branch: Int
    ) -> Int32 {
        let combination = Combination(
            categories: dimensions.codes(dimensions.categories[category]),
            itemTypes: dimensions.codes(dimensions.itemTypes[itemType]),
            branches: dimensions.codes(dimensions.branches[branch]), rows: rows)
        let asking = asked[number] ?? maker.asked(rows).filter { $0.conditions.when != nil }
        asked[number] = asking
        let key = Key(rows: number, functions: functions.places(combination, asking))
        if let known = places[key] { return known }
        let place = Int32(clamping: made.count)
        places[key] = place
        made.append(outcome(rows, combination))
        return place
    }

    private func outcome(_ rows: CombinedRows, _ combination: Combination) -> MatrixOutcome {
        var others: [MatrixOutcome.FunctionDecision] = []
        var maker = maker
        maker.known = { when, point in
            let (condition, more) = functions.condition(when, at: point, combination)
            for decision in more where !others.contains(decision) { others.append(decision) }
            return condition
        }
        var outcome = maker.outcome(rows)
        outcome.functions = functions.decisions(combination)
        outcome.functions += others.filter { !outcome.functions.contains($0) }
        return outcome
    }
}
