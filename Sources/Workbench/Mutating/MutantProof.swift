import Circulation
import Prover
import TextFormats

/// What is proved of a small change to a policy.
struct MutantProof {
    private let pair: SamenessProof
    private let mutant: Mutant

    /// - Parameter pair: the policy, and the same with the change.
    init(_ pair: SamenessProof, _ mutant: Mutant) { (self.pair, self.mutant) = (pair, mutant) }

    /// - Throws: ``ProofError``.
    func verdict(until deadline: ContinuousClock.Instant) throws -> SurvivorVerdict {
        if let setting = pair.settings.first {
            let change = "\(setting.name): \(setting.before) -> \(setting.after)"
            return .survived(test: nil, because: "\(change), which no single case shows; a test with 'desk' can")
        }
        var open: Unsettled?
        for point in DecisionPoint.allCases where !pair.isSame(at: point) {
            switch try pair.proof(at: point, until: deadline).outcome {
            case .proved: continue
            case .refuted(let question, _): return survived(by: pair.smaller(question))
            case .unknown(let why): open = open ?? why
            }
        }
        return open.map { .unknown($0) } ?? .equivalent
    }

    private func survived(by question: JSONObject) -> SurvivorVerdict {
        if let test = TellingTest(question, pair.desks.one, pair.desks.other) { return .survived(test: test.text) }
        let change = pair.change(for: question)?.words ?? "another decision"
        return .survived(test: nil, because: "\(change), in the case \(JSON.object(question).text())")
    }
}
