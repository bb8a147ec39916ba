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
            as: Actor(name: "zoetrope", role: .admin, channel: .desk, branch: "main"))
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

    @Test("whoever is removed after a merge leaves nothing of either record")
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
}
