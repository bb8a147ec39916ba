import Circulation
import Desk
import Storage
import Synchronization
import Testing
import TextFormats

/// Servers that answer as they are told, and remember what they got.
final class Servers: RequestSender {
    struct Got: Hashable {
        var url: String
        var id: String
        var headers: [String]
        var body: String
    }

    private struct State {
        var answers: [Result<WebAnswer, DeliveryFault>] = []
        var got: [Got] = []
    }

    let hostsOfScripts: Set<String> = []
    let timeLimit = Duration.seconds(20)
    private let state = Mutex(State())

    /// What they answer next, one after the other; then 200.
    func answer(_ answers: Result<WebAnswer, DeliveryFault>...) { state.withLock { $0.answers += answers } }
    func answer(_ statuses: Int...) {
        state.withLock { $0.answers += statuses.map { .success(WebAnswer(status: $0)) } }
    }

    /// From now on they take everything.
    func recover() { state.withLock { $0.answers = [] } }

    var got: [Got] { state.withLock { $0.got } }

    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? {
        address.isLoopback && purpose == .webhook ? "must not lead to this machine" : nil
    }

    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        let id = call.headers.first { $0.hasPrefix("webhook-id: ") }.map { String($0.dropFirst(12)) }
        return state.withLock { state in
            state.got.append(Got(url: call.url, id: id ?? "", headers: call.headers, body: call.body ?? ""))
            return state.answers.isEmpty ? .success(WebAnswer(status: 200)) : state.answers.removeFirst()
        }
    }

    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? {
        switch answer.status {
        case 200...299: nil
        case 429, 503: DeliveryFault("temporary", "status \(answer.status)", concernsChannel: true)
        case 500...: DeliveryFault("temporary", "status \(answer.status) \(call.headers[0])")
        default: DeliveryFault("refused", "status \(answer.status)", isFinal: true)
        }
    }
}

@Suite("The outbox of requests")
struct OutboxWorkTests {
    private let library: Library
    private let servers = Servers()

    init() throws {
        library = try Library()
    }

    private func worker() -> OutboxWorker {
        OutboxWorker(desk: library.desk, sender: servers, source: "https://library.example") { 0.5 }
    }

    @discardableResult
    private func queue(
        _ body: String, to url: String = "https://a.example/in", key: String? = nil, of owner: String = "plugin:p",
        patron: Int64? = nil
    ) throws -> OutgoingRequest {
        try library.desk.write { session in
            let call = WebCall(
                method: "POST", url: url, type: "text/plain", headers: ["Authorization: Bearer hush-hush"], body: body)
            return try session.outbox.add(call, to: WebAddress(url), of: owner, key: key, patron: patron)
        }
    }

    private func list(_ state: OutgoingRequest.State) throws -> [OutgoingRequest] {
        try library.desk.read { try $0.outbox.list(state) }
    }

    @Test("what waits goes out in its order, once, and what was sent forgets what it said")
    func order() throws {
        for body in ["1", "2", "3"] { try queue(body) }
        let work = try worker().work()
        #expect(work.sent == 3 && servers.got.map(\.body) == ["1", "2", "3"])
        #expect(Set(servers.got.map(\.id)).count == 3)
        #expect(try worker().work().isIdle)
        #expect(try list(.sent).allSatisfy { $0.body.isEmpty && $0.headers.isEmpty && $0.status == 200 })
    }

