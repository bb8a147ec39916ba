/// A request to a server outside: it waits in the outbox until the server has taken it, or until it is given up.
package struct OutgoingRequest: Hashable, Sendable {
    /// How it stands.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// It waits to be sent, or to be sent again.
        case queued
        /// The server has taken it.
        case sent
        /// It was given up.
        case failed
    }

    package var id: Int64
    /// Whose it is: `plugin:NAME` or `webhook:ID`.
    package var owner: String
    /// What makes it one and the same at each try, for ever: the value of `webhook-id`.
    package var message: String
    package var method: String
    package var url: String
    /// Host and port.
    package var place: String
    /// The media type of the body.
    package var type: String
    /// Further fields, `Name: value`; they go with the body once it was sent.
    package var headers: [String]
    package var body: String
    /// Whom it is about; it goes with the patron.
    package var patron: Int64?
    package var state: State
    package var tries: Int64
    package var createdAt: Instant
    /// Since when it waits: once more, if it was given up before.
    package var queuedAt: Instant
    /// When it is tried next; while a worker has it in hand, when others may take it.
    package var dueAt: Instant
    /// The worker that has it in hand.
    package var worker: String?
    /// When it was sent or given up.
    package var endedAt: Instant?
    /// What the server answered last, as a status of HTTP.
    package var status: Int64?
    /// A word for why the last try was in vain, and what happened.
    package var failure: String?
    package var words: String?

    package init(
        id: Int64 = 0, owner: String, message: String, method: String, url: String, place: String, type: String,
        headers: [String] = [], body: String, patron: Int64? = nil, state: State = .queued, tries: Int64 = 0,
        createdAt: Instant, queuedAt: Instant, dueAt: Instant, worker: String? = nil, endedAt: Instant? = nil,
        status: Int64? = nil, failure: String? = nil, words: String? = nil
    ) {
        self.id = id
        self.owner = owner
        self.message = message
        self.method = method
        self.url = url
        self.place = place
        self.type = type
        self.headers = headers
        self.body = body
        self.patron = patron
        self.state = state
        self.tries = tries
        self.createdAt = createdAt
        self.queuedAt = queuedAt
        self.dueAt = dueAt
        self.worker = worker
        self.endedAt = endedAt
        self.status = status
        self.failure = failure
        self.words = words
    }

    /// The owner that a plugin is.
    package static func owner(plugin: String) -> String { "plugin:\(plugin)" }
    /// The owner that a subscription is.
    package static func owner(webhook: Int64) -> String { "webhook:\(webhook)" }
}

/// A program outside that wants to hear what happens.
package struct Webhook: Hashable, Sendable {
    /// How it stands.
    package enum State: String, CaseIterable, Hashable, Sendable {
        case active
        /// Its server did not take anything for long, or said that it wants nothing more; events wait.
        case paused
    }

    package var id: Int64
    /// Where events are posted.
    package var url: String
    /// The names of the events that it wants; empty: all.
    package var events: [String]
    package var note: String
    package var state: State
    /// The sequence of the last event that is in the outbox, or does not concern it.
    package var position: Int64
    package var createdAt: Instant
    /// Since when each try was in vain; nil: the last one was not.
    package var failingSince: Instant?

    package init(
        id: Int64 = 0, url: String, events: [String], note: String = "", state: State = .active, position: Int64,
        createdAt: Instant, failingSince: Instant? = nil
    ) {
        self.id = id
        self.url = url
        self.events = events
        self.note = note
        self.state = state
        self.position = position
        self.createdAt = createdAt
        self.failingSince = failingSince
    }
}
