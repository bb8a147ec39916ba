/// A message to a patron, rendered when it was decided.
package struct Notice: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case queued, sent, failed, read, superseded, cancelled
    }

    package var id: Int64
    /// `overdue`, `due_soon`, `message` and the like.
    package var kind: String
    /// `loan:17`, or the sender's own key; with kind, due instant, stage and repetition unique.
    package var subjectKey: String
    package var patron: Int64
    package var loan: Int64?
    package var dueAt: Instant?
    package var stage: String
    package var repetition: Int64
    package var channel: String
    package var subject: String
    package var body: String
    package var state: State
    package var createdAt: Instant
    package var sentAt: Instant?
    package var readAt: Instant?
    package var tries: Int64
    /// The notice that carries this one's words; then it is never sent itself.
    package var carriedBy: Int64?
    /// Of a message of several, and of its parts: what it is written anew of when one of them goes.
    package var digest: DigestWords?
    /// Why the last try to send it was in vain: `refused`, `no_address` and the like.
    package var failure: String?

    package init(
        id: Int64 = 0, kind: String, subjectKey: String, patron: Int64, loan: Int64? = nil, dueAt: Instant? = nil,
        stage: String, repetition: Int64 = 0, channel: String, subject: String, body: String, state: State = .queued,
        createdAt: Instant, sentAt: Instant? = nil, readAt: Instant? = nil, tries: Int64 = 0,
        carriedBy: Int64? = nil, digest: DigestWords? = nil, failure: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.subjectKey = subjectKey
        self.patron = patron
        self.loan = loan
        self.dueAt = dueAt
        self.stage = stage
        self.repetition = repetition
        self.channel = channel
        self.subject = subject
        self.body = body
        self.state = state
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.readAt = readAt
        self.tries = tries
        self.carriedBy = carriedBy
        self.digest = digest
        self.failure = failure
    }
}

/// Of what a message of several is written.
package enum DigestWords: Hashable, Sendable {
    /// A part: its line in the list, filled.
    case line(String)
    /// What carries the parts: its templates, in the patron's language.
    case templates(subject: String, body: String)
}
