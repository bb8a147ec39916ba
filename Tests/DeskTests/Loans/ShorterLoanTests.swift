import Circulation
import Desk
import Storage
import Testing
import TextFormats

@Suite("Checkouts that ask for a shorter loan", .everyStore)
struct ShorterLoanTests {
    // 2026-03-02 is a Monday; the policy lends for 14 days.
    private func lend(
        _ library: Library, _ wanted: CheckoutRequest.Wanted, until: String?, override: Bool = false
    ) throws -> Outcome<[Loan]> {
        let until = try until.map { try CivilDate(parsing: $0) }
        return try library.desk.write { session in
            try session.loans.checkout(
                CheckoutRequest(
                    patron: .username("ada"), wanted: wanted, wantedUntil: until, override: override,
                    reason: override ? "Professor" : nil))
        }
    }

    private func cases(of loan: Int64, _ library: Library) throws -> [String] {
        try library.store.read { transaction in
            var texts: [String] = []
            try transaction.events.forEach(EventQuery(loan: loan)) { event in
                texts += try transaction.decisions.of(event: event.sequence).map(\.caseJSON)
                return true
            }
            return texts
        }
    }

    @Test(
        "a shorter loan is due as asked, a longer one as the policy says",
        arguments: [
            ("2026-03-10", "2026-03-10"), ("2026-03-02", "2026-03-02"), ("2026-03-16", "2026-03-16"),
            ("2026-04-30", "2026-03-16"),
        ])
    func due(until: String, due: String) throws {
        let library = try Library()
        let loans = try lend(library, .titles([.id(1), .id(2)]), until: until).get()
        #expect(loans.map { $0.due?.date.description } == [due, due])
        #expect(loans.allSatisfy { $0.originalDueAt == $0.due?.instant })
        let texts = try loans.flatMap { try cases(of: $0.id, library) }
        #expect(texts.count == 2 && texts.allSatisfy { $0.contains(#""wanted_until":"\#(until)""#) })
        try library.expectSound()
    }

    @Test("the case of a checkout that asks for none does not mention it")
    func unasked() throws {
        let library = try Library()
        let loan = try #require(try library.lend("ada", 1).get().first)
        #expect(try cases(of: loan.id, library).allSatisfy { !$0.contains("wanted_until") })
    }

    private static let week = """
        {"weekly":{"mon":[["09:00","17:00"]],"tue":[["09:00","17:00"]],"wed":[["09:00","17:00"]]},"closed":["2026-03-10"]}
        """

    @Test("the day moves to one on which the branch is open")
    func closed() throws {
        let library = try Library()
        _ = try library.desk.write { session in
            let calendar = try OpeningCalendar(json: JSONParser.parse(Self.week))
            return try session.settings.updateBranch("main") { $0.calendar = calendar }.get()
        }
        let loan = try #require(try lend(library, .titles([.id(1)]), until: "2026-03-10").get().first)
        #expect(loan.due?.date.description == "2026-03-11")
    }

