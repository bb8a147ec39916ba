/// A way by which messages reach patrons, declared once: what a message needs, where it is set up, what scripts may name.
package struct NoticeChannel: Hashable, Sendable {
    /// What of a patron a message is sent to.
    package enum Address: Hashable, Sendable { case email, phone }

    /// Who carries a message out of the library.
    package enum Carrier: Hashable, Sendable {
        /// A mail server.
        case mail
        /// A web address, to which it is posted.
        case post
        /// A plugin.
        case plugin
    }

    /// As notices, policies and scripts write it.
    package let name: String
    /// For a person, behind "by".
    package let words: String
    /// nil: it stays in the library.
    package let carrier: Carrier?
    /// nil: it needs none.
    package let address: Address?
    /// The table of a process's configuration that sets it up; empty: it needs none.
    package let table: String

    /// Whether several notices of one patron can be one message here: a mail has room for them, and a text to a phone, a post to
    /// a program and a plugin's function take one notice each.
    package var isGathering: Bool { carrier == .mail }

    /// In the patron's account, where it is at once.
    package static let inbox = NoticeChannel(name: "inbox", words: "inbox", carrier: nil, address: nil, table: "")
    package static let email = NoticeChannel(
        name: "email", words: "mail", carrier: .mail, address: .email, table: "mail")

    /// Those of the program itself. Plugins add others, by names such as `courier:pager`.
    package static let all: [NoticeChannel] = [
        inbox, email,
        NoticeChannel(name: "sms", words: "SMS gateway", carrier: .post, address: .phone, table: "sms"),
        NoticeChannel(name: "webhook", words: "webhook", carrier: .post, address: nil, table: "webhook"),
    ]

    /// Those that leave the library.
    package static let sent = all.filter { $0.carrier != nil }

    /// The one of a name; nil: there is none, and what names it is given up when it is to be sent. Of the form of a
    /// plugin's there may always be one.
    package static func named(_ name: String) -> NoticeChannel? {
        if let known = all.first(where: { $0.name == name }) { return known }
        guard PluginPart(name) != nil else { return nil }
        return NoticeChannel(name: name, words: "plugin", carrier: .plugin, address: nil, table: "")
    }
}
