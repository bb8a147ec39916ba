import Circulation
import Secrets
import Storage

/// What a round of the outbox came to.
package struct OutboxWork: Hashable, Sendable {
    package var sent: Int64 = 0
    /// Tried in vain, and tried again later.
    package var putOff: Int64 = 0
    package var givenUp: Int64 = 0
    /// What went wrong, one line for each.
    package var problems: [String] = []

    package init() {}

    package var isIdle: Bool { sent + putOff + givenUp == 0 }
}

/// Sends what waits in the outbox, and puts events into it for those who subscribed to them.
///
/// Any number of workers, of any number of machines, may work at one store: a request is in the hands of one of them. What one
/// had in hand that was killed goes to another at once on the same machine, and when its lease has run out on others. So what
/// waits is sent at least once, under the same `webhook-id` each time.
/// Used by one thread.
package final class OutboxWorker {
    private let desk: Desk
    private let sender: any RequestSender
    private let source: String
    private let chance: () -> Double
    private let worker: String
    private let presence: (String) -> ProcessPresence
    /// Up to where the log was seen to have nothing for a subscription.
    private var seen: [Int64: Int64] = [:]
    private var clearedAt: Instant?

    /// - Parameters:
    ///   - source: the address of the library, for events that go out.
    ///   - chance: a number from 0 to 1, anew each time.
    ///   - worker: the worker's name; no other has the same.
    ///   - presence: whether another worker is there, where that is known.
    package init(
        desk: Desk, sender: any RequestSender, source: String,
        chance: @escaping () -> Double = { .random(in: 0...1) },
        worker: String = String(UInt64.random(in: .min ... .max), radix: 36),
        presence: @escaping (String) -> ProcessPresence = { _ in .unknown }
    ) {
        self.desk = desk
        self.sender = sender
        self.source = source
        self.worker = worker
        self.presence = presence
        self.chance = chance
    }

    /// Does what is due now, way by way, by turns.
    ///
    /// - Parameter isStopped: asked between requests.
    /// - Throws: ``StoreError`` where the store fails.
    package func work(isStopped: () -> Bool = { false }) throws -> OutboxWork {
        var work = OutboxWork()
        try clear()
        while !isStopped() {
            try subscriptions()
            let ways = try desk.read { try $0.outbox.outbox.ways() }
            var isDone = true
            for way in ways where way.dueAt <= desk.clock.now() && !isStopped() {
                if try step(way, &work) { isDone = false }
            }
            if isDone, try !takeBack() { break }
        }
        return work
    }

    /// Once a day what was sent or given up long ago is forgotten.
    private func clear() throws {
        let now = desk.clock.now()
        if let clearedAt, now < clearedAt.later(by: .seconds(86_400)) { return }
        clearedAt = now
        try desk.write(isRepeatable: true) { session in
            try session.transaction.outbox.clear(
                before: session.now.adding(hours: -24 * OutboxService.daysKept))
        }
    }

    /// Has sent at once what a worker had in hand who is gone, or this one when the store failed.
    ///
    /// - Returns: whether there was any.
    private func takeBack() throws -> Bool {
        let left = try desk.read { try $0.outbox.outbox.inHand() }
            .filter { $0.worker == worker || $0.worker.map(presence) == .gone }
        guard !left.isEmpty else { return false }
        try desk.write(isRepeatable: true) { session in
            for request in left { try session.outbox.takeBack(request) }
        }
        return true
    }

    /// - Returns: whether a request was tried.
    private func step(_ way: OutboxRepository.Way, _ work: inout OutboxWork) throws -> Bool {
        let taken = try desk.write(isRepeatable: true) { [worker, sender] session in
            let until = session.now.later(by: sender.timeLimit + .seconds(60))
            return try session.outbox.take(way, worker: worker, until: until).map { request in
                (request, try session.outbox.secret(of: request.owner))
            }
        }
        guard let (request, secret) = taken else { return false }
        // No transaction is open here: a network may take its time.
        let seconds = desk.clock.now().seconds
        let signature = secret.signature(of: Array(request.body.utf8), id: request.message, at: seconds)
        let outgoing = WebCall(
            method: request.method, url: request.url, type: request.type,
            headers: request.headers + [
                "webhook-id: \(request.message)", "webhook-timestamp: \(seconds)", "webhook-signature: \(signature)",
                "Idempotency-Key: \(request.message)",
            ], body: request.method == "DELETE" && request.body.isEmpty ? nil : request.body)
        let purpose: RequestPurpose = Webhook.id(of: request.owner) == nil ? .plugin : .webhook
        var (answer, fault): (WebAnswer?, DeliveryFault?)
        switch sender.send(outgoing, for: purpose) {
        case .success(let given): (answer, fault) = (given, sender.fault(of: given, to: outgoing))
        case .failure(let failure): fault = failure
        }
        let settled = try desk.write(isRepeatable: true) { [chance, answer, fault] session in
            try session.outbox.settle(
                request, fault, status: answer?.status, pause: answer?.pause ?? 0, chance: chance())
        }
        note(settled, &work)
        return true
    }

    private func note(_ request: OutgoingRequest?, _ work: inout OutboxWork) {
        guard let request else { return }
        switch request.state {
        case .sent: work.sent += 1
        case .queued: work.putOff += 1
        case .failed: work.givenUp += 1
        }
        guard request.state != .sent else { return }
        work.problems.append(
            "\(request.owner): request \(request.id): \(request.words ?? "")"
                + (request.state == .failed ? " Given up." : ""))
    }

    /// Puts events into the outbox for those who subscribed to them.
    private func subscriptions() throws {
        let (webhooks, last) = try desk.read { (try $0.webhooks.list(), try $0.events.last()) }
        for webhook in webhooks where webhook.state == .active {
            let from = max(webhook.position, seen[webhook.id] ?? 0)
            guard from < last else { continue }
            let end = try desk.read { session in
                let part = try session.webhooks.part(of: webhook, after: from)
                return part.events.isEmpty ? part.end : nil
            }
            if let end, end - webhook.position < WebhookService.mostPassed {
                seen[webhook.id] = end
                continue
            }
            seen[webhook.id] = nil
            try desk.write(isRepeatable: true) { [source] session in
                try session.webhooks.queue(webhook, source: source)
            }
        }
    }
}

extension OutboxWorker {
    /// Works until it is stopped, and waits while there is nothing to do.
    ///
    /// - Parameters:
    ///   - wait: waits for so long; false ends the work.
    ///   - tell: is handed what was done and what went wrong.
    package func watch(isStopped: () -> Bool, wait: (Duration) -> Bool, tell: (OutboxWork) -> Void) {
        while !isStopped() {
            var pause = Duration.milliseconds(500)
            do {
                let done = try work(isStopped: isStopped)
                if !done.isIdle { tell(done) }
            } catch {
                var failed = OutboxWork()
                failed.problems = ["\(error)"]
                tell(failed)
                pause = .seconds(5)
            }
            guard wait(pause) else { return }
        }
    }
}
