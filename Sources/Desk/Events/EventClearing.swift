import Circulation
package import TextFormats

/// Payloads were cleared of personal data; the chain of events still proves the rest.
package struct EventClearing: EventContent {
    /// An event that was cleared.
    package struct Cleared: Hashable, Sendable {
        package var event: Int64
        /// The digest of its payload as it was written, with a salt that is gone.
        package var was: String
        /// The digest of its payload as it is from now on.
        package var isNow: String

        package init(event: Int64, was: String, isNow: String) {
            self.event = event
            self.was = was
            self.isNow = isNow
        }
    }

    /// The most payloads that one event covers.
    static let most = 200

    package var patron: Int64
    package var events: [Cleared]

    package init(patron: Int64, events: [Cleared]) {
        self.patron = patron
        self.events = events
    }

    package init(_ payload: EventPayload) throws {
        patron = try payload.integer("patron")
        events = try payload.inners("events").map {
            Cleared(event: try $0.integer("event"), was: try $0.text("was"), isNow: try $0.text("is"))
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("patron", patron)
        writer.list("events", events) { writer, cleared in
            writer.member("event", cleared.event)
            writer.member("was", cleared.was)
            writer.member("is", cleared.isNow)
        }
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("patron_id", \.patron, "the id of the record that was removed or merged"),
        .entries(
            "events", \.events,
            [
                EventMember("event", \.event, "the sequence of an event that was cleared"),
                EventMember("was", \.was, "the digest of its payload before"),
                EventMember("is", \.isNow, "the digest of its payload from now on"),
            ]),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}
