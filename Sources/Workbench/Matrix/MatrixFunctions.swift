package import Circulation
package import Prover
package import Scripting

/// What the functions of a policy decide, for its matrix. Used by one thread.
package final class MatrixFunctions {
    /// The function of a row, and where it is asked.
    private struct When: Hashable, Comparable {
        let number: Int
        let point: DecisionPoint

        static func < (left: When, right: When) -> Bool {
            (left.number, left.point.rawValue) < (right.number, right.point.rawValue)
        }
    }

    private let prover: PolicyProver?
    private let deadline: ContinuousClock.Instant
    private let file: String
    private let asked: [DecisionPoint]
    private var points: [(point: DecisionPoint, found: CombinationOutcomes)] = []
    private var whens: [When: CombinationOutcomes] = [:]
    /// Why nothing is known of any function, where that is so.
    private var because: Unsettled?

    /// Nothing is found out: functions of rows are named, and no others told.
    package init() { (prover, deadline, file, asked) = (nil, .now, "", []) }

    /// Finds out what functions decide, as far as it is asked for.
    ///
    /// - Parameter time: how long that may take.
    package init(
        _ policy: LuaPolicy, codes: ProofDomain.Codes = .init(), currency: Currency = .eur,
        time: Duration = .seconds(20)
    ) {
        let source = policy.tables.source
        let file = policy.bundle.files.first?.name ?? policy.name
        (asked, self.file) = (DecisionPoint.allCases.filter(policy.points.contains), file)
        deadline = ContinuousClock.now + time
        guard !asked.isEmpty || source.allConditions.contains(where: { $0.when != nil }) else {
            prover = nil
            return
        }
        do {
            prover = try PolicyProver(policy.parsed, tables: policy.tables, codes: codes, currency: currency)
        } catch let unsettled as Unsettled {
            (prover, because) = (nil, unsettled)
        } catch let error as ProofError {
            (prover, because) = (nil, Unsettled(file: file, line: 1, message: error.words))
        } catch {
            (prover, because) = (nil, Unsettled(file: file, line: 1, message: "\(error)"))
        }
        if let prover { points = asked.map { ($0, prover.outcomes(at: $0, until: deadline)) } }
    }

    /// Numbers for what functions come to for a combination: where they are the same, so is that.
    ///
    /// - Parameter rows: the conditions of rows that the combination may meet, and where they are asked.
    func places(_ combination: Combination, _ rows: [(conditions: RowConditions, point: DecisionPoint)]) -> [Int] {
        guard prover != nil, because == nil else { return [] }
        do {
            return try points.map { try $0.found.place(of: combination) }
                + rows.compactMap { conditions, point in
                    try conditions.when.flatMap { try found($0, point)?.place(of: combination) }
                }
        } catch {
            because = Unsettled(file: file, line: 1, message: (error as? ProofError)?.words ?? "\(error)")
            return []
        }
    }

    private func found(_ number: Int, _ point: DecisionPoint) -> CombinationOutcomes? {
        let when = When(number: number, point: point)
        if let known = whens[when] { return known }
        whens[when] = prover?.outcomes(ofCondition: number, at: point, until: deadline)
        return whens[when]
    }

    private func outcomes(_ found: CombinationOutcomes?, _ combination: Combination) -> FunctionOutcomes? {
        guard because == nil, let found, let place = try? found.place(of: combination) else { return nil }
        return found.all[place]
    }

    /// What functions decide of a combination.
    func decisions(_ combination: Combination) -> [MatrixOutcome.FunctionDecision] {
        if let because { return asked.map { .init(point: $0, because: because) } }
        return points.flatMap { point, found in
            outcomes(found, combination)?.decisions(at: point) ?? []
        }
    }

    /// When the function of a row says that the row holds; nil: it is not known. And what is to be said of that besides.
    func condition(
        _ when: Int, at point: DecisionPoint, _ combination: Combination
    ) -> (condition: MatrixCondition?, others: [MatrixOutcome.FunctionDecision]) {
        if prover != nil || because != nil, because != nil || found(when, point) == nil {
            return (nil, because.map { [.init(point: point, because: $0)] } ?? [])
        }
        guard let outcomes = outcomes(found(when, point), combination) else { return (nil, []) }
        let others = outcomes.decisions(at: point).filter { $0.outcome?.answer != .holds }
        if others.contains(where: { $0.because != nil }) { return (nil, others) }
        let parts = outcomes.outcomes.filter { $0.answer == .holds }
        let condition = MatrixCondition.any(parts.map { .every($0.conditions.map { .said($0) }) }).resolved()
        return (condition, others)
    }

    /// What functions ask for by name, that dimensions lack which have the policy's own values.
    func named(beside dimensions: MatrixDimensions) -> MatrixDimensions? {
        guard dimensions.isOpen else { return nil }
        var wider = dimensions
        for found in points.map(\.found) + whens.sorted(by: { $0.key < $1.key }).map(\.value) {
            let words = found.words
            wider.add(categories: words.categories, itemTypes: words.itemTypes, branches: words.branches)
        }
        return wider == dimensions || (wider.count ?? .max) > PolicyMatrix.mostCombinations ? nil : wider
    }

    /// Whether conditions hold for a case; nil where that is not known.
    package func hold(_ conditions: [SaidCondition], of question: Case, _ records: LibraryCase = .plain) -> Bool? {
        prover?.hold(conditions, of: question, records)
    }

    /// The answers of functions that no combination comes to.
    var unreached: [(point: DecisionPoint, file: String, line: Int)] {
        points.flatMap { point, found in found.unreached.map { (point, $0.file, $0.line) } }
    }
}

extension FunctionOutcomes {
    fileprivate func decisions(at point: DecisionPoint) -> [MatrixOutcome.FunctionDecision] {
        let found = outcomes.map { outcome -> MatrixOutcome.FunctionDecision in
            let why: Unsettled? = if case .unknown(let why) = outcome.answer { why } else { nil }
            return .init(point: point, outcome: outcome, because: why)
        }
        return found + (gap.map { [.init(point: point, because: $0)] } ?? [])
    }
}

extension FunctionOutcomes.Outcome {
    /// `refused, fees_owed`; `1.00 EUR`; `as main.lua:12 reckons`.
    package var words: String {
        switch answer {
        case .reason(let code, .refuses): "refused, \(code ?? "a text of the case")"
        case .reason(let code, .overridable): "refused unless staff go on, \(code ?? "a text of the case")"
        case .reason(let code, .asks): "asks first, \(code ?? "a text of the case")"
        case .allowed(let codes): codes.isEmpty ? "allowed" : "allowed in spite of \(codes.joined(separator: ", "))"
        case .review: "to be reviewed"
        case .value(let words): words ?? "as \(file):\(line) reckons"
        case .holds: "yes"
        case .fails(let code): "fails (\(code)), \(file):\(line)"
        case .unknown(let why): "unknown: \(why.file):\(why.line): \(why.message)"
        }
    }

    /// The code of a refusal or a question.
    package var code: String? {
        if case .reason(let code, _) = answer { code } else { nil }
    }
}
