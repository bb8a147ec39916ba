import Circulation
import Desk
import Storage
import Testing
import TextFormats

@Suite("Refused requests", .everyStore)
struct RefusalEventTests {
    private struct Stop: Error {}

    @Test("a refused request leaves an event with its reasons and nothing else")
    func event() throws {
        let library = try Library()
        try library.use(PolicySpec(tables: Library.tables(limit: 1)), "one")
        _ = try library.lend("ada", 1, 2)
        let refused = try #require(try library.refusals().last)
        #expect(refused.request == "checkout")
        #expect(refused.patron == (try library.id("ada")))
        #expect(refused.titles == [1, 2])
        #expect(refused.refusal.code == "limit")
        #expect(refused.refusal.reasons.first?.figures["limit"] == 1)
        #expect(refused.refusal.policy?.count == 64)
        #expect(try library.events(.loanMade).isEmpty)
    }

    @Test("refusals are written even if the transaction around them is undone, changes are not")
    func outerRollback() throws {
        let library = try Library()
        #expect(throws: Stop.self) {
            try library.desk.write { session in
                _ = try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)])))
                _ = try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(99)])))
                throw Stop()
            }
        }
        #expect(try library.events(.loanMade).isEmpty)
        #expect(try library.refusals().map(\.refusal.code) == ["unknown_title"])
        try library.expectSound()
    }

    @Test("refusals inside a savepoint that is undone stay, once")
    func savepoint() throws {
        let library = try Library()
        _ = try library.desk.write { session in
            #expect(throws: Stop.self) {
                try session.savepoint {
                    _ = try session.catalogue.add(Title(title: "Gone")).get()
                    _ = try session.catalogue.remove(.id(99))
                    throw Stop()
                }
            }
        }
        #expect(try library.refusals().map(\.request) == ["catalogue.remove"])
        #expect(try library.desk.read { try $0.catalogue.find(title: "gone", authors: [], year: nil) } == nil)
        try library.expectSound()
    }

    @Test("a rehearsal leaves nothing behind, not even refusals")
    func rehearsal() throws {
        let library = try Library()
        let before = try library.desk.read { try $0.events.last() }
        let outcome = try library.desk.rehearse { session in
            _ = try session.catalogue.remove(.id(99))
            return try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)])))
        }
        #expect(outcome.value?.count == 1)
        #expect(try library.desk.read { try $0.events.last() } == before)
    }

    @Test("a request id is carried out once")
    func requestIDs() throws {
        let library = try Library()
        let add = { (session: DeskSession) in try session.catalogue.add(Title(title: "Once")).get() }
        let title = try library.desk.write(request: "r-1", add)
        #expect(throws: DeskError.self) { try library.desk.write(request: "r-1", add) }
        let events = try library.events(.titleAdded).filter { $0.request == "r-1" }
        #expect(events.count == 1)
        #expect(title.title == "Once")
    }

    @Test("events of one transaction carry its request and count up")
    func ordinals() throws {
        let library = try Library()
        try library.desk.write(request: "r-2") { session in
            for title in ["A", "B", "C"] { _ = try session.catalogue.add(Title(title: title)).get() }
        }
        let events = try library.events(.titleAdded).filter { $0.request == "r-2" }
        #expect(events.map(\.ordinal) == [0, 1, 2])
        #expect(events.allSatisfy { $0.actor == "desk" && $0.channel == "desk" && $0.version == 1 })
    }

    @Test("a session that outlived its transaction is closed")
    func outlived() throws {
        let library = try Library()
        var escaped: DeskSession?
        try library.desk.write { escaped = $0 }
        #expect(throws: StoreError.self) { try escaped?.catalogue.get(.id(1)) }
    }

    @Test("the policy's messages word a refusal, in the patron's language, and the log keeps the template")
    func messages() throws {
        var tables = Library.tables(limit: 0)
        tables.messages = [
            "limit": .byLanguage(["en": "Sorry {{patron.name}}: enough.", "de": "Genug, {{patron.name}}."]),
            "unknown_title": .text("No such book in {{library.name}}."),
        ]
        let library = try Library(policy: PolicySpec(tables: tables))
        _ = try library.desk.write { try $0.patrons.update(.username("bob")) { $0.language = "de-AT" }.get() }
        #expect(try library.lend("ada", 1).refusal?.message == "Sorry Ada: enough.")
        #expect(try library.lend("bob", 1).refusal?.message == "Genug, Bob.")
        #expect(try library.lend("bob", 77).refusal?.message == "No such book in Library.")
        #expect(
            try library.refusals().map(\.refusal.message).prefix(2) == [
                "Sorry {{patron.name}}: enough.", "Genug, {{patron.name}}.",
            ])
    }
}
