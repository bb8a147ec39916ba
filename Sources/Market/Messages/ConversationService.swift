package import Circulation
package import Desk
import Storage
import TextFormats

/// What patrons write to each other about listings. Each sees the other's public name and nothing else, and may take no
/// more messages from the other.
package struct ConversationService {
    /// What a message is about.
    package enum Subject: Hashable, Sendable {
        /// A listing, whose seller it goes to.
        case listing(Int64)
        /// A conversation, whose other side it goes to.
        case conversation(Int64)
    }

    let session: DeskSession

    private var conversations: ConversationRepository { session.transaction.conversations }
    private var blocked: BlockedWriterRepository { session.transaction.blockedWriters }

    /// The longest text of a message, in bytes.
    package static let longestText = 5_000

    // MARK: - Reading

    /// A patron's conversations, the one with the latest message first; none for an unknown patron.
    package func list(of key: PatronKey, _ part: ListPart = ListPart(limit: 50)) throws -> [Conversation] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try conversations.of(patron: patron.id, part)
    }

    /// A conversation, whoever takes part.
    package func get(_ id: Int64) throws -> Conversation? { try conversations.get(id) }

    /// A conversation in which a patron takes part; nil for others.
    package func get(_ id: Int64, of key: PatronKey) throws -> Conversation? {
        guard let patron = try session.patrons.get(key), let found = try conversations.get(id), found.isOf(patron.id)
        else { return nil }
        return found
    }

    /// A part of the messages of a conversation in which a patron takes part, by their numbers; nil for others.
    package func messages(
        of id: Int64, reader key: PatronKey, _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Message]? {
        guard try get(id, of: key) != nil else { return nil }
        // Numbers have no gap.
        return try session.transaction.messages.of(conversation: id, after: part.offset, limit: part.limit)
    }

    /// Whether a patron takes no messages from another.
    package func isBlocked(_ writer: Int64, by patron: Int64) throws -> Bool {
        try blocked.find(patron: patron, writer: writer) != nil
    }

    // MARK: - Writing

    /// Writes to the seller of a listing, or to the other side of a conversation, who is told by mail.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_listing`, `not_offered`, `own_listing`, `no_owner` (the
    /// library's own), `unknown_conversation` (others' too), `no_reader` (the other side was removed), `blocked` (they take
    /// no messages from the writer, or the writer none from them).
    package func write(_ text: String, from key: PatronKey, about subject: Subject) throws -> Outcome<Message> {
        try Self.check(text)
        let trail = RequestTrail("messages.write")
        return try session.request(trail) {
            let sender = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            let conversation =
                switch subject {
                case .listing(let id): try self.conversation(about: session.market.known(id, trail), from: sender)
                case .conversation(let id): try known(id, of: sender)
                }
            let message = try add(text, from: sender, to: conversation)
            try tell(conversation, text, from: sender, subjectKey: "contact:\(sender.id):message:\(message.id)")
            return message
        }
    }

    /// - Throws: ``DeskError`` for a text that is blank or too long.
    static func check(_ text: String, field: String = "text") throws {
        guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= longestText else {
            throw DeskError.input(field, "A message must be 1 to \(longestText) bytes long.")
        }
    }

    /// The conversation that a patron has with the seller of a listing, begun if there is none.
    ///
    /// - Throws: ``Refused``.
    func conversation(about listing: Listing, from sender: Patron) throws -> Conversation {
        guard listing.state == .active || listing.state == .hidden else {
            throw Refused(Refusal.Code.notOffered, "The offer \(listing.id) is no longer available.")
        }
        guard let seller = listing.seller else {
            throw Refused("no_owner", "The library itself offers this. Please ask at the desk.")
        }
        guard seller != sender.id else {
            throw Refused(
                "own_listing",
                "You cannot do that with your own offer or review.")
        }
        if let begun = try conversations.latest(listing: listing.id, asker: sender.id), begun.owner == seller {
            return begun
        }
        try checkBlocks(sender.id, seller)
        let conversation = Conversation(
            listing: listing.id, asker: sender.id, owner: seller, begunAt: session.now)
        guard let begun = try session.record(.conversationBegun, conversation)?.content else {
            throw DeskError.input(nil, "The conversation could not be saved.")
        }
        return begun
    }

    /// Adds a message, and says nothing of it.
    ///
    /// - Throws: ``Refused``.
    @discardableResult
    func add(_ text: String, from sender: Patron, to conversation: Conversation) throws -> Message {
        guard let reader = conversation.other(than: sender.id) else {
            throw Refused("no_reader", "The person you are writing to is no longer a member.")
        }
        try checkBlocks(sender.id, reader)
        let message = Message(
            conversation: conversation.id, number: conversation.messages + 1, sender: sender.id, text: text,
            sentAt: session.now)
        guard let added = try session.record(.messageSent, message)?.content else {
            throw DeskError.input(nil, "The message could not be saved.")
        }
        return added
    }

    /// Tells the other side of a message, by the channels that the policy's `notify` chooses.
    ///
    /// - Returns: nil if a notice of that key is there, or the policy wants none.
    @discardableResult
    func tell(
        _ conversation: Conversation, _ text: String, from sender: Patron, subjectKey: String
    ) throws -> Notice? {
        guard let reader = conversation.other(than: sender.id),
            let listing = try session.market.get(conversation.listing)
        else { return nil }
        let label = try session.market.label(of: listing)
        return try session.market.tell(
            reader, about: listing, subjectKey: subjectKey,
            subject: reader == conversation.owner ? "your listing: \(label)" : label,
            "\(sender.publicName) writes about \(label):\n\n\(text)\n"
        ).first
    }

    /// Notes that a patron has read all messages of a conversation.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_conversation`.
    package func markRead(_ id: Int64, of key: PatronKey) throws -> Outcome<Conversation> {
        try change("messages.mark_read", id, of: key) { conversation, patron in
            guard conversation.unread(by: patron.id) > 0 else { return }
            let reading = ConversationReading(
                conversation: id, patron: patron.id, number: conversation.messages)
            try session.record(.conversationRead, reading)
        }
    }

    /// Has a patron take no more messages from the other side of a conversation, in this and in others.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_conversation`, `no_reader`.
    package func block(_ id: Int64, by key: PatronKey) throws -> Outcome<Conversation> {
        try change("messages.block", id, of: key) { conversation, patron in
            guard let writer = conversation.other(than: patron.id) else {
                throw Refused("no_reader", "This person is no longer a member.")
            }
            guard try blocked.find(patron: patron.id, writer: writer) == nil else { return }
            let block = BlockedWriter(patron: patron.id, writer: writer, blockedAt: session.now)
            try session.record(.writerBlocked, block)
        }
    }

    /// Has a patron take messages from the other side of a conversation again.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_conversation`.
    package func unblock(_ id: Int64, by key: PatronKey) throws -> Outcome<Conversation> {
        try change("messages.unblock", id, of: key) { conversation, patron in
            // After two records became one there may be two.
            while let writer = conversation.other(than: patron.id),
                let block = try blocked.find(patron: patron.id, writer: writer)
            {
                try session.record(
                    .writerUnblocked, WriterUnblocking(id: block.id, patron: patron.id, writer: writer))
            }
        }
    }

    /// - Returns: the conversation as it is behind the change.
    private func change(
        _ name: String, _ id: Int64, of key: PatronKey, _ body: (Conversation, Patron) throws -> Void
    ) throws -> Outcome<Conversation> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            try body(try known(id, of: patron), patron)
            return try known(id, of: patron)
        }
    }

    private func known(_ id: Int64, of patron: Patron) throws -> Conversation {
        guard let found = try conversations.get(id), found.isOf(patron.id) else {
            throw Refused("unknown_conversation", "There is no conversation \(id).")
        }
        return found
    }

    private func checkBlocks(_ sender: Int64, _ reader: Int64) throws {
        guard try !isBlocked(sender, by: reader) else {
            throw Refused("blocked", "This member does not accept messages from you.")
        }
        guard try !isBlocked(reader, by: sender) else {
            throw Refused("blocked", "You have blocked messages from this member. Accept them again first.")
        }
    }
}
