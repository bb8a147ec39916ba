package import Circulation

/// A change or a refused request, as it is written down.
package struct EventRecord: Hashable, Sendable {
    /// Its place among all events, from 1; 0 before it is written.
    package var sequence: Int64
    package var at: Instant
    /// Who or what did it: an ``ActorName``.
    package var actor: String
    package var channel: ActorFacts.Channel?
    /// `loan.lent` and the like.
    package var kind: String
    /// The version of the payload's shape.
    package var version: Int64
    /// A JSON object, without personal data.
    package var payload: String
    /// With the ordinal unique where a caller named the request: repeated, it writes nothing twice. The desk's own ids, which
    /// are never given again, begin with ``unnamedRequest``.
    package var requestID: String
    package var ordinal: Int64
    package var patron: Int64?
    package var copy: Int64?
    package var loan: Int64?

    /// What the id of a request begins with that no caller named.
    package static let unnamedRequest: Character = "~"

    package init(
        sequence: Int64 = 0, at: Instant, actor: String, channel: ActorFacts.Channel? = nil, kind: String,
        version: Int64 = 1, payload: String, requestID: String, ordinal: Int64 = 0, patron: Int64? = nil,
        copy: Int64? = nil, loan: Int64? = nil
    ) {
        self.sequence = sequence
        self.at = at
        self.actor = actor
        self.channel = channel
        self.kind = kind
        self.version = version
        self.payload = payload
        self.requestID = requestID
        self.ordinal = ordinal
        self.patron = patron
        self.copy = copy
        self.loan = loan
    }
}
