import Circulation
import Desk
import LuaRuntime
import Market

/// A conversation with the names of what it is about and of who takes part.
struct ConversationRow: Sendable {
    let conversation: Conversation
    let name: String
    let asker: String?
    let owner: String?

    init(_ conversation: Conversation, in session: DeskSession) throws {
        self.conversation = conversation
        name = try session.market.get(conversation.listing).map { try session.market.label(of: $0) } ?? ""
        asker = try conversation.asker.flatMap { try session.patrons.get(.id($0))?.publicName }
        owner = try conversation.owner.flatMap { try session.patrons.get(.id($0))?.publicName }
    }
}

/// A message with the name of who sent it.
struct MessageRow: Sendable {
    let message: Message
    let sender: String?

    init(_ message: Message, in session: DeskSession) throws {
        self.message = message
        sender = try message.sender.flatMap { try session.patrons.get(.id($0))?.publicName }
    }
}

extension APIRecord<ConversationRow> {
    static let conversation = APIRecord(
        "conversation", "What two patrons write to each other about a listing.",
        APIRecord.declared { $0.conversation } + [
            always("name", .text, "the name of the title that is offered") { .string($0.name) },
            maybe("asker_name", .text, "as other patrons see the asker") { .text($0.asker) },
            maybe("owner_name", .text, "as other patrons see the owner") { .text($0.owner) },
        ])
}

extension APIRecord<MessageRow> {
    static let message = APIRecord(
        "message", "One message of a conversation.",
        APIRecord.declared { $0.message } + [
            maybe("sender_name", .text, "as other patrons see the sender") { .text($0.sender) }
        ])
}
