package import Circulation
import Storage

// Conversations of the market.
extension EventKinds {
    static let conversations: [any AnyEventKind] = [
        EventKind.conversationBegun, EventKind.conversationRead, EventKind.messageSent, EventKind.writerBlocked,
        EventKind.writerUnblocked,
    ]
}

extension EventKind where Content == Conversation {
    package static var conversationBegun: Self {
        EventKind(adding: "conversation.begun", "A patron wrote to who offers something.", isOfLending: false) {
            try $1.conversations.insert($0)
        }
    }
}

extension EventKind where Content == Message {
    package static var messageSent: Self {
        EventKind(adding: "message.sent", "A message was added to a conversation.", isOfLending: false) {
            let id = try $1.messages.insert($0)
            try $1.conversations.note($0)
            return id
        }
    }
}

extension EventKind where Content == ConversationReading {
    package static var conversationRead: Self {
        EventKind(writing: "conversation.read", "A patron has read a conversation.", isOfLending: false) {
            try $1.conversations.setRead($0.number, by: $0.patron, in: $0.conversation)
        }
    }
}

extension EventKind where Content == BlockedWriter {
    package static var writerBlocked: Self {
        EventKind(adding: "writer.blocked", "A patron takes no more messages from another.", isOfLending: false) {
            try $1.blockedWriters.insert($0)
        }
    }
}

extension EventKind where Content == WriterUnblocking {
    package static var writerUnblocked: Self {
        EventKind(writing: "writer.unblocked", "A patron takes messages from another again.", isOfLending: false) {
            try $1.blockedWriters.remove($0.id)
        }
    }
}

extension Conversation: EventContent {
    package static let eventMembers = declaredMembers(.conversation)
    package var subjects: EventSubjects { EventSubjects(patron: asker) }
}

extension Message: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "message"])
    package var subjects: EventSubjects { EventSubjects(patron: sender) }
}

extension BlockedWriter: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "block"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// How far a patron has read a conversation.
package struct ConversationReading: EventContent {
    package var conversation: Int64
    package var patron: Int64
    /// Up to which message.
    package var number: Int64

    package init(conversation: Int64, patron: Int64, number: Int64) {
        self.conversation = conversation
        self.patron = patron
        self.number = number
    }

    package static let blank = ConversationReading(conversation: 0, patron: 0, number: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.conversation, \.conversation), EventMember(.patron, \.patron),
        EventMember("number", \.number, "up to which message"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A writer from whom a patron takes messages again.
package struct WriterUnblocking: EventContent {
    package var id: Int64
    package var patron: Int64
    package var writer: Int64

    package init(id: Int64, patron: Int64, writer: Int64) {
        self.id = id
        self.patron = patron
        self.writer = writer
    }

    package static let blank = WriterUnblocking(id: 0, patron: 0, writer: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("block", \.id, stored: "id", "the id that it had"), EventMember(.patron, \.patron),
        EventMember(.patron, \.writer, as: "writer"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}
