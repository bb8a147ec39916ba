import Circulation
import Desk
import Foundation
import Testing
import TextFormats

@testable import Storage

@Suite("Traces of who was removed", .everyStore)
struct RemovalTraceTests {
    private static let secrets = [
        "zoetrope", "zoëlinda", "zoelinda", "quartermaine", "5550123", "rosenstolz", "zq2026",
    ]

    /// Every row of every table, as text.
    private func texts(in library: Library) throws -> String {
        try library.store.read { transaction in
            let isPostgres = StoreKind.current == .postgres
            let tables = try transaction.all(
                Query(
                    once: isPostgres
                        ? "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
                        : "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"), []
            ) { row in row.text() }
            #expect(tables.count > 15)
            var texts = ""
            for table in tables {
                let columns =
                    isPostgres
                    ? ["CAST(\(table) AS TEXT)"]
                    : try transaction.all(Query(once: "SELECT name FROM pragma_table_info('\(table)')"), []) { row in
                        "CAST(COALESCE(\"\(row.text())\", '') AS TEXT)"
                    }
                for column in columns {
                    try transaction.each(Query(once: "SELECT COALESCE(\(column), '') FROM \(table)"), []) { row in
                        texts += row.text() + "\n"
                        return true
                    }
                }
            }
            return texts.lowercased()
        }
    }

    private func zoe(in library: Library) throws -> Int64 {
        var zoe = Library.patron("zoetrope")
        zoe.name = "Zoëlinda"
        zoe.surname = "Quartermaine"
        zoe.phone = "+49 171 5550123"
        zoe.role = .staff
        zoe.extra = ["guardian": "Hildegunde Rosenstolz", "list": ["rosenstolz@example.org"]]
        return try library.desk.write { try $0.patrons.add(zoe) }.get().id
    }

    /// A policy that says in its refusals, and a desk that says in its log, what it should not.
    private func talkative() -> PolicySpec {
        PolicySpec(tables: Library.tables(limit: 1)) { question, decision in
            guard decision.answer == .deny, let guardian = question.patron.extra["guardian"]?.stringValue else {
                return decision
            }
            var decision = decision
            decision.refusal = Refusal(code: "ask", message: "Ask \(guardian), please.")
            return decision
        }
    }

