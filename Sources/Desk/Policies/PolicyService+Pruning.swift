package import Circulation
import Storage

extension PolicyService {
    /// How many decisions pruning would take out.
    package func countDecisions(before moment: Instant) throws -> Int64 {
        try transaction.decisions.count(before: moment)
    }
}

extension Desk {
    /// Takes the decisions of events before a moment out of the decision log: cases and answers, by which they are explained
    /// and replayed. The events themselves, and all that they led to, stay. Refused with `future` for a moment to come.
    ///
    /// It is written down first, then done in pages with a transaction each. Broken off it can be begun again, which writes
    /// down what was left.
    ///
    /// - Returns: how many were taken out; where there are none, nothing is written down.
    package func pruneDecisions(before moment: Instant) throws -> Outcome<DecisionPruning> {
        let count = try read { try $0.policies.countDecisions(before: moment) }
        let begun = try write { session in
            try session.request("policies.prune") {
                guard moment <= session.now else {
                    throw Refused("future", "Only past decisions can be removed.")
                }
                let pruning = DecisionPruning(before: moment, count: count)
                if count > 0 { try session.record(.decisionsPruned, pruning) }
                return pruning
            }
        }
        guard begun.refusal == nil, count > 0 else { return begun }
        var pace = ChorePace()
        var end: Int64? = .min
        while let last = end {
            end = try pace.page(of: self) {
                try $0.transaction.decisions.remove(before: moment, after: last, limit: $1)
            }
        }
        return begun
    }
}
