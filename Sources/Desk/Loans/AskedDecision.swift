package import Circulation
import Storage

/// A case and what the policy said to it.
package struct AskedDecision: Hashable, Sendable {
    package var question: Case
    package var decision: Decision
    /// SHA-256 of the policy that was asked.
    package var policy: String
    /// The copy on which the question was put, nil where there was none.
    package var copy: Copy?
}
