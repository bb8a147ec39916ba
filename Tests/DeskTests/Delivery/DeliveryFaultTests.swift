import Circulation
import Desk
import Storage
import Synchronization
import TestSupport
import Testing

/// Killed workers, workers beside one another, and everything at random.
@Suite("The outbox under trouble", .everyStore)
struct DeliveryFaultTests {
    private func desk(_ library: Library, over store: any Store) -> Desk {
        Desk(store: store, policies: library.loader, clock: library.clock, actor: .desk, extensions: [])
    }

    /// After it, nothing is stuck: everything went out, each message under one identity.
    private func expectDelivered(_ library: Library, _ senders: [TestSender], _ queued: [Notice]) throws {
        let all = senders.flatMap(\.consignments)
        #expect(Set(all.map(\.notice.id)) == Set(queued.map(\.id)))
        let identities = Dictionary(grouping: all, by: \.notice.id).mapValues { Set($0.map(\.identity)) }
        #expect(identities.values.allSatisfy { $0.count == 1 })
        #expect(Set(identities.values).count == queued.count)
        #expect(try library.notices([.sent]).count == queued.count)
        try library.expectSound()
    }

    @Test("killed at any write, a worker loses nothing and leaves nothing stuck", arguments: [false, true])
    func killed(isKept: Bool) throws {
        var died = true
        var number = 1
        while died {
            let library = try Library()
            let queued = try library.queue(3) + library.queue(2, by: "webhook")
            let dying = DyingStore(library.store, atWrite: number, isKept: isKept)
            let first = TestSender()
            do {
                _ = try desk(library, over: dying).deliver(by: first)
                died = false
            } catch is DyingStore.Killed {}
            // The next one begins at once; what the first was at is free when the lease is over.
            let (second, third) = (TestSender(), TestSender())
            _ = try library.desk.deliver(by: second)
            let twice = Set(first.consignments.map(\.notice.id)).intersection(second.consignments.map(\.notice.id))
            #expect(twice.isEmpty, "a lease was not kept")
            try library.pass(.seconds(121))
            _ = try library.desk.deliver(by: third)
            try expectDelivered(library, [first, second, third], queued)
            #expect(third.consignments.count <= 1)
            number += 1
        }
        // Clearing, then two writes for each message.
        #expect(number >= 11, "the kills did not reach every write")
    }

    @Test("two workers at once send every message, and none of them twice")
    func together() async throws {
        let library = try Library()
        let queued = try library.queue(40)
        let senders = [TestSender(), TestSender()]
        let desk = library.desk
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in senders {
                group.addTask { _ = try desk.deliver(by: sender) }
            }
            try await group.waitForAll()
        }
        #expect(senders.flatMap(\.consignments).count == queued.count)
        try expectDelivered(library, senders, queued)
    }

    @Test(
        "whatever a sender answers and whenever it is killed, what is queued goes out or is given up", arguments: 1...3)
    func random(seed: UInt64) throws {
        let library = try Library()
        let dice = Mutex(SplitMix(seed: seed))
        let terms = DeliveryTerms(tries: 5)
        var queued: [Notice] = []
        let delivered = Mutex<Set<Int64>>([])
        let sender = TestSender { consignment in
            switch dice.withLock({ Int.random(in: 0..<6, using: &$0) }) {
            case 0: return .failed(DeliveryFault("temporary", "Later."))
            case 1: return .failed(DeliveryFault("unreachable", "Nobody.", concernsChannel: true))
            case 2: return .failed(DeliveryFault("refused", "Never.", isFinal: true))
            case 3: return .stopped
            default:
                delivered.withLock { _ = $0.insert(consignment.notice.id) }
                return .delivered
            }
        }
        for round in 0..<12 {
            queued += try library.queue(2, by: round.isMultiple(of: 2) ? "email" : "webhook", from: round * 2)
            let write = dice.withLock { Int.random(in: 1...12, using: &$0) }
            let dying = DyingStore(library.store, atWrite: write, isKept: dice.withLock { Bool.random(using: &$0) })
            do {
                _ = try desk(library, over: dying).deliver(by: sender, terms: terms, control: library.waiting)
            } catch is DyingStore.Killed {}
            try library.pass(.seconds(dice.withLock { Int.random(in: 1...4_000, using: &$0) }))
        }
        // A stop ends the channel's turn; so many turns are enough for all.
        for _ in 0..<400 where try !library.notices([.queued]).isEmpty {
            _ = try library.desk.deliver(by: sender, terms: terms, control: library.waiting)
            try library.pass(.seconds(9 * 3_600))
        }
        let (sent, failed) = (try library.notices([.sent]), try library.notices([.failed]))
        #expect(Set((sent + failed).map(\.id)) == Set(queued.map(\.id)), "none lost, none invented")
        #expect(sent.allSatisfy { notice in delivered.withLock { $0.contains(notice.id) } })
        #expect(failed.allSatisfy { $0.failure == "refused" || $0.tries == 5 })
        #expect(sender.consignments.allSatisfy { one in queued.contains { $0.id == one.notice.id } })
        try library.expectSound()
    }
}
