import Circulation
import Desk
import Foundation
import Outbound
import Reports

/// Sends a letter: about an account, or with a report.
struct ReportPost {
    let mail: DeliverySettings.Mail
    let to: [String]
    var isStopped: () -> Bool = { false }

    /// The largest attachment in bytes; most mail servers refuse larger ones.
    static let largest = 20 << 20

    /// - Throws: ``OutboundFailure``.
    func send(_ letter: Letter, id: MessageID, date: Instant) throws(OutboundFailure) {
        var parties: [MailParty] = []
        for text in to {
            guard let party = MailParty(text) else {
                throw OutboundFailure(.badAddress, "'\(text)' is not an address that mail can go to.")
            }
            parties.append(party)
        }
        let message = MailMessage(
            id: id, date: date, from: mail.from, replyTo: mail.replyTo, to: parties, subject: letter.subject,
            text: letter.text, html: letter.html, attachments: letter.attached.map { [$0] } ?? [])
        try mail.server.send(
            message.bytes(), from: mail.from.address, to: parties.map(\.address), isStopped: isStopped)
    }

    /// A file as it is attached, with the type that its name implies.
    static func attachment(_ path: String, _ bytes: Data) -> MailMessage.Attachment {
        let url = URL(filePath: path)
        let type = ReportOutput.allCases.first { $0.fileExtension == url.pathExtension.lowercased() }?.mediaType
        let bare = type?.split(separator: ";").first.map(String.init)
        return MailMessage.Attachment(
            name: url.lastPathComponent, type: bare ?? "application/octet-stream", bytes: Array(bytes))
    }
}

extension DeliverySettings {
    /// - Throws: ``CommandFailure`` where no mail server is set up.
    func mailNeeded(for what: String) throws(CommandFailure) -> Mail {
        guard let mail else {
            throw CommandFailure(
                .wrongUsage, code: "configuration",
                message: "\(what) needs a table [mail] with the mail server in moonshelf.toml: docs/delivery.md.")
        }
        return mail
    }
}

extension CommandFailure {
    /// A permanent refusal is final; other failures are tried again.
    init(_ failure: OutboundFailure) {
        self.init(
            failure.isFinal ? .refused : .unreachable, code: failure.code.rawValue,
            message: "The mail did not go out: \(failure.message)")
    }
}
