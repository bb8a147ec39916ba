import Circulation
import Desk
import Foundation
import Storage
import Testing
import TextFormats

@Suite("Removal of a patron", .everyStore)
struct RemovalTests {
    @Test("is refused while something is lent or owed")
    func refused() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let remove = { (session: DeskSession) in try session.patrons.remove(.username("ada")) }
        #expect(try library.desk.write(remove).refusal?.code == "open_loans")
        try library.pass(days: 20)
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }
        #expect(try library.desk.write(remove).refusal?.code == "fees_owed")
        let owed = try library.desk.read { try $0.fees.owed(by: .username("ada")) }
        _ = try library.desk.write { try $0.fees.pay(.username("ada"), amount: owed) }.get()
        #expect(try library.desk.write(remove).value == loan.patron)
        try library.expectSound()
    }

    @Test("leaves no name anywhere in the files, and the statistics as they were")
    func noTrace() throws {
        let folder = try ScratchFolder()
        let notices = [Library.notice("first", after: .days(1))]
        let library = try Library(
            store: folder.store(), policy: PolicySpec(tables: Library.tables(limit: 1, notices: notices)))
        let zoe = try library.desk.write { session in
            var zoe = Library.patron("zoetrope")
            zoe.name = "Zoëlinda"
            zoe.surname = "Quartermaine"
            zoe.phone = "+49 171 5550123"
            zoe.extra = ["guardian": "Hildegunde Rosenstolz"]
            return try session.patrons.add(zoe).get()
        }
        try live(zoe, in: library)
        let before = try library.desk.read { try $0.statistics.loans(by: .category) }
        _ = try library.desk.write { try $0.patrons.remove(.id(zoe.id)).get() }
        try library.desk.eraseTraces()
        let bytes = try folder.bytes()
        for secret in [
            "zoetrope", "Zoëlinda", "Zoelinda", "zoelinda", "Quartermaine", "quartermaine", "5550123", "Hildegunde",
            "Rosenstolz",
        ] {
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        #expect(try library.desk.read { try $0.statistics.loans(by: .category) } == before)
        try library.expectSound()
        try library.store.close()
    }

    /// All that could leave a name behind: a loan, a refusal, an override's reason, a notice, fees, a block.
    private func live(_ zoe: Patron, in library: Library) throws {
        let loan = try library.lend("zoetrope", 1).get()[0]
        #expect(try library.lend("zoetrope", 2).refusal?.code == "limit")
        _ = try library.desk.write { session in
            _ = try session.loans.setDue(
                .id(loan.id), date: try CivilDate(year: 2026, month: 3, day: 10),
                reason: "Frau Quartermaine needs it")
            _ = try session.patrons.block(.id(zoe.id), kind: "manual", reason: "Zoëlinda Quartermaine shouted")
            _ = try session.fees.charge(
                .id(zoe.id), amount: Money(minorUnits: 300, currency: .eur), label: "Card for Zoëlinda")
            return try session.patrons.update(.id(zoe.id)) { $0.email = "zoetrope@elsewhere.example" }.get()
        }
        try library.pass(days: 20)
        #expect(try library.desk.sweep().notices == 1)
        _ = try library.desk.write { session in
            _ = try session.loans.checkin(.id(loan.id)).get()
            let owed = try session.fees.owed(by: .id(zoe.id))
            return try session.fees.waive(.id(zoe.id), amount: owed, label: "Waived for zoetrope").get()
        }
    }

    @Test("events never tell what is personal, only which fields changed")
    func eventsAreImpersonal() throws {
        let library = try Library()
        _ = try library.desk.write { session in
            try session.patrons.update(.username("ada")) { patron in
                patron.name = "Augusta"
                patron.expiresOn = try CivilDate(year: 2027, month: 1, day: 31)
            }.get()
        }
        let event = try #require(try library.events(.patronUpdated).last)
        let payload = try JSONParser.parse(event.payload)
        #expect(payload["personal"] == ["name"])
        #expect(payload["expires_on"] == "2027-01-31")
        for event in try library.desk.read({ try $0.events.list(EventQuery()) }) {
            for secret in ["Ada", "ada@", "Augusta", "\"ada\"", "shoe_size"] {
                #expect(!event.payload.contains(secret), "\(event.kind): \(event.payload)")
            }
        }
    }

    @Test(
        "ages are whole years at a date",
        arguments: [
            ("2000-03-02", "2026-03-01", 25), ("2000-03-02", "2026-03-02", 26), ("2008-02-29", "2026-02-28", 17),
            ("2008-02-29", "2026-03-01", 18), ("2026-03-02", "2026-03-02", 0), ("2030-01-01", "2026-03-02", 0),
        ])
    func age(born: String, at: String, age: Int64) throws {
        #expect(try CivilDate(parsing: born).age(at: CivilDate(parsing: at)) == age)
    }

    @Test("blacking out finds names in any case and leaves the rest")
    func impersonalReasons() throws {
        let library = try Library()
        _ = try library.desk.write { session in
            try session.fees.charge(
                .username("bob"), amount: Money(minorUnits: 1, currency: .eur), label: "BOB's card, kobold"
            ).get()
        }
        let label = try library.desk.read { try $0.fees.ledger(of: .username("bob")) }[0].label
        #expect(!label.localizedCaseInsensitiveContains("bob's"))
        #expect(label.contains("card"))
    }
}
