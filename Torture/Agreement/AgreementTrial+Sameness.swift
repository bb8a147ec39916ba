import Circulation
import Prover
import Scripting
import TextFormats
import Workbench

extension AgreementTrial {
    /// Holds what is proved of a policy and the same with a small change, for some cases, against what the desk decides of both.
    func judgeChange(_ cases: [(JSONObject, Case, Decision)], _ result: inout Result) throws {
        guard let changed, let pair = try? SamenessProof(changed.policy, changed.other) else { return }
        let proof = try pair.proof(at: point, in: changed.scope, until: deadline)
        result.count(proof.outcome.status)
        for (object, _, _) in cases where pair.change(for: object, changed.scope) != nil {
            if case .proved = proof.outcome {
                result.disagreements.append(
                    .init(what: "the same: \(changed.words) is proved, and decided otherwise", question: object))
                return
            }
        }
        if case .refuted(let object, _) = proof.outcome, pair.change(for: object, changed.scope) == nil {
            result.disagreements.append(
                .init(what: "the same: \(changed.words) is refuted by what is decided alike", question: object))
        }
    }
}

/// A policy, the same with a small change, and the cases of which it is asked whether they are decided alike.
struct ChangedPolicy {
    let policy: ParsedPolicy
    let other: ParsedPolicy
    let scope: CaseScope
    let words: String

    private static let scopes: [JSONObject] = [
        [:], [:], ["branch": "b"], ["patron": ["category": "child"]], ["patron": ["holds": [1, 2]]],
        ["copy": ["item_type": ["a", "dvd"]]],
    ]

    /// nil where the desk does not take what the change makes of it.
    init?(_ policy: ParsedPolicy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let mutants = Mutant.all(of: policy)
        guard let mutant = mutants.randomElement(using: &random),
            let scope = try? CaseScope(
                Self.scopes[Int.random(in: Self.scopes.indices, using: &random)], of: LibraryCase(policy.fields),
                currency: .eur)
        else { return nil }
        let other = mutant.applied(to: policy)
        guard (try? LuaPolicy(other)) != nil else { return nil }
        (self.policy, self.other, self.scope) = (policy, other, scope)
        words = "line \(mutant.line), \(mutant.from) for \(mutant.to)"
    }
}

extension ProofOutcome {
    fileprivate var status: ProofReport.Status {
        switch self {
        case .proved: .proved
        case .refuted: .refuted
        case .unknown: .unknown
        }
    }
}
