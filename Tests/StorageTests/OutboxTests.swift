import Circulation
import Storage
import Testing

@Suite("Requests on their way")
struct OutboxTests {
    private func request(
        _ message: String, to place: String = "a.example:443", patron: Int64? = nil, due: Int64 = 1
    ) -> OutgoingRequest {
        OutgoingRequest(
            owner: "plugin:p", message: message, method: "POST", url: "https://\(place)/", place: place,
            type: "text/plain", headers: ["X-A: ü"], body: "b", patron: patron, createdAt: Instant(seconds: 1),
            queuedAt: Instant(seconds: 1), dueAt: Instant(seconds: due))
    }

    @Test("a request is kept as it is, once a message, until it was over for long", arguments: TestDriver.allCases)
    func kept(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let outbox = transaction.outbox
            var sent = request("m1", patron: fixture.patron)
            sent.id = try #require(try outbox.insert(sent))
            #expect(try outbox.insert(request("m1")) == nil)
            #expect(try outbox.get(sent.id) == sent && outbox.get(message: "m1") == sent)
            (sent.state, sent.tries, sent.worker, sent.endedAt) = (.failed, 3, "w", Instant(seconds: 9))
            (sent.status, sent.failure, sent.words) = (500, "temporary", "said: no")
            try outbox.update(sent)
            #expect(try outbox.list(.failed, limit: 5) == [sent] && outbox.telling() == [sent])
            #expect(try outbox.list(.failed, of: "plugin:q", limit: 5).isEmpty)
            #expect(try outbox.count(.failed, of: "plugin:p") == 1 && outbox.count(.queued, of: "plugin:p") == 0)
            try outbox.clear(before: Instant(seconds: 9))
            #expect(try outbox.get(sent.id) != nil)
            try outbox.clear(before: Instant(seconds: 10))
            #expect(try outbox.get(sent.id) == nil)
        }
    }

    @Test(
        "each way gives its first request that is due, unless a worker has one in hand", arguments: TestDriver.allCases)
    func ways(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            let outbox = transaction.outbox
            let requests = try [request("m1", due: 5), request("m2"), request("m3"), request("m4", to: "b:1", due: 9)]
                .map {
                    var made = $0
                    made.id = try #require(try outbox.insert($0))
                    return made
                }
            let ways = try outbox.ways()
            #expect(ways.map(\.place) == ["a.example:443", "b:1"] && ways.map(\.dueAt.seconds) == [1, 9])
            #expect(try outbox.next(ways[0], at: Instant(seconds: 1)) == requests[1])
            #expect(try outbox.next(ways[0], at: Instant(seconds: 5)) == requests[0])
            #expect(try outbox.next(ways[1], at: Instant(seconds: 8)) == nil)
            try outbox.delay("plugin:p", "a.example:443", until: Instant(seconds: 4))
            #expect(try outbox.ways().map(\.dueAt.seconds) == [4, 9])
            var held = requests[1]
            (held.worker, held.dueAt) = ("w", Instant(seconds: 7))
            try outbox.update(held)
            #expect(try outbox.next(ways[0], at: Instant(seconds: 6)) == nil)
            #expect(try outbox.next(ways[0], at: Instant(seconds: 7))?.message == "m1")
        }
    }

    @Test("secrets and subscriptions are kept, changed and removed", arguments: TestDriver.allCases)
    func secrets(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            let (outbox, webhooks) = (transaction.outbox, transaction.webhooks)
            for secret in ["one", "two"] { try outbox.setSecret(secret, of: "plugin:p") }
            #expect(try outbox.secret(of: "plugin:p") == "two" && outbox.secret(of: "plugin:q") == nil)
            _ = try outbox.insert(request("m1"))
            try outbox.remove("plugin:p")
            #expect(try outbox.secret(of: "plugin:p") == nil && outbox.ways().isEmpty)
            var webhook = Webhook(
                url: "https://a.example/in", events: ["loan.made"], note: "n", position: 7,
                createdAt: Instant(seconds: 1))
            webhook.id = try webhooks.insert(webhook)
            (webhook.state, webhook.position, webhook.failingSince) = (.paused, 8, Instant(seconds: 3))
            try webhooks.update(webhook)
            #expect(try webhooks.list() == [webhook] && webhooks.get(webhook.id) == webhook)
            try webhooks.remove(webhook.id)
            #expect(try webhooks.get(webhook.id) == nil)
        }
    }
}
