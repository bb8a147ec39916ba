package import Circulation
import Storage
package import TextFormats

/// A decision as the decision log keeps it.
package struct RecordedDecision: Hashable, Sendable {
    /// The event that carried it out, or that records the refusal.
    package var event: Int64
    package var at: Instant
    package var kind: String
    package var point: DecisionPoint
    /// SHA-256 of the policy that was asked.
    package var policy: String
    /// The case as it was put, in the shape of `policy explain`; a removed patron's `extra` is gone from it.
    package var question: JSON
    /// `answer`, `due`, `refusal` and `fields`, each with its row, file and line.
    package var answer: JSON
}
