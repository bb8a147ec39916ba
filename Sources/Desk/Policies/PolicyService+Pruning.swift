package import Circulation
import Storage

extension PolicyService {
    /// Takes the decisions of events before a moment out of the decision log: cases and answers, by which they are explained
    /// and replayed. The events themselves, and all that they led to, stay. Refused with `future` for a moment to come.
    ///
    /// - Returns: how many were taken out; where there are none, nothing is written down.
    package func pruneDecisions(before moment: Instant) throws -> Outcome<DecisionPruning> {
        try session.request("policies.prune") {
            guard moment <= session.now else {
                throw Refused("future", "Decisions that are still to be made cannot be taken out.")
            }
            let count = try transaction.decisions.remove(before: moment)
            let pruning = DecisionPruning(before: moment, count: count)
            if count > 0 { try session.record(.decisionsPruned, pruning) }
            return pruning
        }
    }

    /// How many decisions pruning would take out.
    package func countDecisions(before moment: Instant) throws -> Int64 {
        try transaction.decisions.count(before: moment)
    }
}
