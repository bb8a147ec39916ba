import Circulation
import Storage

// What workers do with requests.
extension OutboxService {
    /// Takes the first request on a way in hand, so that no other worker does, until a moment.
    ///
    /// - Returns: the request, with what signs it; nil where none is due.
    func take(_ way: OutboxRepository.Way, worker: String, until: Instant) throws -> OutgoingRequest? {
        guard try isOpen(way.owner), var request = try outbox.next(way, at: session.now) else { return nil }
        (request.worker, request.dueAt) = (worker, until)
        try outbox.update(request)
        return request
    }

    /// Has a request sent at once that a worker had in hand who is gone.
    func takeBack(_ taken: OutgoingRequest) throws {
        guard var request = try outbox.get(taken.id), request.state == .queued, request.worker == taken.worker else {
            return
        }
        (request.worker, request.dueAt) = (nil, session.now)
        try outbox.update(request)
    }

    /// Whether requests of an owner are sent now.
    private func isOpen(_ owner: String) throws -> Bool {
        guard let id = Webhook.id(of: owner) else { return true }
        return try session.transaction.webhooks.get(id)?.state == .active
    }

    /// Writes down what became of a try.
    ///
    /// - Parameters:
    ///   - pause: for how long the server wants to be left alone, in seconds.
    ///   - chance: from 0 to 1; makes the pause up to a fifth shorter or longer.
    /// - Returns: the request as it is now; nil if it is another worker's by now, or gone.
    func settle(
        _ taken: OutgoingRequest, _ fault: DeliveryFault?, status: Int?, pause: Int, chance: Double
    ) throws -> OutgoingRequest? {
        guard var request = try outbox.get(taken.id), request.state == .queued else { return nil }
        request.status = status.map(Int64.init)
        guard let fault else {
            // Also where another worker has it in hand by now: the server has it.
            request.tries += 1
            (request.state, request.endedAt, request.worker) = (.sent, session.now, nil)
            (request.headers, request.body, request.failure, request.words) = ([], "", nil, nil)
            try outbox.update(request)
            try session.webhooks.wasTaken(from: request.owner)
            return request
        }
        guard request.worker == taken.worker else { return nil }
        request.worker = nil
        request.tries += 1
        (request.failure, request.words) = (fault.code, try words(fault, request))
        let end = try request.queuedAt.adding(seconds: Self.pauses.reduce(0, +))
        if fault.isFinal || request.tries > Int64(Self.pauses.count) || session.now >= end {
            (request.state, request.endedAt) = (.failed, session.now)
        } else {
            let usual = Double(Self.pauses[Int(request.tries) - 1]) * (0.8 + 0.4 * chance)
            let seconds = max(Int64(usual.rounded(.up)), Int64(min(pause, 86_400)))
            request.dueAt = try session.now.adding(seconds: seconds)
        }
        try outbox.update(request)
        if fault.concernsChannel {
            let wait = min(Self.longestWaitOfOthers, Self.pauses[min(Int(request.tries), Self.pauses.count) - 1])
            let seconds = max(wait, Int64(min(pause, 86_400)))
            try outbox.delay(request.owner, request.place, until: session.now.adding(seconds: seconds))
        }
        try session.webhooks.wasNotTaken(from: request.owner, isGone: status == 410)
        return request
    }

    /// What happened, without what is secret in the request and without the name of whom it is about.
    private func words(_ fault: DeliveryFault, _ request: OutgoingRequest) throws -> String {
        let values = request.headers.compactMap { line in
            line.firstIndex(of: ":").map { String(line[line.index($0, offsetBy: 1)...].drop { $0 == " " }) }
        }
        let secrets = values + values.flatMap { $0.split(separator: " ").map(String.init) }
        let plain = fault.words.blackingOut(secrets.filter { $0.count >= 6 })
        return try session.patrons.impersonal(plain, about: request.patron)
    }
}

extension Webhook {
    /// The id of the subscription whose requests an owner has; nil: it is none.
    static func id(of owner: String) -> Int64? {
        owner.hasPrefix("webhook:") ? Int64(owner.dropFirst("webhook:".count)) : nil
    }
}