    @Test("no table has a word of them: not refusals worded by a policy, not what they did at the desk")
    func tables() throws {
        let library = try Library(policy: talkative())
        let id = try zoe(in: library)
        let loan = try library.lend("zoetrope", 1).get()[0]
        #expect(try library.lend("zoetrope", 2).refusal?.message == "Ask Hildegunde Rosenstolz, please.")
        let worker = library.desk.acting(
            as: Actor(name: "patron:\(id)", role: .admin, channel: .desk, branch: "main"))
        _ = try worker.write { session in
            try session.policies.activate(library.loader.bundle(Library.standard, "other"), note: "better").get()
        }
        _ = try worker.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(try texts(in: library).contains("rosenstolz"))
        _ = try library.desk.write { try $0.patrons.remove(.id(id)) }.get()
        let texts = try texts(in: library)
        for secret in Self.secrets { #expect(!texts.contains(secret), "\(secret)") }
        #expect(try library.desk.read { try $0.policies.history() }.map(\.actor).contains("patron:\(id)"))
        #expect(try library.events(.loanReturned).last?.actor == "patron:\(id)")
        try library.expectSound()
    }

    @Test("removing a merged patron leaves nothing of either record")
    func mergedAndRemoved() throws {
        let library = try Library(policy: talkative())
        let id = try zoe(in: library)
        var other = Library.patron("zq2026")
        other.surname = "Quartermaine"
        let kept = try library.desk.write { try $0.patrons.add(other) }.get().id
        let loan = try library.lend("zoetrope", 1).get()[0]
        #expect(try library.lend("zoetrope", 2).refusal?.code == "ask")
        _ = try library.desk.write { session in
            _ = try session.patrons.block(.id(id), kind: "manual", reason: "zq2026 is Quartermaine as well").get()
            return try session.loans.setDue(
                .id(loan.id), date: try CivilDate(year: 2026, month: 3, day: 20), reason: "for zq2026's mother")
        }
        _ = try library.desk.write { try $0.patrons.merge(.id(id), into: .id(kept)) }.get()
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        _ = try library.desk.write { try $0.patrons.remove(.id(kept)) }.get()
        let texts = try texts(in: library)
        for secret in Self.secrets { #expect(!texts.contains(secret), "\(secret)") }
        try library.expectSound()
    }

    @Test("keys made from a patron's name, and former names, go too")
    func keysAndFormerNames() throws {
        let library = try Library(policy: talkative())
        let id = try zoe(in: library)
        let loan = try library.lend("zoetrope", 1).get()[0]
        #expect(try library.lend("zoetrope", 2).refusal?.code == "ask")
        let worker = library.desk.acting(
            as: Actor(name: "patron:\(id)", role: .admin, channel: .desk, branch: "main"))
        _ = try worker.write { session in
            try session.policies.activate(library.loader.bundle(Library.standard, "other"), note: "better").get()
        }
        let one = Money(minorUnits: 100, currency: .eur)
        _ = try library.desk.write { session in
            _ = try session.notices.send(
                to: .id(id), channel: "inbox", subject: "Hello", body: "Dear Zoe", key: "hello:zoetrope"
            ).get()
            _ = try session.fees.charge(.id(id), amount: one, label: "Card", key: "card-zoetrope").get()
            return try session.fees.pay(.id(id), amount: one, key: "card-zoetrope-paid").get()
        }
        _ = try library.desk.write { session in
            try session.patrons.update(.id(id)) { zoe in
                zoe.username = "zq2026"
                zoe.extra = [:]
            }.get()
        }
        #expect(try library.desk.read { try $0.policies.history() }.map(\.actor).contains("patron:\(id)"))
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(try texts(in: library).contains("card-zoetrope"))
        _ = try library.desk.write { try $0.patrons.remove(.id(id)) }.get()
        let texts = try texts(in: library)
        for secret in Self.secrets { #expect(!texts.contains(secret), "\(secret)") }
        try library.expectSound()
    }

    @Test("answers kept for staff's programs and mails of jobs contain no removed patron's name")
    func answersAndMails() throws {
        let library = try Library()
        let id = try zoe(in: library)
        let body = #"{"id":\#(id),"name":"Zoëlinda","surname":"Quartermaine","role":"staff"}"#
        let answer = JSON.object([
            "status": 201, "fields": ["Location": "/api/v1/patrons?query=Zo%C3%ABlinda"], "body": .string(body),
        ]).text()
        let keeper = try #require(try library.desk.read { try $0.patrons.get(.username("bob")) }).id
        try library.desk.write { session in
            try session.idempotency.keep(answer, under: "add-zoetrope", of: keeper, fingerprint: "f")
            let run = JobRun(job: "report", plannedAt: session.now, version: "v")
            try session.jobs.plan([run], of: "report", until: session.now)
        }
        let now = library.clock.now()
        _ = try library.desk.write { session in
            let run = try #require(
                try session.jobs.claim(
                    ["report": "v"], owner: "o", machineNow: now, lease: 60, presence: { _ in .unknown }))
            _ = try session.jobs.finish(JobTicket(run), JobOutcome(exitStatus: 0), machineNow: now)
            let mailing = try #require(try session.jobs.claimMail(of: ["report"], machineNow: now) { _ in true })
            try session.jobs.mailed(mailing.run, "Mailed to zoetrope@example.org.")
        }
        #expect(try texts(in: library).contains("quartermaine"))
        _ = try library.desk.write { try $0.patrons.remove(.id(id)) }.get()
        let texts = try texts(in: library)
        for secret in Self.secrets + ["zo%c3%ab"] { #expect(!texts.contains(secret), "\(secret)") }
        // The request itself is still known by its key, and its answer says all that names nobody.
        let given = try #require(try library.desk.read { try $0.idempotency.find("add-zoetrope", of: keeper) })
        let kept = try JSONParser.parse(given.answer)
        #expect(kept["status"] == 201)
        #expect(try JSONParser.parse(kept["body"]?.stringValue ?? "")["id"] == .integer(id))
        try library.expectSound()
    }
}

@Suite("Texts that may name someone")
struct WordFinderTests {
    @Test(
        "are found in any case, in both forms of an accent, in JSON and in addresses",
        arguments: [
            ("Quartermaine", "dear QUARTERMAINE!"), ("Zoë", "ZOË"), ("Zoë", "Zoe\u{308}"),
            ("re\u{301}sume\u{301}", "résumé"),
            ("李小龍", "an 李小龍"), ("Ann", #"{"name":"\u0041nn"}"#), ("Kay", "\u{212A}ay"), ("Zo%C3%AB", "?q=zo%c3%ab"),
            ("O'Brien", "o'brien"),
        ])
    func found(word: String, text: String) {
        #expect(WordFinder(["elsewhere", word]).mayStand(in: text))
    }

    @Test("are passed over where nothing like the words stands")
    func passed() {
        let finder = WordFinder(["Quartermaine", "O'Brien", "résumé"])
        for text in ["", "qu", #"{"patron":7,"title":"Brie for beginners"}"#, "Grüße"] {
            #expect(!finder.mayStand(in: text), "\(text)")
        }
        #expect(!WordFinder([]).mayStand(in: "Quartermaine"))
        #expect(!WordFinder(["李小龍"]).mayStand(in: "plain"))
    }
}
