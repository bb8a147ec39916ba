import Circulation
import Desk

/// Keeps all that a replay tells.
final class ReplayWitness: ReplayObserver {
    var decisions: [ReplayedDecision] = []
    var loans: [ReplayedLoan] = []
    var contradictions: [ReplayContradiction] = []

    var differences: [ReplayedDecision] { decisions.filter(\.isDifferent) }

    /// Notices and fees that would be others.
    var moved: [ReplayedLoan] {
        loans.filter { loan in
            loan.notices.contains { $0.change != .same } || loan.fees.contains { $0.before != $0.after }
        }
    }

    func decided(_ decision: ReplayedDecision) { decisions.append(decision) }
    func settled(_ loan: ReplayedLoan) { loans.append(loan) }
    func contradicted(_ contradiction: ReplayContradiction) { contradictions.append(contradiction) }
    func progressed(events: Int64, of total: Int64) {}
}

extension Library {
    /// Replays what was done here under a policy.
    func replay(_ policy: PolicySpec, _ plan: ReplayPlan = ReplayPlan()) throws -> (ReplayWitness, ReplaySummary) {
        let witness = ReplayWitness()
        let summary = try desk.replay(loader.bundle(policy, "candidate"), plan, telling: witness)
        return (witness, summary)
    }
}
