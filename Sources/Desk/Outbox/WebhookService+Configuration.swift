import Circulation
import Storage
import TextFormats

/// A subscription that the configuration of a machine names.
package struct ConfiguredWebhook: Hashable, Sendable {
    package var name: String
    package var url: String
    /// The names of the events that it wants; empty: all.
    package var events: [String]
    /// What signs its events; nil: one is made.
    package var secret: String?

    package init(name: String, url: String, events: [String], secret: String?) {
        self.name = name
        self.url = url
        self.events = events
        self.secret = secret
    }

    /// The note by which its subscription is known.
    fileprivate var note: String { Self.mark + name }
    fileprivate static let mark = "moonshelf.toml: "
}

// Subscriptions of a configuration: known by their notes, and otherwise as all are.
extension WebhookService {
    private func configured() throws -> [Webhook] {
        try list().filter { $0.note.hasPrefix(ConfiguredWebhook.mark) }
    }

    private func isAs(_ webhook: Webhook, _ wanted: ConfiguredWebhook) throws -> Bool {
        guard webhook.url == wanted.url, webhook.events == wanted.events else { return false }
        guard let secret = wanted.secret else { return true }
        return try session.outbox.outbox.secret(of: OutgoingRequest.owner(webhook: webhook.id)) == secret
    }

    /// Whether the subscriptions of a configuration are as it has them.
    package func have(_ wanted: [ConfiguredWebhook]) throws -> Bool {
        let configured = try configured()
        return try configured.count == wanted.count
            && wanted.allSatisfy { one in
                try configured.contains { try $0.note == one.note && isAs($0, one) }
            }
    }

    /// Brings the subscriptions of a configuration in line with it: a new one begins now, one that is changed goes on where it
    /// is, and one that is not named any more ends. Refused with `bad_url`, `too_many_webhooks`.
    package func configure(_ wanted: [ConfiguredWebhook], by sender: any RequestSender) throws -> Outcome<Void> {
        try session.request("webhooks.add") {
            let configured = try configured()
            for webhook in configured where !wanted.contains(where: { $0.note == webhook.note }) {
                try end(webhook)
            }
            for one in wanted {
                guard let webhook = configured.first(where: { $0.note == one.note }) else {
                    _ = try make(one.url, events: one.events, note: one.note, secret: one.secret, by: sender)
                    continue
                }
                if try !isAs(webhook, one) { try change(webhook, to: one, by: sender) }
            }
        }
    }

    private func change(_ webhook: Webhook, to wanted: ConfiguredWebhook, by sender: any RequestSender) throws {
        var webhook = webhook
        let address = try address(wanted.url, sender)
        (webhook.url, webhook.events) = (wanted.url, wanted.events)
        (webhook.state, webhook.failingSince) = (.active, nil)
        try webhooks.update(webhook)
        if let secret = wanted.secret {
            try session.outbox.setSecret(secret, of: OutgoingRequest.owner(webhook: webhook.id))
        }
        try tell(webhook, "changed", address.place)
    }
}
