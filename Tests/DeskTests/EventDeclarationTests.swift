import Circulation
import Testing
import TextFormats

@testable import Desk

@Suite("Declared events")
struct EventDeclarationTests {
    @Test("every kind says when it happens and of what it consists", arguments: EventDeclaration.all)
    func complete(declaration: EventDeclaration) {
        #expect(declaration.summary.hasSuffix("."))
        #expect(!declaration.fields.isEmpty)
        #expect(Set(declaration.fieldNames).count == declaration.fieldNames.count)
        #expect(EventDeclaration.named(declaration.name) == declaration)
        for case .entries(let fields) in declaration.fields.map(\.type) {
            #expect(Set(fields.map(\.name)).count == fields.count)
        }
    }

    @Test("the log of another kind is not taken for one, and the nearest name is said")
    func unknown() {
        #expect(EventDeclaration.named("loan.lots") == nil)
        #expect(EventDeclaration.unknown("loan.lots") == "there is no event 'loan.lots'; did you mean 'loan.lost'?")
    }

    @Test("an event shows the fields of its record, each under the name that it is declared with")
    func fields() throws {
        let loan = Loan(
            id: 5, copy: 6, title: 7, patron: 8, itemType: "dvd", lentAt: Instant(seconds: 0),
            due: DueTime(instant: Instant(seconds: 60), date: .earliest, isExact: true))
        let event = try publicEvent(.loanLost, LoanChange(loan: loan, previousDueAt: nil, reason: "Ada lost it"))
        #expect(event.value("loan") == .plain(.integer(5)))
        #expect(event.value("patron") == .plain(.integer(8)))
        #expect(event.value("item_type") == .plain(.text("dvd")))
        #expect(event.value("due_at") == .plain(.instant(Instant(seconds: 60))))
        // What a payload leaves out since it is usual is there all the same.
        #expect(event.value("renewals") == .plain(.integer(0)))
        #expect(event.value("reason") == .plain(.text("Ada lost it")))
        #expect(event.value("rason") == nil)
    }

    @Test("what people wrote stays in the library")
    func personal() throws {
        let loan = Loan(id: 5, copy: 6, patron: 8, lentAt: Instant(seconds: 0), importKey: "ada:1")
        let event = try publicEvent(.loanLost, LoanChange(loan: loan, previousDueAt: nil, reason: "Ada lost it"))
        let outside = event.json()
        #expect(outside["loan"] == 5)
        #expect(outside["reason"] == nil)
        #expect(outside["import_key"] == nil)
        #expect(event.json(withPersonal: true)["reason"] == "Ada lost it")

        var refusal = Refusal(reasons: [Refusal.Reason(code: "limit", message: "Enough, Ada.")])
        refusal.message = "Enough, Ada."
        let refused = try publicEvent(
            .requestRefused, RefusedRequest(request: "checkout", patron: 8, titles: [7], refusal: refusal))
        #expect(!refused.json().text().contains("Ada"))
        #expect(refused.json()["code"] == "limit")
    }

    @Test("an event about several has an entry for each")
    func entries() throws {
        let price = Money(minorUnits: 150, currency: .eur)
        let lines = [1, 2].map {
            LedgerEntry(
                id: $0, key: "k\($0)", patron: 8, loan: 5, kind: .charge, amount: price, label: "l",
                at: Instant(seconds: 0))
        }
        let event = try publicEvent(.ledgerPosted, lines)
        let entries = event.json()["entries"]?.arrayValue ?? []
        #expect(entries.map { $0["amount"] } == ["1.50 EUR", "1.50 EUR"])
        #expect(entries.first?["key"] == nil)
    }

    @Test("the example of a kind is one that a handler could get", arguments: EventDeclaration.all)
    func examples(declaration: EventDeclaration) throws {
        for (field, value) in zip(declaration.fields, declaration.example) where !field.mayBeAbsent {
            #expect(!value.isAbsent, "\(declaration.name).\(field.name)")
        }
        let event = PublicEvent(
            declaration, sequence: 1, at: Instant(seconds: 0), actor: "desk", values: declaration.example)
        #expect(event.json(withPersonal: true).objectValue?.isEmpty == false)
    }

    @Test("a payload has no member that the event's declaration does not cover", arguments: EventBodyTests.bodies)
    func covered(body: EventBody) throws {
        // What the desk keeps for itself, and what stands under another name.
        let others: Set<String> = [
            "id", "exact", "title", "name", "patron", "queued_at", "import_key", "proposal", "category", "carried_by",
            "actor", "policy",
        ]
        var writer = JSONWriter()
        body.write(to: &writer)
        let payload = try #require(try JSONParser.parse(writer.text).objectValue)
        let names = Set(body.declaration.fields.map(\.name))
        for member in payload where !others.contains(member.key) {
            #expect(names.contains(member.key), "\(body.kind) has \(member.key)")
        }
    }

    private func publicEvent<Content>(_ kind: EventKind<Content>, _ content: Content) throws -> PublicEvent {
        var writer = JSONWriter()
        EventBody(kind, content).write(to: &writer)
        return try PublicEvent(
            Event(
                sequence: 9, at: Instant(seconds: 0), actor: "patron:8", channel: "desk", kind: kind.name, version: 1,
                payload: writer.text, request: "r", ordinal: 0))
    }
}
