import Circulation
import Outbound
import Testing

/// Messages for tests.
enum Post {
    static func address(_ text: String) throws -> EmailAddress { try #require(EmailAddress(text)) }

    static func message(
        subject: String = "Hello", text: String = "Hello", html: String? = nil, name: String = "Ada",
        attachments: [MailMessage.Attachment] = []
    ) throws -> MailMessage {
        MailMessage(
            id: try #require(MessageID(left: "0a1b", right: "library.moonshelf")),
            date: try Instant(parsing: "2026-12-24T18:00:05Z"),
            from: MailParty(name: "The Library", address: try address("desk@example.org")),
            replyTo: MailParty(address: try address("answers@example.org")),
            to: [MailParty(name: name, address: try address("ada@example.org"))], subject: subject, text: text,
            html: html, attachments: attachments)
    }
}