    @Test("a day before today is an error about that field, and nothing is lent or recorded")
    func past() throws {
        let library = try Library()
        let events = try library.desk.read { try $0.events.list(EventQuery()).count }
        #expect {
            try lend(library, .titles([.id(1)]), until: "2026-03-01")
        } throws: { error in
            (error as? DeskError)?.field == "wanted_until" && "\(error)".contains("before today, 2026-03-02")
        }
        #expect(throws: DeskError.self) {
            try library.desk.read { session in
                try session.loans.mayCheckout(
                    CheckoutRequest(
                        patron: .username("ada"), wanted: .titles([.id(1)]),
                        wantedUntil: try CivilDate(parsing: "1999-12-31")))
            }
        }
        #expect(try library.desk.read { try $0.events.list(EventQuery()).count } == events)
    }

    @Test("a copy that the patron has already is renewed, for which no day can be asked")
    func renewal() throws {
        let library = try Library()
        let barcode = try #require(try library.desk.read { try $0.catalogue.copies(of: .id(2)).first?.barcode })
        let loan = try #require(try lend(library, .barcode(barcode), until: "2026-03-05").get().first)
        #expect(loan.due?.date.description == "2026-03-05")
        #expect {
            try lend(library, .barcode(barcode), until: "2026-03-10")
        } throws: { error in
            (error as? DeskError)?.field == "wanted_until"
        }
        let kept = try #require(try library.desk.read { try $0.loans.get(.id(loan.id)) })
        #expect(kept == loan)
        // Renewals last as long as the policy says.
        let renewed = try #require(try lend(library, .barcode(barcode), until: nil).get().first)
        #expect(renewed.renewals == 1 && renewed.due?.date.description == "2026-03-16")
    }

    @Test("staff who go on in spite of a refusal lend until the day that is asked for")
    func overridden() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .checkout else { return decision }
            var refusal = Refusal(code: "fees_owed", message: "Settle your fees first.")
            refusal.mayBeOverridden = true
            return Decision(point: .checkout, answer: .deny, refusal: refusal)
        }
        let library = try Library(policy: spec)
        let loan = try #require(try lend(library, .titles([.id(1)]), until: "2026-03-06", override: true).get().first)
        #expect(loan.due?.date.description == "2026-03-06")
        try library.expectSound()
    }

    @Test("trying it out says the same due time and writes nothing")
    func tried() throws {
        let library = try Library()
        let decided = try library.desk.read { session in
            try session.loans.mayCheckout(
                CheckoutRequest(
                    patron: .username("ada"), wanted: .titles([.id(1)]),
                    wantedUntil: try CivilDate(parsing: "2026-03-04"))
            ).get()
        }
        #expect(decided.map { $0.decision.due?.date.description } == ["2026-03-04"])
        #expect(try library.desk.read { try $0.loans.active(of: .username("ada")) }.isEmpty)
    }

    // MARK: - Replays

    /// Four loans, of which three asked for a day, and a request for a day that was refused.
    private func history() throws -> Library {
        let library = try Library(policy: PolicySpec(tables: Library.tables(limit: 4)))
        _ = try lend(library, .titles([.id(1), .id(2)]), until: "2026-03-12").get()
        _ = try lend(library, .titles([.id(3)]), until: nil).get()
        _ = try lend(library, .titles([.id(3)]), until: "2026-05-01").get()
        #expect(try lend(library, .titles([.id(1)]), until: "2026-03-05").refusal?.code == "limit")
        try library.pass(days: 12)
        _ = try library.desk.write { try $0.loans.renew(.id(1)).get() }
        _ = try library.desk.write { try $0.loans.checkin(.id(2)).get() }
        return library
    }

    @Test("a replay asks for the same days again, so that nothing differs", arguments: [true, false])
    func replay(simulates: Bool) throws {
        let library = try history()
        let plan = simulates ? ReplayPlan(mode: .candidate) : ReplayPlan(asksAll: true)
        let (same, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 4)), plan)
        #expect(same.decisions.count >= 6)
        #expect(same.differences == [] && same.contradictions == [] && same.moved == [])
    }

    @Test("a shorter loan of the candidate moves those that asked for more", arguments: [true, false])
    func shorterCandidate(simulates: Bool) throws {
        let library = try history()
        let candidate = PolicySpec(tables: Library.tables(limit: 4, fields: ["loan": .period(.days(12))]))
        let (witness, _) = try library.replay(candidate, ReplayPlan(mode: simulates ? .candidate : .recorded))
        let moved = witness.differences.filter { $0.kind == "loan.made" }
        #expect(moved.compactMap(\.loan) == [3, 4])
        #expect(moved.allSatisfy { $0.after.due.map { Zone.utc.date(of: $0).description } == "2026-03-14" })
    }

    @Test("a request that was refused is asked until the same day where it would be granted")
    func grantedLater() throws {
        let library = try history()
        let candidate = PolicySpec(tables: Library.tables(limit: 9))
        for mode in [ReplayPlan.Mode.recorded, .candidate] {
            let (witness, _) = try library.replay(candidate, ReplayPlan(mode: mode))
            let granted = try #require(witness.differences.first { $0.kind == "request.refused" })
            #expect(granted.after.due.map { Zone.utc.date(of: $0).description } == "2026-03-05", "\(mode)")
        }
    }
}
