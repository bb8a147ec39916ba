package import Circulation

/// What patrons write to each other about offers.
package struct ConversationRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Conversation>()
    private static let latest = Query(
        "SELECT \(columns) FROM conversations WHERE listing = ? AND asker = ? ORDER BY id DESC LIMIT 1")
    private static let ofPatron = Query(
        """
        SELECT \(columns) FROM conversations WHERE asker = ? OR owner = ?
        ORDER BY last_at DESC, id DESC LIMIT ? OFFSET ?
        """)
    private static let growth = Query("UPDATE conversations SET messages = ?, last_at = ? WHERE id = ?")
    private static let askerReading = Query(
        "UPDATE conversations SET asker_read = ? WHERE id = ? AND asker = ? AND asker_read < ?")
    private static let ownerReading = Query(
        "UPDATE conversations SET owner_read = ? WHERE id = ? AND owner = ? AND owner_read < ?")

    /// The latest that a patron began about a listing.
    package func latest(listing: Int64, asker: Int64) throws(StoreError) -> Conversation? {
        try first(Self.latest, [.integer(listing), .integer(asker)])
    }

    /// A patron's conversations, the one with the latest message first.
    package func of(patron: Int64, _ part: ListPart) throws(StoreError) -> [Conversation] {
        try all(Self.ofPatron, [.integer(patron), .integer(patron)] + part.values)
    }

    /// Counts a message that was added. Who sent it has read what came before.
    package func note(_ message: Message) throws(StoreError) {
        try transaction.execute(
            Self.growth, [.integer(message.number), .instant(message.sentAt), .integer(message.conversation)])
        if let sender = message.sender { try setRead(message.number, by: sender, in: message.conversation) }
    }

    /// Notes up to which message a patron who takes part has read; never back.
    package func setRead(_ number: Int64, by patron: Int64, in conversation: Int64) throws(StoreError) {
        let values: [StoredValue] = [
            .integer(number), .integer(conversation), .integer(patron), .integer(number),
        ]
        try transaction.execute(Self.askerReading, values)
        try transaction.execute(Self.ownerReading, values)
    }
}

/// The messages of conversations.
package struct MessageRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Message>()
    private static let ofConversation = Query(
        "SELECT \(columns) FROM messages WHERE conversation = ? AND number > ? ORDER BY number LIMIT ?")
    private static let blanking = Query("UPDATE messages SET text = '' WHERE sender = ?")

    /// The next messages of a conversation by their numbers.
    package func of(conversation: Int64, after number: Int64, limit: Int64) throws(StoreError) -> [Message] {
        try all(Self.ofConversation, [.integer(conversation), .integer(number), .integer(limit)])
    }

    /// Takes a patron's words out of all their messages: what stands outside the events.
    package func forgetTexts(of sender: Int64) throws(StoreError) {
        try transaction.execute(Self.blanking, [.integer(sender)])
    }
}

/// From whom patrons take no messages.
package struct BlockedWriterRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<BlockedWriter>()
    private static let ofPatron = Query(
        "SELECT \(columns) FROM blocked_writers WHERE patron = ? AND writer = ? ORDER BY id LIMIT 1")

    /// What a patron has said of a writer; nil: they may write.
    package func find(patron: Int64, writer: Int64) throws(StoreError) -> BlockedWriter? {
        try first(Self.ofPatron, [.integer(patron), .integer(writer)])
    }
}
