import Circulation

/// Payloads were cleared of personal data; the chain of events still proves the rest.
package struct EventClearing: EventContent {
    /// An event that was cleared.
    package struct Cleared: EventContent {
        package var event: Int64
        /// The digest of its payload as it was written, with a salt that is gone.
        package var was: String
        /// The digest of its payload as it is from now on.
        package var isNow: String

        package static let blank = Cleared(event: 0, was: "", isNow: "")
        package static let eventMembers: [EventMember<Self>] = [
            EventMember("event", \.event, "the sequence of an event that was cleared"),
            EventMember("was", \.was, "the digest of its payload before"),
            EventMember("is", \.isNow, "the digest of its payload from now on"),
        ]
    }

    /// The most payloads that one event covers.
    static let most = 200

    package var patron: Int64
    package var events: [Cleared]

    package static let blank = EventClearing(patron: 0, events: [])
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("patron_id", \.patron, stored: "patron", "the id of the record that was removed or merged"),
        .entries("events", \.events),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}
