package import Circulation
package import Desk
import Storage

// Conversations of another store, without telling anyone.
extension ImportService {
    /// Takes in a conversation; the key that was seen before changes nothing.
    package func conversation(_ conversation: Conversation) throws -> Imported<Conversation> {
        let key = try Self.key(conversation.importKey)
        return try rejecting {
            if let before = try self.conversation(called: key) { return .unchanged(before) }
            let conversations = session.transaction.conversations
            var conversation = conversation
            if try conversation.id <= 0 || conversations.get(conversation.id) != nil { conversation.id = 0 }
            if key == ExportKey.of("conversation", conversation.id, conversation.begunAt) {
                conversation.importKey = nil
            }
            guard conversation.askerRead >= 0, conversation.ownerRead >= 0 else {
                throw Refused("read", "The number of messages read cannot be negative.")
            }
            // Its messages come by themselves.
            conversation.messages = 0
            conversation.lastAt = conversation.begunAt
            guard
                let added = try session.record(.conversationBegun, conversation, at: conversation.begunAt)?.content
            else { throw DeskError.input(nil, "The conversation could not be added.") }
            return .added(added)
        }
    }

    /// Takes in the next message of a conversation; one whose number is there already changes nothing.
    package func message(_ message: Message) throws -> Imported<Message> {
        try rejecting {
            let messages = session.transaction.messages
            let present = try messages.of(conversation: message.conversation, after: message.number - 1, limit: 1).first
            if let present, present.number == message.number { return .unchanged(present) }
            let count = try session.transaction.conversations.get(message.conversation)?.messages ?? 0
            guard message.number == count + 1 else {
                throw Refused("number", "The next message of the conversation must have the number \(count + 1).")
            }
            var message = message
            if try message.id <= 0 || messages.get(message.id) != nil { message.id = 0 }
            guard let added = try session.record(.messageSent, message, at: message.sentAt)?.content
            else { throw DeskError.input(nil, "The message could not be added.") }
            return .added(added)
        }
    }

    /// Takes in a writer from whom a patron takes no messages, unless that is so already.
    package func blockedWriter(_ block: BlockedWriter) throws -> Imported<BlockedWriter> {
        try rejecting {
            let blocked = session.transaction.blockedWriters
            if let same = try blocked.find(patron: block.patron, writer: block.writer) { return .unchanged(same) }
            var block = block
            if try block.id <= 0 || blocked.get(block.id) != nil { block.id = 0 }
            guard let added = try session.record(.writerBlocked, block, at: block.blockedAt)?.content
            else { throw DeskError.input(nil, "The sender could not be blocked.") }
            return .added(added)
        }
    }
}
