package import Circulation
import Storage
import TextFormats

/// A policy that is asked what the one in force was asked, and whose answers change nothing.
package struct ShadowPolicy: Hashable, Sendable {
    /// SHA-256 of its version, which the store keeps.
    package var policy: String
    package var name: String
    package var note: String
    /// Who put it beside the one in force, and when.
    package var actor: String
    package var since: Instant
    /// The event before the first whose decisions it is asked about.
    package var start: Int64
}

/// How far a shadow has come.
package struct ShadowProgress: Hashable, Sendable {
    /// Of this many differences it is known which decisions they are about; of all how many there were.
    package static let mostKept = 1_000

    /// The last decision that was looked at, by its place in the decision log.
    package var position: Int64
    package var decided: Int64 = 0
    package var different: Int64 = 0
    /// How many of the differences are failures of the shadow.
    package var failed: Int64 = 0
    /// The decisions that it makes otherwise, by their places in the log, the latest last; what they are about is read
    /// there, so that what is taken out of the log is gone here too.
    package var differences: [Int64] = []

    mutating func add(_ place: Int64, hasFailed: Bool) {
        different += 1
        if hasFailed { failed += 1 }
        differences.append(place)
        if differences.count > Self.mostKept { differences.removeFirst(differences.count - Self.mostKept) }
    }
}

// Both are settings: of how far it has come nothing personal is kept, and how much is bounded.
extension ShadowPolicy {
    static let setting = "policy.shadow"

    var json: JSON {
        [
            "policy": .string(policy), "name": .string(name), "note": .string(note), "actor": .string(actor),
            "since": .string(since.description), "start": .integer(start),
        ]
    }

    init(_ text: String) throws {
        let payload = EventPayload(try ReplayedAnswer.object(text))
        guard let since = try payload.optionalInstant("since") else {
            throw DeskError.event("A shadow has no beginning.")
        }
        self.init(
            policy: try payload.text("policy"), name: try payload.text("name"), note: try payload.text("note"),
            actor: try payload.text("actor"), since: since, start: try payload.integer("start"))
    }
}

extension ShadowProgress {
    static let setting = "policy.shadow.progress"

    /// - Parameter shadow: whose progress it is.
    func json(of shadow: ShadowPolicy) -> JSON {
        [
            "policy": .string(shadow.policy), "start": .integer(shadow.start), "position": .integer(position),
            "decided": .integer(decided), "different": .integer(different), "failed": .integer(failed),
            "differences": .array(differences.map { .integer($0) }),
        ]
    }

    /// What was kept of a shadow; from its beginning on where that was another one's.
    init(_ text: String?, of shadow: ShadowPolicy) throws {
        position = (shadow.start + 1) * DecisionRecord.most - 1
        guard let text else { return }
        let object = try ReplayedAnswer.object(text)
        let payload = EventPayload(object)
        guard try payload.text("policy") == shadow.policy, try payload.integer("start") == shadow.start else { return }
        (position, decided) = (try payload.integer("position"), try payload.integer("decided"))
        (different, failed) = (try payload.integer("different"), try payload.integer("failed"))
        differences = (object["differences"]?.arrayValue ?? []).compactMap(\.integerValue)
    }
}