    @Test("what is undone with its transaction is not sent, and a key sends once")
    func keys() throws {
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try library.desk.write { session in
                let call = WebCall(method: "POST", url: "https://a.example/")
                try session.outbox.add(call, to: WebAddress(call.url), of: "plugin:p")
                throw Undone()
            }
        }
        let first = try queue("1", key: "k")
        _ = try worker().work()
        #expect(try queue("2", key: "k").message == first.message)
        #expect(try queue("3", key: "k", of: "plugin:q").message != first.message)
        _ = try worker().work()
        #expect(servers.got.map(\.body) == ["1", "3"])
    }

    @Test("a worker that dies between the sending and the writing down: another sends it again, under the same id")
    func killed() throws {
        let folder = try ScratchFolder()
        let library = try Library(store: folder.store())
        try library.desk.write { session in
            let call = WebCall(method: "POST", url: "https://a.example/", type: "text/plain", body: "1")
            try session.outbox.add(call, to: WebAddress(call.url), of: "plugin:p")
        }
        let deadly = Deadly(servers)
        let dying = OutboxWorker(desk: library.desk, sender: deadly, source: "") { 0.5 }
        // The store is gone where the outcome would be written down.
        deadly.whenSent = { try? library.store.close() }
        #expect(throws: (any Error).self) { try dying.work() }
        let desk = Desk(
            store: try folder.store(), policies: TestLoader(), clock: library.clock, actor: .desk, extensions: [])
        let next = OutboxWorker(desk: desk, sender: servers, source: "") { 0.5 }
        #expect(try next.work().isIdle)
        try library.clock.advance(microseconds: 81_000_000)
        #expect(try next.work().sent == 1)
        #expect(servers.got.count == 2 && Set(servers.got.map(\.id)).count == 1)
    }

    @Test("a request in another worker's hands is left alone until its lease is over")
    func lease() throws {
        let request = try queue("1")
        try library.desk.write { session in
            var held = try #require(try session.transaction.outbox.get(request.id))
            (held.worker, held.dueAt) = ("gone", try session.now.adding(seconds: 80))
            try session.transaction.outbox.update(held)
        }
        try queue("2")
        #expect(try worker().work().isIdle)
        try library.clock.advance(microseconds: 81_000_000)
        #expect(try worker().work().sent == 2)
        #expect(servers.got.map(\.id).first == request.message)
    }

    @Test("what a worker of this machine had in hand that is gone goes out at once, and so does what one had itself")
    func takenBack() throws {
        for name in ["gone", "me", "other"] {
            let request = try queue(name, of: "plugin:\(name)")
            try library.desk.write { session in
                var held = try #require(try session.transaction.outbox.get(request.id))
                (held.worker, held.dueAt) = (name, try session.now.adding(seconds: 80))
                try session.transaction.outbox.update(held)
            }
        }
        let worker = OutboxWorker(
            desk: library.desk, sender: servers, source: "", chance: { 0.5 }, worker: "me",
            presence: { $0 == "gone" ? .gone : .present })
        #expect(try worker.work().sent == 2)
        #expect(Set(servers.got.map(\.body)) == ["gone", "me"])
    }

    @Test("pauses are those of Standard Webhooks; then it is given up, seen without secrets, and sent again by hand")
    func retries() throws {
        let request = try queue("1")
        var pauses: [Int64] = []
        for _ in 1...9 {
            servers.answer(500)
            #expect(try worker().work().putOff == 1)
            let next = try #require(try list(.queued).first).dueAt
            pauses.append((next.microseconds - library.clock.now().microseconds) / 1_000_000)
            #expect(try worker().work().isIdle)
            library.clock.set(next)
        }
        #expect(pauses == [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
        servers.answer(500)
        let work = try worker().work()
        #expect(work.givenUp == 1 && work.problems[0].contains("Given up"), "\(work)")
        let failed = try #require(try list(.failed).first)
        #expect(failed.tries == 10 && failed.words?.contains("hush-hush") == false, "\(failed)")
        #expect(try library.desk.write { try $0.outbox.retry(failed.id) }.value == 1)
        #expect(try worker().work().sent == 1)
        #expect(Set(servers.got.map(\.id)) == [request.message] && servers.got.count == 11)
    }

    @Test("a refusal is final, and the next one goes on; a server that wants to be left alone is")
    func faults() throws {
        for body in ["1", "2", "3"] { try queue(body) }
        try queue("4", to: "https://b.example/")
        servers.answer(400, 503)
        servers.answer(.success(WebAnswer(status: 429, pause: 100)))
        let work = try worker().work()
        // By turns: the first to a, the one to b, which is busy, the second to a, which wants 100 seconds.
        #expect(work.givenUp == 1 && work.putOff == 2 && servers.got.map(\.body) == ["1", "4", "2"], "\(work)")
        try library.clock.advance(microseconds: 99_000_000)
        _ = try worker().work()
        #expect(servers.got.map(\.body) == ["1", "4", "2", "4"])
        try library.clock.advance(microseconds: 2_000_000)
        _ = try worker().work()
        #expect(servers.got.map(\.body).suffix(2) == ["2", "3"])
    }

    @Test("what is about a patron goes over to the record that stays, and goes with the patron")
    func patrons() throws {
        try queue("1", patron: library.id("ada"))
        _ = try library.desk.write { try $0.patrons.merge(.username("ada"), into: .username("bob")).get() }
        #expect(try list(.queued).map(\.patron) == [library.id("bob")])
        servers.answer(.failure(DeliveryFault("refused", "no such person: Bob Bobsson", isFinal: true)))
        _ = try worker().work()
        #expect(try list(.failed).first?.words?.contains("Bob") == false)
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")).get() }
        #expect(try list(.failed).isEmpty)
    }

    // MARK: - Subscriptions

    private func subscribe(_ events: [String] = []) throws -> Webhook {
        let outcome = try library.desk.write {
            try $0.webhooks.add("https://hook.example/in?token=t", events: events, by: servers)
        }
        return try #require(outcome.value).webhook
    }

    private func charge(_ count: Int) throws {
        let ada = try library.id("ada")
        for number in 0..<count {
            try library.desk.write { session in
                _ = try session.fees.charge(
                    .id(ada), amount: Money(minorUnits: 100, currency: .eur), label: "x",
                    key: "k\(number)\(session.now)")
            }
        }
    }

    @Test("what happens is posted to who wants it, in order, whole and without a gap, however workers are killed")
    func subscription() throws {
        let webhook = try subscribe(["ledger.posted"])
        try charge(230)
        for _ in 0..<2 {
            servers.answer(503)
            _ = try worker().work()
            try library.clock.advance(microseconds: 400_000_000)
        }
        _ = try worker().work()
        let posted = try servers.got.map { try #require(JSONParser.parse($0.body)["id"]?.stringValue) }
        var unlike: [String] = []
        for id in posted where unlike.last != id { unlike.append(id) }
        let events = try library.events(.ledgerPosted).map { String($0.sequence) }
        #expect(unlike == events.suffix(230))
        let body = try JSONParser.parse(servers.got[0].body)
        #expect(body["specversion"] == "1.0" && body["type"] == "moonshelf.ledger.posted")
        #expect(body["source"] == "https://library.example")
        #expect(try library.desk.read { try $0.webhooks.get(webhook.id)?.failingSince } == nil)
        // Sent again under the same id, and the log is not read anew.
        #expect(Set(servers.got.map(\.id)).count == 230)
    }

    @Test("a subscription whose server takes nothing for days is paused, and goes on where it was")
    func paused() throws {
        let webhook = try subscribe(["ledger.posted"])
        func now() throws -> Webhook { try #require(try library.desk.read { try $0.webhooks.get(webhook.id) }) }
        try charge(2)
        var rounds = 0
        while try now().state == .active, rounds < 100 {
            rounds += 1
            servers.answer(503)
            _ = try worker().work()
            try library.clock.advance(microseconds: 3_600_000_000)
        }
        #expect(rounds > 20 && rounds < 100)
        servers.recover()
        try charge(1)
        let before = servers.got.count
        _ = try worker().work()
        #expect(servers.got.count == before)
        _ = try library.desk.write { try $0.webhooks.resume(webhook.id) }
        _ = try worker().work()
        #expect(try servers.got.count > before && now().failingSince == nil)
        servers.answer(410)
        _ = try library.desk.write { try $0.webhooks.test(webhook.id) }
        _ = try worker().work()
        #expect(try now().state == .paused)
        #expect(try library.events(.webhookChanged).allSatisfy { !$0.payload.contains("token") })
        _ = try library.desk.write { try $0.webhooks.remove(webhook.id) }
        #expect(try list(.queued).isEmpty)
    }

    @Test("who subscribes names a server of the internet, and is an administrator")
    func refusals() throws {
        for url in ["http://127.0.0.1/", "ftp://a.example/", "https://user@a.example/", "x"] {
            let outcome = try library.desk.write { try $0.webhooks.add(url, events: [], by: servers) }
            #expect(outcome.refusal?.code == "bad_url", "\(url)")
        }
        let staff = library.desk.acting(as: Actor(name: "patron:1", role: .staff, channel: .web))
        let refused = try staff.write { try $0.webhooks.add("https://a.example/", events: [], by: servers) }
        #expect(refused.refusal?.code == "not_allowed")
    }
}

/// Servers that take a request, and then something happens.
private final class Deadly: RequestSender, @unchecked Sendable {
    private let servers: Servers
    var whenSent: () -> Void = {}

    init(_ servers: Servers) {
        self.servers = servers
    }

    let hostsOfScripts: Set<String> = []
    let timeLimit = Duration.seconds(20)
    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? { nil }
    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? { nil }
    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        defer { whenSent() }
        return servers.send(call, for: purpose)
    }
}
