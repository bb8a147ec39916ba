package import Circulation
package import Secrets
import Storage
package import TextFormats

/// More waits to go out for one owner than may.
package struct OutboxFull: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String { "more than \(OutboxService.mostWaiting) requests wait to be sent" }
}

/// Requests to servers outside: what waits, what was given up.
package struct OutboxService {
    let session: DeskSession

    var outbox: OutboxRepository { session.transaction.outbox }

    /// How many requests of one owner may wait.
    package static let mostWaiting: Int64 = 10_000
    /// How long what was sent or given up is kept, in days.
    package static let daysKept: Int64 = 30

    /// The pauses after tries in vain, in seconds, as Standard Webhooks advise: three days in all.
    static let pauses: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    /// For how long a fault of a server lets other requests to it wait at most, in seconds.
    static let longestWaitOfOthers: Int64 = 300

    // MARK: - Adding

    /// Puts a request into the outbox, in this transaction.
    ///
    /// - Parameters:
    ///   - key: what makes it one and the same for its owner: one with a key that is known already is not added; nil: it is
    ///     one of its own.
    ///   - patron: whom it is about.
    /// - Returns: the request as it waits, or the one of that key.
    /// - Throws: ``OutboxFull``.
    @discardableResult
    package func add(
        _ request: WebCall, to address: WebAddress, of owner: String, key: String? = nil, patron: Int64? = nil
    ) throws -> OutgoingRequest {
        guard try outbox.count(.queued, of: owner) < Self.mostWaiting else { throw OutboxFull() }
        var added = OutgoingRequest(
            owner: owner, message: try message(of: owner, key), method: request.method, url: request.url,
            place: address.place, type: request.type, headers: request.headers, body: request.body ?? "",
            patron: patron, createdAt: session.now, queuedAt: session.now, dueAt: session.now)
        guard let id = try outbox.insert(added) else { return try outbox.get(message: added.message) ?? added }
        added.id = id
        return added
    }

    /// What makes a request one and the same for ever.
    package func message(of owner: String, _ key: String?) throws -> String {
        guard let key else {
            return "msg_" + RandomBytes.make(16).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
        }
        let name = "\(try session.notices.libraryID()) \(owner) \(key)"
        return "msg_" + String(SHA256.hexadecimal(of: Array(name.utf8)).prefix(32))
    }

    /// What signs the requests of an owner; one is made if there is none.
    package func secret(of owner: String) throws -> WebhookSecret {
        if let known = try outbox.secret(of: owner) { return WebhookSecret(known) }
        let made = WebhookSecret()
        try outbox.setSecret(made.text, of: owner)
        return made
    }

    /// Whether requests can be an owner's: a plugin's in force, a subscription's, scripts'.
    package func isOwner(_ name: String) throws -> Bool {
        if let id = Webhook.id(of: name) { return try session.webhooks.get(id) != nil }
        return try name == "script"
            || session.plugins.list().contains { OutgoingRequest.owner(plugin: $0.name) == name }
    }

    /// Has a text of an owner's own sign its requests.
    package func setSecret(_ text: String, of owner: String) throws {
        if try outbox.secret(of: owner) != text { try outbox.setSecret(text, of: owner) }
    }

    // MARK: - For administrators

    /// The latest in a state, the latest first.
    package func list(
        _ state: OutgoingRequest.State, of owner: String? = nil, limit: Int64 = 100
    ) throws -> [OutgoingRequest] {
        try outbox.list(state, of: owner, limit: limit)
    }

    /// How many requests of an owner are in a state.
    package func count(_ state: OutgoingRequest.State, of owner: String) throws -> Int64 {
        try outbox.count(state, of: owner)
    }

    /// Has requests that were given up sent again, under the same key as before. Refused with `unknown_request`, `not_failed`.
    ///
    /// - Parameter id: nil: all that were given up.
    /// - Returns: how many they are.
    package func retry(_ id: Int64?) throws -> Outcome<Int64> {
        try session.request("outbox.retry") {
            guard let id else {
                let failed = try outbox.list(.failed, limit: .max)
                for request in failed { try queue(request) }
                return Int64(failed.count)
            }
            guard let request = try outbox.get(id) else {
                throw Refused("unknown_request", "There is no request \(id) in the outbox.")
            }
            guard request.state == .failed else {
                throw Refused("not_failed", "The request \(id) was not given up.")
            }
            try queue(request)
            return 1
        }
    }

    private func queue(_ failed: OutgoingRequest) throws {
        var request = failed
        (request.state, request.tries) = (.queued, 0)
        (request.queuedAt, request.dueAt, request.endedAt) = (session.now, session.now, nil)
        try outbox.update(request)
    }

    /// Takes out of what servers said what names a patron who is removed.
    func forget(_ words: [String]) throws {
        for request in try outbox.telling() {
            var cleared = request
            cleared.words = request.words?.blackingOut(words)
            if cleared != request { try outbox.update(cleared) }
        }
    }
}
