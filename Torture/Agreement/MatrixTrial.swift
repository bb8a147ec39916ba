package import Circulation
import Prover
package import Scripting
package import TextFormats
import Workbench

/// Holds what a matrix says of a policy against what the desk decides.
package final class MatrixTrial {
    private let policy: LuaPolicy
    private let functions: MatrixFunctions
    private let records: LibraryCase
    private let make: (DecisionPoint) -> JSONObject
    /// The points at which functions of the policy decide.
    package let points: [DecisionPoint]
    /// Cases in which it was known which outcome of a function is theirs, and of those in which it is one that says anything.
    package private(set) var certain = 0, decided = 0

    /// - Throws: what is wrong with the policy; ``ProofError``.
    package init(_ parsed: ParsedPolicy, seed: UInt64, time: Duration = .seconds(60)) throws {
        policy = try LuaPolicy(parsed)
        functions = MatrixFunctions(policy, time: time)
        records = LibraryCase(parsed.fields)
        points = policy.points
        make = try ProofSession(PolicyProof(parsed)).cases(seed: seed)
    }

    /// A random case of the words that the policy itself names.
    package func question(at point: DecisionPoint) -> JSONObject {
        var object = make(point)
        // A proof takes clocks that do not change.
        object["time_zone"] = nil
        return object
    }

    /// What the matrix says otherwise than the desk decides; nil: nothing.
    package func disagreement(on object: JSONObject) -> String? {
        guard let question = try? Case(json: .object(object), records) else { return nil }
        if question.copy == nil, [.checkout, .due, .hold, .price, .notify].contains(question.point) { return nil }
        let dimensions = MatrixDimensions(
            categories: [question.patron.categories], itemTypes: [question.copy?.itemTypes ?? [MatrixDimensions.other]],
            branches: [question.branches])
        let (decision, trace) = policy.decideTraced(question)
        let own = PolicyMatrix(policy, dimensions: dimensions, functions).outcomes[0]
        for outcome in [own] + (cell(dimensions).map { [$0] } ?? []) {
            for field in outcome.fields where decision.failure == nil {
                if let wrong = disagreement(field, decision, question) { return wrong }
            }
            if let wrong = disagreement(outcome, decision, trace, question) { return wrong }
        }
        return nil
    }

    /// The cell of a combination in the matrix of the values that the policy names; nil for codes that lie below others.
    private func cell(_ combination: MatrixDimensions) -> MatrixOutcome? {
        let whole = whole
        func place(_ chain: [String], _ values: [[String]]) -> Int? {
            chain.count == 1 ? values.firstIndex(of: chain) ?? values.count - 1 : nil
        }
        guard let category = place(combination.categories[0], whole.dimensions.categories),
            let itemType = place(combination.itemTypes[0], whole.dimensions.itemTypes),
            let branch = place(combination.branches[0], whole.dimensions.branches)
        else { return nil }
        let (types, branches) = (whole.dimensions.itemTypes.count, whole.dimensions.branches.count)
        return whole.cell((category * types + itemType) * branches + branch).outcome
    }

    private lazy var whole = PolicyMatrix(
        policy, dimensions: MatrixDimensions(namedBy: [policy.tables.source]), functions)

    private func holds(_ condition: MatrixCondition, _ question: Case) -> Bool? {
        condition.holds { part in
            switch part {
            case .row(let conditions): (try? conditions.mismatch(with: question) { _ in true }) == nil
            case .said(let said): functions.hold([said], of: question, records)
            default: nil
            }
        }
    }

    // MARK: - Rows

    private func disagreement(_ field: MatrixOutcome.Field, _ decision: Decision, _ question: Case) -> String? {
        guard let rule = decision.rule, let known = RuleField.named[field.name], known.group.point == question.point
        else { return nil }
        let said: RuleValue?
        switch field.value {
        case .value(let value): said = value
        case .choices(let choices):
            var found: RuleValue??
            for choice in choices where found == nil {
                guard let isIt = holds(choice.condition, question) else { return nil }
                if isIt { found = .some(choice.value) }
            }
            guard let found else { return "\(field.name): no value is that of the case" }
            said = found
        }
        if said == rule[field.name] { return nil }
        return "\(field.name) is \(rule[field.name]?.description ?? "nothing"), the matrix has \(field.value.words)"
    }

    // MARK: - Functions

    private func disagreement(
        _ outcome: MatrixOutcome, _ decision: Decision, _ trace: PolicyTrace, _ question: Case
    ) -> String? {
        let here = outcome.functions.filter { $0.point == question.point }
        let known = here.compactMap(\.outcome)
        let values = known.map { functions.hold($0.conditions, of: question, records) }
        let theirs = zip(known, values).filter { $1 == true }.map(\.0)
        if theirs.contains(where: { if case .unknown = $0.answer { true } else { false } }) { return nil }
        let answers = Set(theirs.map(Answered.init))
        if answers.count > 1 { return "it falls under \(answers.map(\.words).sorted())" }
        guard !values.contains(nil) || !answers.isEmpty, here.allSatisfy({ $0.outcome != nil }) else { return nil }
        certain += 1
        if let answered = theirs.first {
            decided += 1
            if decision.failure != nil, !mayFail(question.point) { return nil }
            return disagreement(answered, known, decision, trace)
        }
        if let failure = decision.failure, mayFail(question.point), failure.code == "lua_error" {
            return "it fails (\(failure.message)), the matrix says nothing of it"
        }
        return codes(of: known, in: decision).first.map { "it is refused with \($0), under none of its conditions" }
            ?? answer(of: known, in: trace).map { "line \($0.line) answers, under none of its conditions" }
    }

    /// Whether a decision that fails does so in the function of its point; those of others are asked about a loan as well.
    private func mayFail(_ point: DecisionPoint) -> Bool {
        guard policy.points.contains(point) else { return false }
        return ![.checkout, .renew, .recall].contains(point) || Set(policy.points).isDisjoint(with: [.due, .price])
    }

    /// What is told apart: an answer, and where it is given.
    private struct Answered: Hashable {
        let words: String

        init(_ outcome: FunctionOutcomes.Outcome) { words = "\(outcome.words) (\(outcome.file):\(outcome.line))" }
    }

    private func disagreement(
        _ theirs: FunctionOutcomes.Outcome, _ known: [FunctionOutcomes.Outcome], _ decision: Decision,
        _ trace: PolicyTrace
    ) -> String? {
        switch theirs.answer {
        case .unknown: return nil
        case .fails(let code):
            // The function is asked about lost loans alone; of any other nothing comes.
            if decision.point == .lost, decision.failure == nil, decision.effects.isEmpty { return nil }
            return decision.failure?.code == code ? nil : "it does not fail, the matrix says: \(theirs.words)"
        default: break
        }
        // A value that is reckoned may be none that the desk takes.
        if decision.failure?.code == "bad_answer", theirs.answer == .value(nil) || decision.point == .due { return nil }
        if let failure = decision.failure { return "it fails (\(failure.message)), the matrix says: \(theirs.words)" }
        if let code = theirs.code, decision.refusal?.reasons.contains(where: { $0.code == code }) != true {
            return "it is not refused, the matrix says: \(theirs.words)"
        }
        let others = known.filter { $0.code != theirs.code }
        if let code = codes(of: others, in: decision).first { return "it is refused with \(code) too" }
        let lines = known.filter { $0.file != theirs.file || $0.line != theirs.line }
        return answer(of: lines, in: trace).map { "line \($0.line) answers, the matrix says: \(theirs.words)" }
    }

    /// The codes of outcomes, but those that the desk knows itself, with which it is refused.
    private func codes(of outcomes: [FunctionOutcomes.Outcome], in decision: Decision) -> [String] {
        let codes = Set(outcomes.compactMap(\.code)).subtracting(Self.ownCodes)
        return decision.refusal?.reasons.map(\.code).filter(codes.contains) ?? []
    }

    private static let ownCodes = Set(Refusal.Code.all)

    /// Whether it says anything, so that not everything is left to the desk.
    private static func isAnswer(_ returned: JSON?) -> Bool {
        guard let returned, returned != .null else { return false }
        return returned["answer"] != "allow"
    }

    private func answer(
        of outcomes: [FunctionOutcomes.Outcome], in trace: PolicyTrace
    ) -> FunctionOutcomes.Outcome? {
        outcomes.first { outcome in
            switch outcome.answer {
            case .fails, .unknown: return false
            default: break
            }
            return trace.lines.contains {
                $0.file == outcome.file && $0.line == outcome.line && Self.isAnswer($0.returned)
            }
        }
    }
}
