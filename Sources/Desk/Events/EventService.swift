import Circulation
import Storage

/// What happened, in the order in which it was written down.
package struct EventService {
    let session: DeskSession

    package func list(_ query: EventQuery) throws -> [Event] {
        var events: [Event] = []
        try each(query) { event in
            events.append(event)
            return true
        }
        return events
    }

    /// Streams events; the body may write, and ends the reading by returning false.
    package func each(_ query: EventQuery, _ body: (Event) throws -> Bool) throws {
        var filter = EventFilter(
            since: query.from, kinds: query.kind.map { [$0] }, copy: query.copy, loan: query.loan)
        filter.patrons = try query.patron.map(session.patrons.identities(of:))
        var rest = query.limit ?? .max
        guard rest > 0 else { return }
        var names: [String: String?] = [:]
        try session.transaction.events.forEach(filter, after: query.since ?? 0) { record in
            rest -= 1
            var event = Event(record)
            if names.count > 10_000 { names = [:] }
            event.actorUsername = try names[record.actor] ?? username(ofActor: record.actor)
            names[record.actor] = .some(event.actorUsername)
            return try body(event) && rest > 0
        }
    }

    /// The present username of an actor of events; nil for a program and for a removed patron.
    package func username(ofActor name: String) throws -> String? {
        guard let id = ActorName.patronID(name) else { return nil }
        return try session.transaction.patrons.get(id)?.username
    }

    /// The sequence number of the last event; 0 before the first.
    package func last() throws -> Int64 {
        try session.transaction.events.lastSequence()
    }
}

extension Event {
    init(_ record: EventRecord) {
        self.init(
            sequence: record.sequence, at: record.at, actor: record.actor, channel: record.channel?.rawValue ?? "",
            kind: record.kind, version: record.version, payload: record.payload, request: record.requestID,
            ordinal: record.ordinal, patron: record.patron, copy: record.copy, loan: record.loan)
    }
}
