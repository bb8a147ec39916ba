extension Conversation: NumberedRecord {
    package static let blank = Conversation(listing: 0, asker: nil, owner: nil, begunAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Conversation>(
        "a conversation", in: "conversations",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("listing", \.listing, "what it is about", .reference(.listing)),
            .init("asker", \.asker, "who wrote first; nil once the patron is removed", .reference(.patron)),
            .init("owner", \.owner, "who offers it; nil once the patron is removed", .reference(.patron)),
            .init("begun_at", \.begunAt),
            .init("last_at", \.lastAt, "when the last message was sent", usually: { $0.begunAt }),
            .init("messages", \.messages, "how many it has", .count, usual: 0),
            .init("asker_read", \.askerRead, "up to which number the asker has read", .count, usual: 0),
            .init("owner_read", \.ownerRead, "up to which number the owner has read", .count, usual: 0),
            .init("import_key", \.importKey, isInternal: true),
        ])
}

extension Message: NumberedRecord {
    package static let blank = Message(
        conversation: 0, number: 0, sender: nil, text: "", sentAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Message>(
        "a message", in: "messages",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("conversation", \.conversation, "the conversation's id", .reference(.conversation)),
            .init("number", \.number, "its place in the conversation, from 1 on", .count),
            .init("sender", \.sender, "nil once the patron is removed", .reference(.patron)),
            .init("text", \.text, "the sender's own words", isPersonal: true),
            .init("sent_at", \.sentAt),
        ])
}

extension BlockedWriter: NumberedRecord {
    package static let blank = BlockedWriter(patron: 0, writer: 0, blockedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<BlockedWriter>(
        "a blocked writer", in: "blocked_writers",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "who takes no messages", .reference(.patron)),
            .init("writer", \.writer, "from whom", .reference(.patron)),
            .init("blocked_at", \.blockedAt),
        ])
}
