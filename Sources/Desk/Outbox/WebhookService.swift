package import Circulation
import Secrets
import Storage
import TextFormats

/// Programs outside that have events posted to them.
package struct WebhookService {
    let session: DeskSession

    var webhooks: WebhookRepository { session.transaction.webhooks }

    /// How many subscriptions there may be.
    static let most = 100
    /// How many events wait in the outbox for one subscription; the rest waits in the log.
    static let mostWaiting: Int64 = 100
    /// So many events that do not concern a subscription are passed over before that is written down.
    static let mostPassed: Int64 = 1_000
    /// For how long tries may be in vain before a subscription is paused, in seconds: three days.
    static let patience: Int64 = 259_200

    /// All, by id.
    package func list() throws -> [Webhook] { try webhooks.list() }

    /// The subscription of an id.
    package func get(_ id: Int64) throws -> Webhook? { try webhooks.get(id) }

    /// How many events wait in the outbox for a subscription, or were given up.
    package func count(_ state: OutgoingRequest.State, of id: Int64) throws -> Int64 {
        try session.outbox.count(state, of: OutgoingRequest.owner(webhook: id))
    }

    // MARK: - Changing

    /// Has events posted to a server, from now on. Refused with `bad_url`, `too_many_webhooks`.
    ///
    /// - Parameters:
    ///   - sender: says whether anything is sent there.
    ///   - events: names of declared events; empty: all.
    ///   - secret: what signs them; nil: one is made.
    /// - Returns: the subscription, with what signs its events.
    package func add(
        _ url: String, events: [String], note: String = "", secret: String? = nil, by sender: (any RequestSender)?
    ) throws -> Outcome<(webhook: Webhook, secret: String)> {
        try session.request("webhooks.add") {
            try make(url, events: events, note: note, secret: secret, by: sender)
        }
    }

    func make(
        _ url: String, events: [String], note: String, secret: String?, by sender: (any RequestSender)?
    ) throws -> (webhook: Webhook, secret: String) {
        let address = try address(url, sender)
        guard try webhooks.list().count < Self.most else {
            throw Refused("too_many_webhooks", "There are \(Self.most) subscriptions, as many as there may be.")
        }
        var webhook = Webhook(
            url: url, events: events, note: note, position: try session.events.last(), createdAt: session.now)
        webhook.id = try webhooks.insert(webhook)
        let owner = OutgoingRequest.owner(webhook: webhook.id)
        if let secret { try session.outbox.setSecret(secret, of: owner) }
        try tell(webhook, "added", address.place)
        return (webhook, try session.outbox.secret(of: owner).text)
    }

    func address(_ url: String, _ sender: (any RequestSender)?) throws -> WebAddress {
        do throws(WebAddress.Fault) {
            let address = try WebAddress(url)
            guard let sender else { throw WebAddress.Fault("is of no use: nothing is sent from here") }
            if let fault = sender.fault(of: address, for: .webhook) { throw WebAddress.Fault(fault) }
            return address
        } catch {
            throw Refused("bad_url", "The url \(error.words).")
        }
    }

    /// Ends a subscription; what waits for it is not sent any more. Refused with `unknown_webhook`.
    package func remove(_ id: Int64) throws -> Outcome<Webhook> {
        try session.request("webhooks.remove") {
            let webhook = try known(id)
            try end(webhook)
            return webhook
        }
    }

    func end(_ webhook: Webhook) throws {
        try webhooks.remove(webhook.id)
        try session.transaction.outbox.remove(OutgoingRequest.owner(webhook: webhook.id))
        try tell(webhook, "removed")
    }

    /// Goes on with a subscription that was paused, with all that has happened since. Refused with `unknown_webhook`.
    package func resume(_ id: Int64) throws -> Outcome<Webhook> {
        try session.request("webhooks.resume") {
            var webhook = try known(id)
            (webhook.state, webhook.failingSince) = (.active, nil)
            try webhooks.update(webhook)
            try tell(webhook, "resumed")
            return webhook
        }
    }

    /// Has a made-up event posted to a server, of the type `moonshelf.test`. Refused with `unknown_webhook`.
    package func test(_ id: Int64) throws -> Outcome<Webhook> {
        try session.request("webhooks.test") {
            let webhook = try known(id)
            let body: JSON = [
                "specversion": "1.0", "id": .string("test-\(session.now.microseconds)"), "source": "moonshelf",
                "type": "moonshelf.test", "time": .string(session.now.description),
                "datacontenttype": "application/json", "data": [:],
            ]
            try post(body.text(), to: webhook, key: nil)
            return webhook
        }
    }

    private func known(_ id: Int64) throws -> Webhook {
        guard let webhook = try webhooks.get(id) else {
            throw Refused("unknown_webhook", "There is no subscription \(id).")
        }
        return webhook
    }

    /// - Parameter place: host and port; the rest of an address may be secret.
    func tell(_ webhook: Webhook, _ change: String, _ place: String? = nil) throws {
        let place = place ?? (try? WebAddress(webhook.url))?.place ?? ""
        try session.record(.webhookChanged, ChangedWebhook(webhook: webhook.id, change: change, place: place))
    }

    // MARK: - What workers do

    /// The next events for a subscription, as many as may wait.
    func part(of webhook: Webhook, after sequence: Int64) throws -> EventPart {
        let room = try Self.mostWaiting - count(.queued, of: webhook.id)
        guard room * 2 >= Self.mostWaiting else { return EventPart(events: [], end: sequence, isFull: true) }
        return try session.events.part(
            after: sequence, kinds: webhook.events.isEmpty ? nil : Set(webhook.events), limit: room)
    }

    /// Puts the next events into the outbox, and steps behind them.
    func queue(_ seen: Webhook, source: String) throws {
        guard var webhook = try webhooks.get(seen.id), webhook.state == .active, webhook.position == seen.position
        else { return }
        let part = try part(of: webhook, after: webhook.position)
        for event in part.events {
            // The moment too: a store that was put back to an earlier state gives sequences again.
            try post(
                CloudEvent(event: event, source: source).json.text(), to: webhook,
                key: "\(webhook.createdAt.microseconds) \(event.sequence) \(event.at.microseconds)")
        }
        webhook.position = part.end
        try webhooks.update(webhook)
    }

    private func post(_ body: String, to webhook: Webhook, key: String?) throws {
        try session.outbox.add(
            WebCall(method: "POST", url: webhook.url, type: CloudEvent.type, body: body), to: WebAddress(webhook.url),
            of: OutgoingRequest.owner(webhook: webhook.id), key: key)
    }

    /// A server has taken a request.
    func wasTaken(from owner: String) throws {
        guard let id = Webhook.id(of: owner), var webhook = try webhooks.get(id), webhook.failingSince != nil else {
            return
        }
        webhook.failingSince = nil
        try webhooks.update(webhook)
    }

    /// A server has not taken a request; after some days of that its subscription is paused.
    ///
    /// - Parameter isGone: it said that it wants nothing more.
    func wasNotTaken(from owner: String, isGone: Bool) throws {
        guard let id = Webhook.id(of: owner), var webhook = try webhooks.get(id), webhook.state == .active else {
            return
        }
        let since = webhook.failingSince ?? session.now
        webhook.failingSince = since
        let isOver = try session.now >= since.adding(seconds: Self.patience)
        if isGone || isOver { webhook.state = .paused }
        try webhooks.update(webhook)
        if webhook.state == .paused { try tell(webhook, "paused") }
    }
}
