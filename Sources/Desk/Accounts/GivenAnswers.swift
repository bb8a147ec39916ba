import Circulation
package import Storage

/// Requests that programs may send again: what they were answered is kept for a day, in the transaction that carried the
/// request out.
package struct GivenAnswers {
    let session: DeskSession

    /// How long an answer is kept.
    package static let hours: Int64 = 24

    /// The answer that somebody was given under a key; nil: none, or too long ago.
    package func find(_ key: String, of patron: Int64) throws -> GivenAnswer? {
        try session.transaction.givenAnswers.get(patron, key, since: oldest())
    }

    /// Keeps an answer.
    package func keep(_ answer: String, under key: String, of patron: Int64, fingerprint: String) throws {
        // What is too old goes first: its key may be used anew.
        try session.transaction.givenAnswers.remove(before: oldest())
        try session.transaction.givenAnswers.insert(
            GivenAnswer(patron: patron, key: key, fingerprint: fingerprint, answer: answer, givenAt: session.now))
    }

    private func oldest() throws -> Instant { try session.now.adding(hours: -Self.hours) }
}
