import Circulation
import Desk
import Storage
import TestSupport
import Testing

/// Notices that were given up and are tried again.
@Suite("Notices that are tried again", .everyStore)
struct RetryingTests {
    private let library: Library
    private let queued: [Notice]

    init() throws {
        library = try Library()
        try library.gather([.overdue])
        queued = try library.remind("ada", ["overdue", "overdue", "overdue"])
    }

    private func give(_ faults: DeliveryFault...) throws -> [Consignment] {
        var all: [Consignment] = []
        for fault in faults {
            let sender = TestSender { _ in .failed(fault) }
            _ = try library.desk.deliver(by: sender, control: library.waiting)
            all += sender.consignments
            try library.pass(.seconds(7 * 3_600))
        }
        return all
    }

    private static let refused = DeliveryFault("refused", "554 no", isFinal: true)
    private static let silent = DeliveryFault("timed_out", "no answer", mayHaveArrived: true)

    private func sent() throws -> [Consignment] {
        let sender = TestSender()
        _ = try library.desk.deliver(by: sender, control: library.waiting)
        return sender.consignments
    }

    private func retry(_ place: Int, alone: Bool = false) throws {
        _ = try library.desk.write { try $0.notices.retry(queued[place].id, alone: alone) }.get()
    }

    @Test("alone, each goes in a mail of its own, also beside what comes meanwhile and after a further try in vain")
    func alone() throws {
        let first = try give(Self.refused)
        #expect(first.map { $0.notices.count } == [3])
        #expect(try library.desk.write { try $0.notices.retryAll(alone: true) } == 3)
        let late = try library.remind("ada", ["overdue", "overdue"], from: 10)
        let tries = try give(DeliveryFault("temporary", "451 later"))
        #expect(tries.map { $0.notices.map(\.id) } == queued.map { [$0.id] } + [late.map(\.id)])
        let last = try sent()
        #expect(last.map(\.identity) == tries.map(\.identity))
        #expect(!last.map(\.identity).contains(first[0].identity))
        #expect(try library.notices([.sent]).count == 5)
        try library.expectSound()
    }

    @Test("what surely did not arrive makes up mails anew, with what came meanwhile")
    func anew() throws {
        let first = try give(DeliveryFault("temporary", "451 later"), Self.refused)
        let late = try library.remind("ada", ["overdue"], from: 10)
        #expect(try library.desk.write { try $0.notices.retryAll() } == 3)
        let last = try sent()
        #expect(last.map { $0.notices.map(\.id) } == [(queued + late).map(\.id)])
        #expect(last[0].identity != first[0].identity)
    }

    @Test("what may have arrived is the same mail again, with all that it had, whichever of it is asked for")
    func unsure() throws {
        let first = try give(Self.silent, DeliveryFault("temporary", "451 later"), Self.refused)
        #expect(
            try library.desk.read { try $0.notices.failed(limit: 9) }.map(\.tried?.mayHaveArrived) == [
                true, true, true,
            ])
        let late = try library.remind("ada", ["overdue"], from: 10)
        try retry(1)
        #expect(try library.notices([.failed]).isEmpty)
        let last = try sent()
        #expect(last.map { $0.notices.map(\.id) } == [queued.map(\.id), late.map(\.id)])
        #expect(last[0].identity == first[0].identity)
        try library.expectSound()
    }

    @Test("all that may have arrived is counted once, and goes alone where that is asked for")
    func counted() throws {
        let first = try give(Self.silent, Self.refused)
        #expect(try library.desk.write { try $0.notices.retryAll() } == 3)
        _ = try give(Self.refused)
        #expect(
            try library.desk.read { try $0.notices.failed(limit: 9) }.map(\.tried?.mayHaveArrived) == [
                true, true, true,
            ])
        try retry(0, alone: true)
        #expect(try library.notices([.failed]).count == 2)
        let last = try sent()
        #expect(last.map { $0.notices.map(\.id) } == [[queued[0].id]] && last[0].identity != first[0].identity)
    }

    @Test("one that went alone and may have arrived joins no other")
    func single() throws {
        _ = try sent()
        let one = try library.remind("ada", ["overdue"], from: 20)
        let first = try give(Self.silent, Self.refused)
        let late = try library.remind("ada", ["overdue"], from: 30)
        _ = try library.desk.write { try $0.notices.retry(one[0].id) }.get()
        let last = try sent()
        #expect(last.map { $0.notices.map(\.id) } == [one, late].map { $0.map(\.id) })
        #expect(last[0].identity == first[0].identity)
    }

    @Test("what a worker did not live to say, and what was called off, may have arrived")
    func lost() throws {
        _ = try library.desk.deliver(by: TestSender { _ in .stopped })
        _ = try give(Self.refused)
        #expect(
            try library.desk.read { try $0.notices.failed(limit: 9) }.allSatisfy { $0.tried?.mayHaveArrived == true })
        let late = try library.remind("ada", ["overdue"], from: 10)
        let dying = DyingStore(library.store, atWrite: 3, isKept: false)
        let doomed = Desk(store: dying, policies: library.loader, clock: library.clock, actor: .desk, extensions: [])
        let sender = TestSender()
        #expect(throws: DyingStore.Killed.self) { try doomed.deliver(by: sender) }
        #expect(sender.consignments.count == 1)
        try library.pass(.seconds(300))
        _ = try give(Self.refused)
        let failed = try library.desk.read { try $0.notices.failed(limit: 9) }
        #expect(failed.first { $0.notice.id == late[0].id }?.tried?.mayHaveArrived == true)
    }
}
