import Circulation
import Desk
import Interchange
import Storage
import Testing

@Suite("Messages that BitBooks has sent")
struct BitBooksMessageTests {
    private func until(_ bench: ImportBench) throws -> Instant? {
        try bench.desk.read { try #require(try $0.loans.active(of: .username("ada")).first).noticesSentUntil }
    }

    private func told(_ bench: ImportBench) throws -> Int {
        try bench.desk.read { session in
            var count = 0
            try session.events.each(EventQuery()) { event in
                if event.kind == EventKind.loanTold.name { count += 1 }
                return true
            }
            return count
        }
    }

    /// - Parameter due: the day on which Ada's loan is due.
    private func files(_ bench: ImportBench, due: String = "05-10-2026") throws -> [String: String] {
        [
            "users": try bench.file("users.json", BitBooksFiles.users),
            "books": try bench.file("books.json", BitBooksFiles.books(copies: 0, given: 1)),
            "loans": try bench.file("loans.json", BitBooksFiles.loans(["ada"], due: due)),
            "notifications": try bench.file("notifications.json", BitBooksFiles.notifications("ada")),
        ]
    }

    private func bring(_ bench: ImportBench, _ files: [String: String], _ names: String...) throws -> ImportReport {
        try Importer(desk: bench.desk, options: ImportOptions(), tally: RowCounter()).run(
            paths: names.map { try #require(files[$0]) })
    }

    private static let lentAt = Instant(seconds: 1_790_812_800)

    @Test("a loan that is late and has a message counts as told, whichever comes first")
    func order() throws {
        for names in [["loans", "notifications"], ["notifications", "loans"]] {
            let bench = try ImportBench()
            let files = try files(bench)
            _ = try bring(bench, files, "users", "books", names[0], names[1])
            #expect(try until(bench) == ImportBench.now, "\(names)")
            #expect(try told(bench) == (names[0] == "loans" ? 1 : 0))
            #expect(try bench.desk.examine().isSound)
        }
    }

    @Test("a loan without a message is told by the sweep: nothing of it is said")
    func untold() throws {
        let bench = try ImportBench()
        _ = try bring(bench, files(bench), "users", "books", "loans")
        #expect(try until(bench) == Self.lentAt)
    }

    @Test("a loan that is not late was not meant by the message; on the day it is due it is late")
    func notLate() throws {
        for (due, isTold) in [("08-10-2026", false), ("07-10-2026", true)] {
            for names in [["loans", "notifications"], ["notifications", "loans"]] {
                let bench = try ImportBench()
                _ = try bring(bench, files(bench, due: due), "users", "books", names[0], names[1])
                #expect(try until(bench) == (isTold ? ImportBench.now : Self.lentAt), "\(due), \(names)")
            }
        }
    }

    @Test("in two runs, and again later: it counts as told until the message came, and no longer")
    func later() throws {
        let clock = ManualClock(ImportBench.now)
        let bench = try ImportBench(clock: clock)
        let files = try files(bench)
        _ = try bring(bench, files, "users", "books", "loans")
        try clock.advance(microseconds: 3_600_000_000)
        let came = clock.now()
        let report = try bring(bench, files, "notifications")
        #expect(report.added == 1)
        #expect(try until(bench) == came)
        try clock.advance(microseconds: 3 * 86_400_000_000)
        let again = try bring(bench, files, "users", "books", "notifications", "loans")
        #expect(again.added == 0 && again.updated == 0)
        #expect(try until(bench) == came)
        #expect(try told(bench) == 1)
        #expect(try bench.desk.examine().isSound)
        // The message that came first counts for a loan that comes days after it, up to then.
        let other = try ImportBench(clock: clock)
        let others = try self.files(other)
        _ = try bring(other, others, "users", "books", "notifications")
        let first = clock.now()
        try clock.advance(microseconds: 86_400_000_000)
        _ = try bring(other, others, "loans")
        #expect(try until(other) == first)
    }

    @Test("a day that is named counts for all of them")
    func named() throws {
        let bench = try ImportBench()
        let named = Instant(seconds: ImportBench.now.microseconds / 1_000_000 - 86_400)
        var options = ImportOptions()
        options.arrivals.noticesSentUntil = named
        let files = try files(bench)
        _ = try Importer(desk: bench.desk, options: options, tally: RowCounter()).run(
            paths: ["users", "books", "loans"].map { try #require(files[$0]) })
        #expect(try until(bench) == named)
        _ = try bring(bench, files, "notifications")
        #expect(try until(bench) == ImportBench.now)
    }

    @Test("what was read does not come back, and goes out as read")
    func read() throws {
        let bench = try ImportBench()
        let files = try files(bench)
        let unread = try bench.file("notifications.json", BitBooksFiles.notifications("ada", notified: false))
        _ = try bring(bench, files, "users", "books", "loans", "notifications")
        try bench.desk.write { session in
            let notices = try session.notices.list(NoticeQuery(states: [.sent]))
            #expect(notices.count == 1)
            for notice in notices { _ = try session.notices.markRead(notice.id) }
        }
        for _ in 0..<2 { #expect(try bench.importing(unread).unchanged == 1) }
        try bench.desk.read { session in
            let notices = try session.notices.list(NoticeQuery())
            #expect(notices.map(\.state) == [.read])
        }
    }

    @Test("the patron stays what the library made of them")
    func kept() throws {
        let bench = try ImportBench()
        let files = try files(bench)
        _ = try bring(bench, files, "users")
        try bench.importing(
            bench.file(
                "more.jsonl",
                #"{"patron":{"username":"ada","name":"Ada","surname":"Byron","email":"ada@example.org","role":"staff"}}"#
            ))
        _ = try bring(bench, files, "users")
        let ada = try bench.desk.read { try $0.patrons.get(.username("ada")) }
        #expect(ada?.email == "ada@example.org" && ada?.role == .staff)
    }
}
