import Circulation
import Desk
import Storage
import Synchronization
import TestSupport
import Testing

/// Several notices of a patron in one message.
@Suite("Notices that go together", .everyStore)
struct GatheringTests {
    private static let most = 20

    private func library(_ kinds: Set<GatheredKind> = Set(GatheredKind.allCases)) throws -> Library {
        let library = try Library()
        try library.gather(kinds)
        return library
    }

    @Test("as long as a library does not say so, each notice goes alone")
    func off() throws {
        let library = try Library()
        let queued = try library.remind("ada", ["overdue", "due_soon", "hold_ready"])
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender)
        #expect(report.sent == 3 && report.sentTogether == 0 && report.messagesOfSeveral == 0)
        #expect(sender.consignments.map(\.notice.id) == queued.map(\.id))
        #expect(sender.consignments.allSatisfy { $0.gathered == nil })
    }

    @Test(
        "what waits for a patron by mail is one message; what is for another, of another kind or by another way is not")
    func together() throws {
        let library = try library([.overdue, .holdReady])
        let first = try library.remind("ada", ["overdue", "hold_ready"])
        let alone = try library.remind("ada", ["due_soon", "contact", "order", "message"], from: 10)
        let other = try library.remind("bob", ["overdue"], from: 20)
        let last = try library.remind("ada", ["overdue"], from: 30)
        let hooks = try library.remind("ada", ["overdue", "hold_ready"], by: "webhook", from: 40)
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender, control: library.waiting)
        #expect(report.sent == 10 && report.sentTogether == 3 && report.messagesOfSeveral == 1)
        let mails = sender.consignments.filter { $0.notice.channel == "email" }
        #expect(mails.map { $0.notices.map(\.id) } == [(first + last).map(\.id)] + (alone + other).map { [$0.id] })
        #expect(mails.first?.gathered?.subjects.map(\.kind) == [.overdue, .holdReady, .overdue])
        #expect(mails.dropFirst().allSatisfy { $0.gathered == nil })
        let posts = sender.consignments.filter { $0.notice.channel == "webhook" }
        #expect(posts.map(\.notice.id) == hooks.map(\.id) && posts.allSatisfy { $0.gathered == nil })
        #expect(Set(sender.consignments.map(\.identity)).count == sender.consignments.count)
        let sent = try library.notices([.sent])
        #expect(sent.count == 10 && sent.allSatisfy { $0.tries == 1 && $0.sentAt == library.clock.now() })
        try library.expectSound()
    }

    @Test("a message names titles, barcodes and days, of loans, of holds and of what the policy merged")
    func subjects() throws {
        var row = Library.notice("first", after: .days(1))
        row.digest = NoticeDigest(many: DigestTests.many)
        let tables = Library.tables(fields: ["hold_shelf": .period(.days(6))], notices: [row])
        let library = try Library(policy: PolicySpec(tables: tables))
        try library.gather([.overdue, .holdReady])
        _ = try library.lend("bob", Library.emma).get()
        let loans = try library.lend("ada", 1, 3).get()
        let hold = try library.place("ada").get().hold.id
        try library.pass(days: 16)
        _ = try library.scan().get()
        _ = try library.desk.sweep()
        try library.remind("ada", ["overdue"], loan: loans[0], from: 50)
        let sender = TestSender()
        _ = try library.desk.deliver(by: sender)
        let message = try #require(sender.consignments.first { $0.recipient.username == "ada" })
        let gathered = try #require(message.gathered)
        #expect(gathered.library == "Library")
        let barcodes = try library.desk.read { session in
            try loans.map { try $0.copy.flatMap { try session.transaction.copies.get($0)?.barcode } }
        }
        let due = try CivilDate(parsing: "2026-03-16")
        let until = try #require(try library.hold(hold).hold.shelfUntil)
        #expect(
            gathered.subjects == [
                NoticeSubject(
                    kind: .holdReady, name: "Emma", barcode: try library.copies()[0].barcode,
                    date: Zone.utc.date(of: until)),
                NoticeSubject(kind: .overdue, name: "Dune", barcode: barcodes[0], date: due),
                NoticeSubject(kind: .overdue, name: "Ulysses", barcode: barcodes[1], date: due),
                NoticeSubject(kind: .overdue, name: "Dune", barcode: barcodes[0], date: due),
            ])
        #expect(gathered.notices.contains { $0.kind == "digest" })
        try library.expectSound()
    }

    @Test("a message that is tried again is the same message with the same notices; what came meanwhile is another one")
    func again() throws {
        let library = try library()
        let queued = try library.remind("ada", ["overdue", "due_soon"])
        let failing = TestSender { _ in .failed(DeliveryFault("temporary", "Later, ada@example.org.")) }
        let report = try library.desk.deliver(by: failing, control: library.waiting)
        #expect(report.putOff == 2 && report.messagesOfSeveral == 0)
        let later = try library.remind("ada", ["overdue", "hold_ready"], from: 10)
        try library.pass(.seconds(60))
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        // What was decided on together stays so, whatever the library says by then.
        try library.gather([])
        try library.pass(.seconds(7 * 3_600))
        let sender = TestSender()
        #expect(try library.desk.deliver(by: sender, control: library.waiting).sent == 4)
        let all = failing.consignments + sender.consignments
        let companies = Dictionary(grouping: all, by: \.identity).mapValues { Set($0.map { $0.notices.map(\.id) }) }
        #expect(Set(companies.values) == [[queued.map(\.id)], [later.map(\.id)]])
        let words = try library.desk.read { session in
            try queued.map { try session.transaction.deliveries.get($0.id)?.words }
        }
        #expect(words == [nil, nil], "what was said of tries in vain is over")
        #expect(try library.notices([.sent]).map(\.tries) == [3, 3, 2, 2])
        try library.expectSound()
    }

    @Test("what was tried alone goes alone, and what is refused for good is given up, each with the reason")
    func alone() throws {
        let library = try Library()
        let first = try library.remind("ada", ["overdue", "overdue"])
        let failing = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        _ = try library.desk.deliver(by: failing)
        try library.gather([.overdue])
        let more = try library.remind("ada", ["overdue", "overdue", "overdue"], from: 10)
        try library.pass(.seconds(300))
        let refusing = TestSender { consignment in
            consignment.gathered == nil
                ? .delivered : .failed(DeliveryFault("refused", "550 ada@example.org is full", isFinal: true))
        }
        let report = try library.desk.deliver(by: refusing)
        #expect(refusing.consignments.map { $0.notices.map(\.id) } == first.map { [$0.id] } + [more.map(\.id)])
        #expect(report.sent == 2 && report.givenUp == 3 && report.problems.map(\.notice) == more.map(\.id))
        let failed = try library.desk.read { try $0.notices.failed(limit: 10) }
        #expect(failed.map(\.notice.id) == more.map(\.id))
        #expect(failed.allSatisfy { $0.tried?.words == "550 … is full" && $0.notice.failure == "refused" })

        // One alone is a message of its own; those that come back together are what they were.
        #expect(try library.desk.write { try $0.notices.retry(more[1].id) }.refusal == nil)
        let sender = TestSender()
        #expect(try library.desk.deliver(by: sender).sent == 1)
        #expect(try library.desk.write { try $0.notices.retryAll() } == 2)
        #expect(try library.desk.deliver(by: sender).sentTogether == 2)
        let groups = refusing.consignments.suffix(1) + sender.consignments
        #expect(Set(groups.map(\.identity)).count == 3, "other notices are another message")
        try library.expectSound()
    }

    @Test("three hundred notices of a patron go in messages of twenty, each of which counts once against the limit")
    func many() throws {
        let library = try library()
        let queued = try library.remind("ada", Array(repeating: "overdue", count: 300))
        let sender = TestSender(rates: ["email": 10])
        let report = try library.desk.deliver(by: sender)
        #expect(report.sent == 200 && report.waiting == 100 && report.messagesOfSeveral == 10)
        #expect(try library.desk.deliver(by: sender, control: library.waiting).sent == 100)
        #expect(sender.consignments.allSatisfy { $0.notices.count == Self.most })
        #expect(sender.consignments.flatMap(\.notices).map(\.id) == queued.map(\.id))
        #expect(Set(sender.consignments.map(\.identity)).count == 15)
    }

    @Test("a notice that is withdrawn between two tries leaves its message, which stays the same for the rest")
    func withdrawn() throws {
        let library = try library()
        let queued = try library.remind("ada", ["overdue", "overdue", "overdue"])
        let failing = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        _ = try library.desk.write { try $0.notices.cancel(queued[0].id) }
        try library.pass(.seconds(300))
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        _ = try library.desk.write { try $0.notices.markRead(queued[2].id) }
        try library.pass(.seconds(3_000))
        let sender = TestSender()
        #expect(try library.desk.deliver(by: sender).sent == 1)
        let tried = (failing.consignments + sender.consignments).map { $0.notices.map(\.id) }
        #expect(tried == [queued, Array(queued.dropFirst()), [queued[1]]].map { $0.map(\.id) })
        #expect(Set((failing.consignments + sender.consignments).map(\.identity)).count == 1)
        #expect(sender.consignments.first?.gathered == nil, "the last one goes in its own words")
        try library.expectSound()
    }

    @Test("a message under way is called off whole, cannot be taken back, and goes along with its patron")
    func underWay() throws {
        let library = try library()
        let queued = try library.remind("ada", ["overdue", "due_soon"])
        let desk = library.desk
        let codes = Mutex<[String?]>([])
        let stopping = TestSender { consignment in
            for notice in consignment.notices {
                let refused = try? desk.write { try $0.notices.cancel(notice.id) }.refusal?.code
                codes.withLock { $0.append(refused) }
            }
            return .stopped
        }
        #expect(try desk.deliver(by: stopping).waiting == 2)
        #expect(codes.withLock { $0 } == ["not_queued", "not_queued"])
        let removing = TestSender { _ in
            _ = try? desk.write { try $0.patrons.remove(.username("ada")) }
            return .delivered
        }
        let report = try desk.deliver(by: removing)
        #expect(removing.consignments.map(\.identity) == stopping.consignments.map(\.identity))
        #expect(removing.consignments.map { $0.notices.map(\.id) } == [queued.map(\.id)])
        #expect(report.sent == 0 && report.waiting == 0 && report.messagesOfSeveral == 0)
        #expect(try library.notices().isEmpty)
        try library.expectSound()
    }

    @Test("a further try goes to the address that the patron has by then; without one each notice is given up")
    func address() throws {
        let library = try library()
        try library.remind("ada", ["overdue", "due_soon"])
        let failing = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        _ = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.email = "new@example.org" } }
        try library.pass(.seconds(300))
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        #expect(failing.consignments.map(\.recipient.email) == ["ada@example.org", "new@example.org"])
        #expect(Set(failing.consignments.map(\.identity)).count == 1)
        _ = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.email = nil } }
        try library.pass(.seconds(3_000))
        let report = try library.desk.deliver(by: failing)
        #expect(report.givenUp == 2 && failing.consignments.count == 2)
        #expect(try library.notices([.failed]).map(\.failure) == ["no_address", "no_address"])
        try library.expectSound()
    }

    @Test("what is shown as due says which notice goes in the message of which")
    func due() throws {
        let library = try library()
        let tried = try library.remind("ada", ["overdue", "due_soon"])
        let failing = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        _ = try library.desk.deliver(by: failing, control: library.waiting)
        try library.pass(.seconds(300))
        let new = try library.remind("ada", ["overdue", "message", "due_soon"], from: 10)
        let other = try library.remind("bob", ["overdue"], from: 20)
        let due = try library.desk.read { try $0.notices.due(limit: 10) }
        #expect(due.map(\.notice.id) == (tried + new + other).map(\.id))
        #expect(due.map(\.lead) == [nil, tried[0].id, nil, nil, new[0].id, nil])
    }

    @Test("killed at any write, a worker sends each notice in one company, which stays as it was first")
    func killed() throws {
        for isKept in [false, true] {
            var (died, number) = (true, 1)
            while died {
                let library = try library()
                let queued =
                    try library.remind("ada", ["overdue", "due_soon", "overdue"])
                    + library.remind("bob", ["overdue", "message", "hold_ready"], from: 10)
                let dying = DyingStore(library.store, atWrite: number, isKept: isKept)
                let senders = [TestSender(), TestSender(), TestSender()]
                let doomed = Desk(
                    store: dying, policies: library.loader, clock: library.clock, actor: .desk, extensions: [])
                do {
                    _ = try doomed.deliver(by: senders[0])
                    died = false
                } catch is DyingStore.Killed {}
                // A further notice comes before the next worker.
                let late = try library.remind("ada", ["overdue"], from: 20)
                _ = try library.desk.deliver(by: senders[1])
                try library.pass(.seconds(121))
                _ = try library.desk.deliver(by: senders[2])
                let all = senders.flatMap(\.consignments)
                let companies = Dictionary(grouping: all, by: \.identity)
                #expect(companies.values.allSatisfy { Set($0.map { $0.notices.map(\.id) }).count == 1 })
                let members = companies.values.flatMap { $0[0].notices.map(\.id) }
                #expect(members.sorted() == (queued + late).map(\.id), "each in one message, at write \(number)")
                #expect(senders[2].consignments.count <= 1)
                #expect(try library.notices([.sent]).count == 7)
                try library.expectSound()
                number += 1
            }
            // Clearing, then two writes for each of three messages.
            #expect(number >= 7, "the kills did not reach every write")
        }
    }

    @Test("two workers at once send every notice, and none of them twice")
    func workers() async throws {
        let library = try library()
        var queued: [Notice] = []
        for round in 0..<10 {
            for patron in ["ada", "bob", "cyd"] {
                queued += try library.remind(patron, ["overdue", "due_soon", "message"], from: round * 10)
            }
        }
        let senders = [TestSender(), TestSender()]
        let desk = library.desk
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in senders {
                group.addTask { _ = try desk.deliver(by: sender) }
            }
            try await group.waitForAll()
        }
        let sent = senders.flatMap(\.consignments).flatMap(\.notices).map(\.id)
        #expect(sent.sorted() == queued.map(\.id).sorted())
        try library.expectSound()
    }

    @Test(
        "whatever a sender answers and whenever it is killed, each notice goes out or is given up, once",
        arguments: 1...3)
    func random(seed: UInt64) throws {
        let library = try library()
        let dice = Mutex(SplitMix(seed: seed))
        let terms = DeliveryTerms(tries: 5)
        let delivered = Mutex<[String: [Int64]]>([:])
        let sender = TestSender { consignment in
            switch dice.withLock({ Int.random(in: 0..<6, using: &$0) }) {
            case 0: return .failed(DeliveryFault("temporary", "Later."))
            case 1: return .failed(DeliveryFault("unreachable", "Nobody.", concernsChannel: true))
            case 2: return .failed(DeliveryFault("refused", "Never.", isFinal: true))
            case 3: return .stopped
            default:
                delivered.withLock { $0[consignment.identity] = consignment.notices.map(\.id) }
                return .delivered
            }
        }
        var queued: [Notice] = []
        for round in 0..<12 {
            for patron in ["ada", "bob"] {
                queued += try library.remind(patron, ["overdue", "due_soon", "message"], from: round * 10)
            }
            let write = dice.withLock { Int.random(in: 1...12, using: &$0) }
            let dying = DyingStore(library.store, atWrite: write, isKept: dice.withLock { Bool.random(using: &$0) })
            let doomed = Desk(
                store: dying, policies: library.loader, clock: library.clock, actor: .desk, extensions: [])
            do {
                _ = try doomed.deliver(by: sender, terms: terms, control: library.waiting)
            } catch is DyingStore.Killed {}
            try library.pass(.seconds(dice.withLock { Int.random(in: 1...4_000, using: &$0) }))
        }
        for _ in 0..<400 where try !library.notices([.queued]).isEmpty {
            _ = try library.desk.deliver(by: sender, terms: terms, control: library.waiting)
            try library.pass(.seconds(9 * 3_600))
        }
        let (sent, failed) = (try library.notices([.sent]), try library.notices([.failed]))
        #expect(Set((sent + failed).map(\.id)) == Set(queued.map(\.id)), "none lost, none invented")
        let out = delivered.withLock { Array($0.values.joined()) }
        #expect(Set(out).count == out.count, "none in two messages")
        #expect(sent.allSatisfy { out.contains($0.id) })
        #expect(failed.allSatisfy { $0.failure == "refused" || $0.tries == 5 })
        let companies = Dictionary(grouping: sender.consignments, by: \.identity)
        #expect(companies.values.allSatisfy { Set($0.map { $0.notices.map(\.id) }).count == 1 })
        #expect(companies.values.contains { $0[0].notices.count > 1 })
        try library.expectSound()
    }
}
