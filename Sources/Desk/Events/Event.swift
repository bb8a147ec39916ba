package import Circulation
import TextFormats

/// Something that happened at the desk, as it was written down.
package struct Event: Hashable, Sendable {
    package var sequence: Int64
    package var at: Instant
    /// Who or what did it: `patron:ID`, or a program.
    package var actor: String
    /// The present username of the patron that ``actor`` names; nil for a program and for a removed patron.
    package var actorUsername: String?
    package var channel: String
    /// `loan.made`, `title.added` and the like: see ``EventKinds``.
    package var kind: String
    /// The version of the payload's shape.
    package var version: Int64
    /// JSON. Personal values are never part of it: ids, and the names of the fields that changed, stand for them.
    package var payload: String
    /// The request in which it happened, and its place in it.
    package var request: String
    package var ordinal: Int64
    package var patron: Int64?
    package var copy: Int64?
    package var loan: Int64?

    /// What happened, read back.
    ///
    /// - Throws: ``DeskError`` if the kind, the version or the payload is not known here.
    package func body() throws -> EventBody {
        guard let declared = EventKinds.named(kind), version == EventBody.version else {
            throw DeskError.event("Event \(sequence) is of the kind \(kind), version \(version), unknown here.")
        }
        do {
            guard case .object(let object) = try JSONParser.parse(payload) else {
                throw DeskError.event("Event \(sequence) has no object as its payload.")
            }
            return try declared.body(of: EventPayload(object, kind: kind))
        } catch let error as TextError {
            throw DeskError.event("Event \(sequence) cannot be read: \(error.message)")
        }
    }
}
