package import Circulation
import Storage
import TextFormats

/// What was known of one promise when its policy came into force.
package struct KeptPromise: Hashable, Sendable {
    /// The promise in its author's words.
    package var name: String
    package var point: DecisionPoint
    /// `never`, `always` or `same`.
    package var kind: String
    /// `proved`, `refuted` or `unknown`.
    package var status: String
    /// Why it is unknown; nil otherwise.
    package var reason: String?

    package init(name: String, point: DecisionPoint, kind: String, status: String, reason: String? = nil) {
        self.name = name
        self.point = point
        self.kind = kind
        self.status = status
        self.reason = reason
    }
}

/// The promises of a version, as they were proved when it was put into force.
package struct KeptPromises: Hashable, Sendable {
    /// SHA-256 of the version.
    package var policy: String
    package var provedAt: Instant
    package var promises: [KeptPromise]

    /// How many of them have come to that.
    package func count(_ status: String) -> Int { promises.count { $0.status == status } }
}

extension PolicyService {
    /// Of so many versions the promises are kept, the latest ones.
    private static let mostKept = 50
    private static let setting = "policy.promises"

    /// Keeps what was proved of the promises of a version, in place of what was known of them.
    package func keep(_ promises: [KeptPromise], of version: String) throws {
        let new = KeptPromises(policy: version, provedAt: session.now, promises: promises)
        let kept = try allPromises().filter { $0.policy != version }.suffix(Self.mostKept - 1) + [new]
        try transaction.settings.keep(JSON.array(kept.map(\.json)).text(), for: Self.setting)
    }

    /// What was proved of the promises of a version when it was last put into force; nil where nothing was.
    package func promises(of version: String) throws -> KeptPromises? {
        try allPromises().first { $0.policy == version }
    }

    private func allPromises() throws -> [KeptPromises] {
        guard let text = try transaction.settings.value(Self.setting) else { return [] }
        return try (JSONParser.parse(text).arrayValue ?? []).map { try KeptPromises($0) }
    }
}

extension KeptPromises {
    fileprivate var json: JSON {
        [
            "policy": .string(policy), "proved_at": .string(provedAt.description),
            "promises": .array(promises.map(\.json)),
        ]
    }

    fileprivate init(_ json: JSON) throws {
        let payload = EventPayload(json.objectValue ?? [:])
        guard let provedAt = try payload.optionalInstant("proved_at") else {
            throw DeskError.event("It is not known when a promise was proved.")
        }
        self.init(
            policy: try payload.text("policy"), provedAt: provedAt,
            promises: try payload.inners("promises").map { try KeptPromise($0) })
    }
}

extension KeptPromise {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "name": .string(name), "point": .string(point.rawValue), "kind": .string(kind), "status": .string(status),
        ]
        object["reason"] = reason.map { .string($0) }
        return .object(object)
    }

    fileprivate init(_ payload: EventPayload) throws {
        guard let point = DecisionPoint(rawValue: try payload.text("point")) else {
            throw DeskError.event("A promise does not name a decision point.")
        }
        self.init(
            name: try payload.text("name"), point: point, kind: try payload.text("kind"),
            status: try payload.text("status"), reason: try payload.optionalText("reason"))
    }
}
