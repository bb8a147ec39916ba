import Circulation
import Desk
import Testing

@Suite("Several notices in one", .everyStore)
struct DigestTests {
    private struct Killed: Error {}

    static let many = NoticeDigest.Texts(
        subject: .byLanguage(["en": "{{count}} titles are overdue", "de": "{{count}} Titel sind fällig"]),
        body: "Dear {{patron.name}}:\n{{list}}", line: "* {{title.title}}, {{loan.due}}")

    private static func row(
        _ many: NoticeDigest.Texts? = DigestTests.many, channel: String = "email", charge: Int64? = nil
    ) -> NoticeRow {
        var row = Library.notice("first", after: .days(1), charge: charge, channel: channel)
        row.digest = NoticeDigest(many: many)
        return row
    }

    private func library(_ rows: [NoticeRow] = [DigestTests.row()]) throws -> Library {
        try Library(policy: PolicySpec(tables: Library.tables(notices: rows)))
    }

    private func outbox(_ library: Library) throws -> [String] {
        try library.desk.read { try $0.notices.outbox() }.map { "\($0.subject)|\($0.body)" }
    }

    private static let both = "2 titles are overdue|Dear Ada:\n* Dune, 2026-03-16\n* Emma, 2026-03-16"

    @Test("a single notice goes out under its own words")
    func single() throws {
        let library = try library()
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 16)
        #expect(try library.desk.sweep().notices == 1)
        #expect(try outbox(library) == ["first: Dune|Dear Ada, Dune is due on 2026-03-16."])
    }

    @Test("several become one message, whether a page holds them all or not", arguments: [1, 2, 500] as [Int64])
    func merged(pageSize: Int64) throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2).get()
        _ = try library.lend("bob", 3).get()
        try library.pass(days: 16)
        let report = try library.desk.sweep(pageSize: pageSize)
        #expect(report.notices == 2 && report.merged == 2 && report.superseded == 0)
        #expect(Set(try outbox(library)) == [Self.both, "first: Ulysses|Dear Bob, Ulysses is due on 2026-03-16."])
        let all = try library.desk.read { try $0.notices.list(NoticeQuery()) }
        let carrier = try #require(all.first { $0.kind == "digest" })
        let carried = all.filter { $0.carriedBy == carrier.id }
        #expect(carried.compactMap(\.loan) == [1, 2] && carried.allSatisfy { $0.state == .superseded })
        #expect(try library.desk.sweep(pageSize: pageSize).notices == 0)
        #expect(try outbox(library).count == 2)
        try library.expectSound()
    }

    @Test("a sweep within a transaction merges alike")
    func withinTransaction() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        #expect(try library.desk.write { try $0.notices.sweep() }.merged == 2)
        #expect(try outbox(library) == [Self.both])
        try library.expectSound()
    }

    @Test("after a kill between two pages every patron gets one notice", arguments: [1, 2, 3])
    func killed(pages: Int) throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2, 3).get()
        try library.pass(days: 16)
        var left = pages
        #expect(throws: Killed.self) {
            try library.desk.sweep(pageSize: 1) { _ in
                left -= 1
                if left == 0 { throw Killed() }
            }
        }
        _ = try library.desk.sweep(pageSize: 1)
        let texts = try outbox(library).joined(separator: "\n")
        for title in ["Dune", "Emma", "Ulysses"] {
            let lines = texts.split(separator: "\n").filter {
                $0.contains("* \(title),") || $0.contains(", \(title) is due")
            }
            #expect(lines.count == 1, "\(title): \(texts)")
        }
        let noticed = try library.desk.read { try $0.notices.list(NoticeQuery()) }.compactMap(\.loan).sorted()
        #expect(noticed == [1, 2, 3])
        try library.expectSound()
    }

    @Test("what went out in the middle of a run is not said again")
    func sentMeanwhile() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2, 3).get()
        try library.pass(days: 16)
        var sent: [String] = []
        _ = try library.desk.sweep(pageSize: 1) { _ in
            for notice in try library.desk.read({ try $0.notices.outbox() }) {
                _ = try library.desk.write { try $0.notices.markSent(notice.id).get() }
                sent.append(notice.body)
            }
        }
        #expect(sent.count == 3 && sent.allSatisfy { $0.contains("is due on") })
        try library.expectSound()
    }

    @Test("the patron's language is taken, and without words for several the single ones stand below each other")
    func words() throws {
        let library = try library()
        _ = try library.desk.write { try $0.patrons.update(.username("ada")) { $0.language = "de-AT" }.get() }
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        #expect(try outbox(library).first?.hasPrefix("2 Titel sind fällig|") == true)
        let plain = try self.library([Self.row(nil)])
        _ = try plain.lend("ada", 1, 2).get()
        try plain.pass(days: 16)
        _ = try plain.desk.sweep()
        #expect(
            try outbox(plain) == [
                "first: Dune (+1)|Dear Ada, Dune is due on 2026-03-16.\n\nDear Ada, Emma is due on 2026-03-16."
            ])
    }

    @Test("text filled into a line is not a template, and a subject stays one line")
    func safe() throws {
        let texts = NoticeDigest.Texts(subject: "Late: {{list}}", body: "{{list}}", line: "{{title.title}}")
        let library = try library([Self.row(texts)])
        _ = try library.desk.write { session in
            try session.catalogue.update(.id(1)) { $0.title = "{{patron.name}}\r\nBcc: x" }.get()
        }
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        let message = try #require(try library.desk.read { try $0.notices.outbox() }.first)
        #expect(message.subject.contains("{{patron.name}}") && !message.subject.contains { $0.isNewline })
        #expect(message.body.split(whereSeparator: \.isNewline).count == 2)
    }

    @Test("each loan is charged for, and stages that were passed over stay so")
    func chargesAndStages() throws {
        var second = Library.notice("second", after: .days(5), charge: 100)
        second.digest = NoticeDigest()
        let library = try library([Self.row(charge: 50), second])
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 20)
        let report = try library.desk.sweep()
        #expect(report.notices == 1 && report.merged == 2 && report.superseded == 2)
        #expect(try library.owed("ada") == 2 * (6 * 20 + 100))
        try library.expectSound()
    }

    @Test("in the inbox too there is one message, until it is read")
    func inbox() throws {
        let library = try library([Self.row(channel: "inbox")])
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep(pageSize: 1)
        let sent = try library.desk.read { try $0.notices.list(NoticeQuery(states: [.sent])) }
        #expect(sent.map(\.kind) == ["digest"])
        try library.expectSound()
    }

    @Test("a preview shows the loan's own words and those for all, and writes nothing")
    func preview() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2).get()
        func preview(_ loan: Int64, _ stage: String) throws -> Outcome<NoticePreview> {
            try library.desk.read { try $0.notices.preview(loan: .id(loan), stage: stage) }
        }
        let before = try library.desk.read { try $0.events.list(EventQuery()) }.count
        let shown = try preview(1, "first").get()
        #expect(shown.single.subject == "first: Dune")
        #expect(shown.digest?.loans == [1, 2])
        #expect("\(shown.digest?.subject ?? "")|\(shown.digest?.body ?? "")" == Self.both)
        #expect(try preview(1, "third").refusal?.code == "unknown_stage")
        #expect(try preview(9, "first").refusal?.code == "unknown_loan")
        _ = try library.lend("bob", 3).get()
        #expect(try preview(3, "first").get().digest == nil)
        #expect(try library.desk.read { try $0.events.list(EventQuery()) }.count == before + 1)
    }

    @Test("renewed and late again, loans are noticed again, in a message of its own")
    func again() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        let first = try #require(try library.desk.read { try $0.notices.outbox() }.first?.id)
        _ = try library.desk.write { try $0.notices.markSent(first).get() }
        for loan in [1, 2] as [Int64] { _ = try library.desk.write { try $0.loans.renew(.id(loan)).get() } }
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        #expect(try outbox(library).count == 1)
        #expect(try library.desk.read { try $0.notices.list(NoticeQuery()) }.filter { $0.kind == "digest" }.count == 2)
        try library.expectSound()
    }

    private func bring(back loan: Int64, _ library: Library) throws {
        _ = try library.desk.write { try $0.loans.checkin(.id(loan)).get() }
    }

    /// Ada has three titles that are late, and a message about them waits.
    private func waiting(_ rows: [NoticeRow] = [DigestTests.row()]) throws -> Library {
        let library = try library(rows)
        _ = try library.lend("ada", 1, 2, 3).get()
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        return library
    }

    @Test("what came back meanwhile is not asked for: its line goes, and the last one has its own words")
    func broughtBack() throws {
        let library = try waiting()
        try bring(back: 1, library)
        #expect(try outbox(library) == ["2 titles are overdue|Dear Ada:\n* Emma, 2026-03-16\n* Ulysses, 2026-03-16"])
        try bring(back: 3, library)
        #expect(try outbox(library) == ["first: Emma|Dear Ada, Emma is due on 2026-03-16."])
        try bring(back: 2, library)
        #expect(try outbox(library) == [])
        #expect(try library.desk.sweep().notices == 0)
        try library.expectSound()
    }

    @Test("without words for several the single texts of what is still out stand below each other")
    func broughtBackPlain() throws {
        let library = try waiting([Self.row(nil)])
        try bring(back: 2, library)
        #expect(
            try outbox(library) == [
                "first: Dune (+1)|Dear Ada, Dune is due on 2026-03-16.\n\nDear Ada, Ulysses is due on 2026-03-16."
            ])
        try library.expectSound()
    }

    @Test("whatever ends or moves a loan's time takes its line", arguments: ["renew", "set_due", "claim", "lost"])
    func movedMeanwhile(how: String) throws {
        let library = try waiting()
        try library.desk.write { session in
            switch how {
            case "renew": _ = try session.loans.renew(.id(1)).get()
            case "set_due":
                let date = try CivilDate(parsing: "2026-05-01")
                _ = try session.loans.setDue(.id(1), date: date, reason: "").get()
            case "claim": _ = try session.loans.claimReturned(.id(1)).get()
            default: _ = try session.loans.markLost(.id(1)).get()
            }
        }
        #expect(try outbox(library) == ["2 titles are overdue|Dear Ada:\n* Emma, 2026-03-16\n* Ulysses, 2026-03-16"])
        try library.expectSound()
    }

    @Test("a message that was given up loses the line too, and one that went out stays what it was")
    func givenUpOrSent() throws {
        let library = try waiting()
        let id = try #require(try library.desk.read { try $0.notices.outbox() }.first?.id)
        _ = try library.desk.write { try $0.notices.markFailed(id, givenUp: true).get() }
        try bring(back: 1, library)
        _ = try library.desk.write { try $0.notices.retry(id).get() }
        #expect(try outbox(library) == ["2 titles are overdue|Dear Ada:\n* Emma, 2026-03-16\n* Ulysses, 2026-03-16"])
        _ = try library.desk.write { try $0.notices.markSent(id).get() }
        try bring(back: 2, library)
        let sent = try #require(try library.desk.read { try $0.notices.get(id) })
        #expect(sent.state == .sent && sent.body.contains("Emma"))
        #expect(try outbox(library) == [])
        try library.expectSound()
    }

    @Test("what comes back between two pages of a sweep has no line in what the sweep goes on to write")
    func broughtBackWithinRun() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2, 3).get()
        _ = try library.lend("ada", 3).get()
        try library.pass(days: 16)
        var pages = 0
        _ = try library.desk.sweep(pageSize: 1) { _ in
            pages += 1
            if pages == 3 { try bring(back: 1, library) }
        }
        let texts = try outbox(library)
        #expect(texts.count == 1 && !texts.joined().contains("Dune"))
        for title in ["Emma", "Ulysses"] { #expect(texts.joined().contains("* \(title),")) }
        #expect(texts.first?.hasPrefix("3 titles") == true)
        try library.expectSound()
    }
}
