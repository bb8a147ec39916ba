/// What two patrons write to each other about something that one of them offers.
package struct Conversation: Hashable, Sendable {
    package var id: Int64
    package var listing: Int64
    /// Who wrote first; nil once the patron is removed.
    package var asker: Int64?
    /// Who offers it; nil once the patron is removed.
    package var owner: Int64?
    package var begunAt: Instant
    /// When the last message was sent.
    package var lastAt: Instant
    /// How many messages it has; each has its number, from 1 on.
    package var messages: Int64
    /// Up to which number the asker has read.
    package var askerRead: Int64
    /// Up to which number the owner has read.
    package var ownerRead: Int64
    /// Set for a conversation from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, listing: Int64, asker: Int64?, owner: Int64?, begunAt: Instant, lastAt: Instant? = nil,
        messages: Int64 = 0, askerRead: Int64 = 0, ownerRead: Int64 = 0, importKey: String? = nil
    ) {
        self.id = id
        self.listing = listing
        self.asker = asker
        self.owner = owner
        self.begunAt = begunAt
        self.lastAt = lastAt ?? begunAt
        self.messages = messages
        self.askerRead = askerRead
        self.ownerRead = ownerRead
        self.importKey = importKey
    }

    /// Whether a patron takes part.
    package func isOf(_ patron: Int64) -> Bool { asker == patron || owner == patron }

    /// Who else takes part; nil once that patron is removed.
    package func other(than patron: Int64) -> Int64? { patron == owner ? asker : owner }

    /// How many of its messages a patron who takes part has not read.
    package func unread(by patron: Int64) -> Int64 { max(0, messages - (patron == owner ? ownerRead : askerRead)) }
}

/// One message of a conversation.
package struct Message: Hashable, Sendable {
    package var id: Int64
    package var conversation: Int64
    /// Its place in the conversation, from 1 on.
    package var number: Int64
    /// nil once the patron is removed, and the text with the patron.
    package var sender: Int64?
    /// The sender's own words; no event repeats them.
    package var text: String
    package var sentAt: Instant

    package init(
        id: Int64 = 0, conversation: Int64, number: Int64, sender: Int64?, text: String, sentAt: Instant
    ) {
        self.id = id
        self.conversation = conversation
        self.number = number
        self.sender = sender
        self.text = text
        self.sentAt = sentAt
    }
}

/// A patron from whom another takes no messages.
package struct BlockedWriter: Hashable, Sendable {
    package var id: Int64
    /// Who takes none.
    package var patron: Int64
    /// From whom.
    package var writer: Int64
    package var blockedAt: Instant

    package init(id: Int64 = 0, patron: Int64, writer: Int64, blockedAt: Instant) {
        self.id = id
        self.patron = patron
        self.writer = writer
        self.blockedAt = blockedAt
    }
}
