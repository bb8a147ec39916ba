import Circulation
import Desk
import Storage
import Synchronization
import Testing

@Suite("The outbox", .everyStore)
struct DeliveryTests {
    @Test("exactly what is queued goes out, once, the oldest first")
    func exactly() throws {
        let library = try Library()
        let queued = try library.queue(3)
        try library.queue(2, to: "bob", by: "inbox")
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender, control: library.waiting)
        #expect(report.sent == 3 && report.putOff == 0 && report.givenUp == 0 && report.waiting == 0)
        #expect(sender.consignments.map(\.notice.id) == queued.map(\.id))
        #expect(sender.consignments.allSatisfy { $0.recipient.email == "ada@example.org" })
        let sent = try library.notices([.sent])
        #expect(sent.count == 5)
        let mails = sent.filter { $0.channel == "email" }
        #expect(mails.allSatisfy { $0.tries == 1 && $0.sentAt == library.clock.now() && $0.failure == nil })
        #expect(try library.desk.deliver(by: sender, control: library.waiting).sent == 0)
        #expect(sender.consignments.count == 3)
        try library.expectSound()
    }

    @Test("a message keeps its identity from try to try; no other message has it, in no other library")
    func identities() throws {
        let library = try Library()
        try library.queue(2)
        let sender = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        for _ in 0..<3 {
            _ = try library.desk.deliver(by: sender, control: library.waiting)
            try library.pass(.seconds(7 * 3_600))
        }
        let byNotice = Dictionary(grouping: sender.consignments, by: \.notice.id)
        #expect(byNotice.count == 2 && byNotice.values.allSatisfy { $0.count == 3 })
        #expect(byNotice.values.allSatisfy { Set($0.map(\.identity)).count == 1 })
        #expect(Set(sender.consignments.map(\.identity)).count == 2)

        let other = try Library()
        try other.queue(1)
        let otherSender = TestSender()
        _ = try other.desk.deliver(by: otherSender)
        let identity = try #require(otherSender.consignments.first?.identity)
        #expect(identity.count == 32 && !sender.consignments.map(\.identity).contains(identity))
    }

    @Test("in its quiet hours nothing goes out by a channel, and all of it afterwards; other channels go on")
    func quietHours() throws {
        let library = try Library()
        try library.queue(2)
        try library.queue(1, by: "webhook")
        let zone = try library.desk.read { try $0.settings.library().zone }
        let now = zone.local(of: library.clock.now()).time.secondsSinceMidnight
        let (begun, over) = (
            try CivilTime(secondsSinceMidnight: (Int(now) + 82_800) % 86_400),
            try CivilTime(secondsSinceMidnight: (Int(now) + 3_600) % 86_400)
        )
        let hours = try #require(QuietHours(from: begun, to: over))
        let sender = TestSender(quiet: ["email": hours])
        let report = try library.desk.deliver(by: sender, control: library.waiting)
        #expect(report.sent == 1 && report.waiting == 2 && report.putOff == 0)
        #expect(report.quiet == ["email": try library.clock.now().adding(hours: 1)])
        #expect(sender.consignments.map(\.notice.channel) == ["webhook"])
        try library.pass(.seconds(3_600))
        let later = try library.desk.deliver(by: sender, control: library.waiting)
        #expect(later.sent == 2 && later.waiting == 0 && later.quiet.isEmpty)
        try library.expectSound()
    }

    @Test("a patron without address and a channel that there is not are given up with the reason")
    func withoutAddress() throws {
        let library = try Library()
        try library.queue(1, by: "sms")
        try library.queue(2, by: "pigeon")
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender)
        #expect(report.givenUp == 3 && report.sent == 0 && sender.consignments.isEmpty)
        let failed = try library.notices([.failed])
        #expect(failed.map(\.failure) == ["no_address", "unknown_channel", "unknown_channel"])
        #expect(
            Set(report.problems.map(\.fault.words)) == [
                "The patron has no phone number.", "There is no channel 'pigeon'.",
            ])
        try library.expectSound()
    }

    @Test("a channel that is not set up here waits for a machine where it is")
    func notSetUp() throws {
        let library = try Library()
        try library.queue(2)
        let report = try library.desk.deliver(by: TestSender(channels: []))
        #expect(report.notSetUp == ["email": 2] && report.waiting == 2 && report.givenUp == 0)
        #expect(try library.desk.deliver(by: TestSender()).sent == 2)
    }

    @Test("a message is tried again after growing pauses and given up visibly after the last try")
    func pauses() throws {
        let library = try Library()
        let notice = try #require(try library.queue(1).first)
        let sender = TestSender { _ in .failed(DeliveryFault("temporary", "Mailbox of ada@example.org is full.")) }
        let terms = DeliveryTerms(tries: 4)
        for (tries, pause) in [(1, 60), (2, 240), (3, 960)] {
            let report = try library.desk.deliver(by: sender, terms: terms, control: library.waiting)
            #expect(report.putOff == 1 && report.givenUp == 0 && report.waiting == 1)
            #expect(sender.consignments.count == tries)
            try library.pass(.seconds(pause - 1))
            #expect(try library.desk.deliver(by: sender, terms: terms, control: library.waiting).putOff == 0)
            try library.pass(.seconds(1))
        }
        #expect(try library.desk.deliver(by: sender, terms: terms, control: library.waiting).givenUp == 1)
        let given = try #require(try library.desk.read { try $0.notices.get(notice.id) })
        #expect(given.state == .failed && given.tries == 4 && given.failure == "temporary")
        let failed = try library.desk.read { try $0.notices.failed(limit: 10) }
        #expect(failed.map(\.tried?.words) == ["Mailbox of … is full."], "no address stays in what is written down")
        #expect(try library.events(.noticeChanged).count == 4)
        try library.expectSound()

        #expect(try library.desk.write { try $0.notices.retryAll() } == 1)
        #expect(try library.desk.deliver(by: TestSender()).sent == 1, "it need not wait for the pause")
        #expect(try library.notices([.sent]).first?.failure == nil)
        try library.expectSound()
    }

    @Test("pauses differ by chance, within a fifth, and end at the longest")
    func chances() {
        let terms = DeliveryTerms()
        #expect(terms.pause(after: 1, chance: 0.5) == .seconds(60))
        #expect(terms.pause(after: 1, chance: 0) == .seconds(48))
        #expect(terms.pause(after: 1, chance: 1) == .seconds(72))
        #expect(terms.pause(after: 60, chance: 0.5) == .seconds(6 * 3_600))
        #expect(terms.pause(after: .max, chance: .nan) <= .seconds(8 * 3_600))
    }

    @Test("what is refused for ever is given up at once")
    func refused() throws {
        let library = try Library()
        try library.queue(2)
        let sender = TestSender { consignment in
            consignment.notice.subject == "Message 0"
                ? .failed(DeliveryFault("refused", "550 No such mailbox", isFinal: true)) : .delivered
        }
        let report = try library.desk.deliver(by: sender)
        #expect(report.sent == 1 && report.givenUp == 1)
        #expect(try library.notices([.failed]).map(\.failure) == ["refused"])
    }

    @Test("a channel out of order is left alone after three faults in a row; others go on")
    func outOfOrder() throws {
        let library = try Library()
        try library.queue(10)
        try library.queue(2, by: "webhook")
        let sender = TestSender { consignment in
            consignment.notice.channel == "email"
                ? .failed(DeliveryFault("unreachable", "Nobody listens.", concernsChannel: true)) : .delivered
        }
        let report = try library.desk.deliver(by: sender)
        #expect(report.outOfOrder == ["email": "Nobody listens."])
        #expect(report.sent == 2 && report.putOff == 3 && report.waiting == 10)
        #expect(try library.notices([.queued]).filter { $0.tries > 0 }.count == 3)
    }

    @Test("no minute sees more messages than a channel takes, whichever machines send them")
    func rate() throws {
        let library = try Library()
        try library.queue(25)
        try library.queue(5, by: "webhook")
        let times = Mutex<[Int64]>([])
        let clock = library.clock
        let sender = TestSender(rates: ["email": 10]) { consignment in
            if consignment.notice.channel == "email" { times.withLock { $0.append(clock.now().seconds) } }
            return .delivered
        }
        let impatient = DeliveryControl()
        #expect(try library.desk.deliver(by: sender, control: impatient).sent == 15)
        #expect(try library.desk.deliver(by: sender, control: impatient).sent == 0)
        #expect(try library.desk.deliver(by: sender, control: library.waiting).sent == 15)
        let sent = times.withLock { $0 }
        #expect(sent.count == 25)
        for moment in sent {
            #expect(sent.filter { $0 > moment - 60 && $0 <= moment }.count <= 10)
        }
    }

    @Test("no more go out than were asked for")
    func limit() throws {
        let library = try Library()
        try library.queue(5)
        let sender = TestSender()
        let report = try library.desk.deliver(by: sender, limit: 2)
        #expect(report.sent == 2 && report.waiting == 3 && sender.consignments.count == 2)
    }

    @Test("what is called off is as it was, and the run ends")
    func stopped() throws {
        let library = try Library()
        try library.queue(3)
        let before = try library.events(.noticeChanged).count
        let isStopped = Atomic<Bool>(false)
        let stopping = TestSender { _ in
            isStopped.store(true, ordering: .relaxed)
            return .stopped
        }
        let control = DeliveryControl(isStopped: { isStopped.load(ordering: .relaxed) })
        let report = try library.desk.deliver(by: stopping, control: control)
        #expect(report.isStopped && report.sent == 0 && report.waiting == 3 && stopping.consignments.count == 1)
        #expect(try library.events(.noticeChanged).count == before)
        #expect(try library.desk.deliver(by: TestSender()).sent == 3)
    }

    @Test("a message that a sender is at is neither taken back nor given other words")
    func underWay() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: [DeliveryTests.merging])))
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep(pageSize: 1)
        let desk = library.desk
        let seen = Mutex<[String]>([])
        let sender = TestSender { consignment in
            let outcome = try? desk.write { try $0.notices.cancel(consignment.notice.id) }
            seen.withLock { $0.append(outcome?.refusal?.code ?? "cancelled") }
            return .delivered
        }
        #expect(try desk.deliver(by: sender).sent == 1)
        #expect(seen.withLock { $0 } == ["not_queued"])
        #expect(try library.notices([.sent]).count == 1)
    }

    @Test("a message that was handed over is not merged into a later one")
    func merged() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: [DeliveryTests.merging])))
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        let sender = TestSender { _ in .failed(DeliveryFault("temporary", "Later.")) }
        // The first page's message is tried before the second page comes.
        var isFirst = true
        _ = try library.desk.sweep(pageSize: 1) { _ in
            if isFirst { _ = try library.desk.deliver(by: sender) }
            isFirst = false
        }
        #expect(sender.consignments.count == 1)
        let queued = try library.notices([.queued])
        #expect(queued.count == 2 && queued.allSatisfy { $0.kind != "digest" })
        try library.expectSound()
    }

    private static var merging: NoticeRow {
        var row = Library.notice("first", after: .days(1), charge: nil, channel: "email")
        row.digest = NoticeDigest(many: DigestTests.many)
        return row
    }

    @Test("a patron removed while a message is under way takes it along")
    func removed() throws {
        let library = try Library()
        try library.queue(2)
        let desk = library.desk
        let sender = TestSender { _ in
            _ = try? desk.write { try $0.patrons.remove(.username("ada")) }
            return .failed(DeliveryFault("temporary", "ada@example.org: later"))
        }
        let report = try desk.deliver(by: sender)
        #expect(sender.consignments.count == 1 && report.waiting == 0)
        #expect(try library.notices().isEmpty)
        try library.expectSound()
    }

    @Test("what is shown as due is what would go out, and nothing changes by it")
    func due() throws {
        let library = try Library()
        try library.queue(2)
        try library.queue(1, by: "pigeon")
        let due = try library.desk.read { try $0.notices.due(limit: 10) }
        #expect(due.map(\.notice.channel) == ["email", "email", "pigeon"])
        #expect(due.map { $0.fault?.code } == [nil, nil, "unknown_channel"])
        #expect(try library.notices([.queued]).count == 3)
        #expect(try library.desk.read { try $0.notices.due(limit: 1) }.count == 1)
    }
}
