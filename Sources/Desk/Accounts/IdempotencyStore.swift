import Circulation
package import Storage
import TextFormats

/// Requests that programs may send again: what they were answered is kept for a day, in the transaction that carried the
/// request out.
package struct IdempotencyStore {
    let session: DeskSession

    /// How long an answer is kept.
    package static let hours: Int64 = 24

    /// The answer that a caller was given under a key; nil: none, or too long ago.
    package func find(_ key: String, of patron: Int64) throws -> IdempotentResponse? {
        try session.transaction.idempotency.get(patron, Self.digest(of: key), since: oldest())
    }

    /// Keeps an answer.
    package func keep(_ answer: String, under key: String, of patron: Int64, fingerprint: String) throws {
        // What is too old goes first: its key may be used anew.
        try session.transaction.idempotency.remove(before: oldest())
        try session.transaction.idempotency.insert(
            IdempotentResponse(
                patron: patron, key: Self.digest(of: key), fingerprint: fingerprint, answer: answer,
                givenAt: session.now))
    }

    /// Takes names out of what programs of others were answered, such as that of the staff who made the record.
    func forget(_ words: [String]) throws {
        let words = words + words.map(PercentEncoding.encoded).filter { !words.contains($0) }
        for given in try session.transaction.idempotency.all(where: WordFinder(words).mayStand) {
            guard case .object = try? JSONParser.parse(given.answer) else { continue }
            var cleared = given
            cleared.answer = try JSONParser.parse(given.answer).blackingOut(words).text()
            if cleared != given { try session.transaction.idempotency.replaceAnswer(by: cleared) }
        }
    }

    /// A caller may make a key out of a name, which must not be readable here.
    private static func digest(of key: String) -> String { SHA256.hexadecimal(of: Array(key.utf8)) }

    private func oldest() throws -> Instant { try session.now.adding(hours: -Self.hours) }
}

extension JSON {
    /// The texts without the words; those that are JSON themselves, as the body of an answer is, stay JSON.
    fileprivate func blackingOut(_ words: [String]) -> JSON {
        switch self {
        case .string(let text):
            if text.first == "{" || text.first == "[", let inner = try? JSONParser.parse(text) {
                .string(inner.blackingOut(words).text())
            } else {
                .string(text.blackingOut(words))
            }
        case .array(let values): .array(values.map { $0.blackingOut(words) })
        case .object(let object):
            .object(
                object.reduce(into: JSONObject()) { cleared, entry in
                    cleared[entry.key] = entry.value.blackingOut(words)
                })
        default: self
        }
    }
}
