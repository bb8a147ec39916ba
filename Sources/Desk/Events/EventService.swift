package import Circulation
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

    /// Streams events, those about a patron with those about records that became part of theirs; the body may write, and ends the reading by returning false.
    package func each(_ query: EventQuery, _ body: (Event) throws -> Bool) throws {
        var query = query
        query.patrons = try query.patrons?.flatMap(session.patrons.identities(of:))
        var names: [String: String?] = [:]
        try session.transaction.events.forEach(query) { record in
            var event = Event(record)
            if names.count > 10_000 { names = [:] }
            event.actorUsername = try names[record.actor] ?? username(ofActor: record.actor)
            names[record.actor] = .some(event.actorUsername)
            return try body(event)
        }
    }

    /// The present username of an actor of events; nil for a program and for a removed patron.
    package func username(ofActor name: String) throws -> String? {
        guard let id = ActorName.patronID(name) else { return nil }
        return try session.transaction.patrons.get(id)?.username
    }

    /// How people call an actor of events: by first and last name, or the username where there are none; a program, and a removed patron,
    /// as the events do.
    package func person(ofActor name: String) throws -> String {
        guard let id = ActorName.patronID(name), let patron = try session.transaction.patrons.get(id) else {
            return name
        }
        let names = [patron.name, patron.surname].filter { !$0.isEmpty }
        return names.isEmpty ? patron.username : names.joined(separator: " ")
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
