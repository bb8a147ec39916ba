import Circulation
import Storage
import Testing

@Suite("Deliveries")
struct DeliveryTests {
    private func insert(_ transaction: Transaction, _ fixture: Fixture, _ channels: String...) throws -> [Notice] {
        try channels.enumerated().map { number, channel in
            var notice = Notice(
                kind: "message", subjectKey: "key \(number)", patron: fixture.patron, stage: "message",
                channel: channel, subject: "S", body: "B", createdAt: Instant(seconds: 1), failure: "temporary")
            notice.id = try #require(try transaction.notices.insert(notice))
            return notice
        }
    }

    private func record(_ notice: Notice, worker: String?, at seconds: Int64, until end: Int64) -> DeliveryRecord {
        DeliveryRecord(
            notice: notice.id, channel: notice.channel, worker: worker, triedAt: Instant(seconds: seconds),
            heldUntil: Instant(seconds: end), words: worker == nil ? "450 \u{202E}\r\nlater" : nil)
    }

    @Test("what waits is given by channel and id, without what is held", arguments: TestDriver.allCases)
    func waiting(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let deliveries = transaction.deliveries
            let notices = try insert(transaction, fixture, "email", "sms", "email", "email")
            #expect(try deliveries.channels() == ["email", "sms"])
            let now = Instant(seconds: 100)
            #expect(
                try deliveries.waiting(by: "email", at: now, limit: 10) == [notices[0], notices[2], notices[3]])
            #expect(try deliveries.waiting(by: "email", after: notices[0].id, at: now) == [notices[2]])
            try deliveries.set(record(notices[0], worker: "a", at: 90, until: 101))
            try deliveries.set(record(notices[2], worker: nil, at: 90, until: 100))
            #expect(try deliveries.waiting(by: "email", at: now, limit: 10) == [notices[2], notices[3]])
            #expect(
                try deliveries.waiting(by: "email", at: Instant(seconds: 101), limit: 10).map(\.id)
                    == [notices[0], notices[2], notices[3]].map(\.id))
            var sent = notices[3]
            sent.state = .sent
            sent.failure = nil
            try transaction.notices.update(sent)
            #expect(try transaction.notices.get(sent.id) == sent)
            #expect(try deliveries.waiting(by: "email", at: now, limit: 10) == [notices[2]])
        }
    }

    @Test("a try takes the place of the one before", arguments: TestDriver.allCases)
    func records(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let notice = try insert(transaction, fixture, "email")[0]
            #expect(try transaction.deliveries.get(notice.id) == nil)
            for one in [record(notice, worker: "a", at: 1, until: 2), record(notice, worker: nil, at: 3, until: 4)] {
                try transaction.deliveries.set(one)
                #expect(try transaction.deliveries.get(notice.id) == one)
            }
            try transaction.deliveries.remove(notice.id)
            #expect(try transaction.deliveries.get(notice.id) == nil)
        }
    }

    @Test(
        "tries are counted by channel and time, and forgotten when they are no longer needed",
        arguments: TestDriver.allCases)
    func tries(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let deliveries = transaction.deliveries
            let notices = try insert(transaction, fixture, "email", "email", "sms", "email")
            #expect(try deliveries.earliestTry(by: "email", after: .earliest) == nil)
            for (number, notice) in notices.enumerated() {
                try deliveries.set(record(notice, worker: nil, at: Int64(number) * 10, until: 0))
            }
            #expect(try deliveries.tries(by: "email", after: Instant(seconds: 0)) == 2)
            #expect(try deliveries.earliestTry(by: "email", after: Instant(seconds: 0)) == Instant(seconds: 10))
            #expect(try deliveries.tries(by: "sms", after: Instant(seconds: 20)) == 0)
            for (notice, state) in zip(notices, [Notice.State.sent, .queued, .failed, .sent]) {
                var notice = notice
                notice.state = state
                try transaction.notices.update(notice)
            }
            try deliveries.clear(before: Instant(seconds: 30))
            #expect(try notices.map { try deliveries.get($0.id) != nil } == [false, true, true, true])
        }
    }

    @Test(
        "what a patron waits for untried is given by kinds, and what goes together by its message",
        arguments: TestDriver.allCases)
    func together(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let deliveries = transaction.deliveries
            let kinds = ["overdue", "hold_ready", "message", "overdue", "overdue"]
            let notices = try kinds.enumerated().map { number, kind in
                var notice = Notice(
                    kind: kind, subjectKey: "key \(number)", patron: fixture.patron, stage: "s",
                    channel: number == 3 ? "sms" : "email", subject: "S", body: "B", createdAt: Instant(seconds: 1))
                notice.id = try #require(try transaction.notices.insert(notice))
                return notice
            }
            func untried(_ kinds: Set<String>, after id: Int64 = 0, limit: Int64 = 10) throws -> [Int64] {
                try deliveries.untried(of: fixture.patron, by: "email", after: id, kinds: kinds, limit: limit).map(\.id)
            }
            let all = GatheredKind.names(Set(GatheredKind.allCases))
            #expect(try untried(all) == [notices[0].id, notices[1].id, notices[4].id])
            #expect(try untried(["overdue"]) == [notices[0].id, notices[4].id])
            #expect(try untried(all, after: notices[0].id, limit: 1) == [notices[1].id])
            #expect(try untried([]).isEmpty && untried(["digest"]).isEmpty)
            #expect(
                try deliveries.untried(of: fixture.patron + 1, by: "email", after: 0, kinds: all, limit: 10).isEmpty)
            for notice in [notices[4], notices[0]] {
                var tried = record(notice, worker: "a", at: 10, until: 20)
                tried.message = "m"
                try deliveries.set(tried)
                #expect(try deliveries.get(notice.id) == tried)
            }
            #expect(try untried(all) == [notices[1].id])
            #expect(try deliveries.notices(in: "m") == [notices[0].id, notices[4].id])
            #expect(try deliveries.notices(in: "n").isEmpty)
            #expect(try deliveries.tries(by: "email", after: Instant(seconds: 0)) == 1)
            try deliveries.set(record(notices[1], worker: nil, at: 11, until: 20))
            #expect(try deliveries.tries(by: "email", after: Instant(seconds: 0)) == 2)
            #expect(try deliveries.earliestTry(by: "email", after: Instant(seconds: 0)) == Instant(seconds: 10))
        }
    }

    @Test("a removed patron's tries go along", arguments: TestDriver.allCases)
    func removal(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let notice = try insert(transaction, fixture, "email")[0]
            try transaction.deliveries.set(record(notice, worker: nil, at: 1, until: 2))
            try transaction.patrons.remove(fixture.patron)
            #expect(try transaction.notices.get(notice.id) == nil)
            #expect(try transaction.deliveries.get(notice.id) == nil)
        }
    }
}
