package import Circulation

/// A message as it is meant; ``bytes()`` is the message as it is sent.
package struct MailMessage: Hashable, Sendable {
    /// A file that comes with it.
    package struct Attachment: Hashable, Sendable {
        package var name: String
        /// `text/csv`, `application/pdf`; anything else than letters, digits, `/ . + -` makes it `application/octet-stream`.
        package var type: String
        package var bytes: [UInt8]

        package init(name: String, type: String, bytes: [UInt8]) {
            self.name = name
            self.type = type
            self.bytes = bytes
        }
    }

    /// What stands between `<` and `>` of its Message-ID, the same at each try.
    package var id: MessageID
    package var date: Instant
    package var from: MailParty
    package var replyTo: MailParty?
    package var to: [MailParty]
    package var subject: String
    package var text: String
    /// The same in HTML; nil: plain text alone.
    package var html: String?
    package var attachments: [Attachment]

    package init(
        id: MessageID, date: Instant, from: MailParty, replyTo: MailParty? = nil, to: [MailParty], subject: String,
        text: String, html: String? = nil, attachments: [Attachment] = []
    ) {
        self.id = id
        self.date = date
        self.from = from
        self.replyTo = replyTo
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.attachments = attachments
    }
}

/// The unique name of a message, `left@right` (RFC 5322, section 3.6.4).
package struct MessageID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - left: what is unique to the right of which it stands.
    ///   - right: who made it, in the manner of a domain.
    /// - Returns: nil unless both are atoms with dots between them, and short enough for one line.
    package init?(left: String, right: String) {
        let text = "\(left)@\(right)"
        let isDotted = [left, right].allSatisfy { side in
            side.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.allSatisfy(EmailAddress.isAtom) }
        }
        guard isDotted, text.utf8.count <= 200 else { return nil }
        description = text
    }
}
