import Circulation
import Storage
import Testing
import TextFormats

@Suite("Facts for a decision")
struct FactTests {
    @Test("a patron's facts are what the tables say at that moment", arguments: TestDriver.allCases)
    func patron(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let today = try CivilDate(year: 2026, month: 11, day: 21)
            var patron = try #require(try transaction.patrons.get(fixture.patron))
            patron.birthDate = try CivilDate(year: 2000, month: 11, day: 22)
            patron.expiresOn = today
            patron.language = "en"
            patron.extra = ["card": 1]
            try transaction.patrons.update(patron)
            try transaction.copies.update(
                Copy(
                    id: fixture.copies[1], barcode: "b2", title: fixture.title, branch: "annex", itemType: "reference",
                    status: .lost))
            try transaction.loans.insert(try fixture.loan(dueIn: 100))
            try transaction.loans.insert(try fixture.loan(copy: 1, dueIn: 200))
            for (kind, ends) in [
                ("manual", nil), ("suspension", today), ("suspension", try today.adding(days: 3)),
                ("old", try today.adding(days: -1)),
            ] {
                let actions = kind == "suspension" ? BlockFacts.Action.lending : [.borrow]
                try transaction.blocks.insert(
                    PatronBlock(patron: patron.id, kind: kind, actions: actions, createdAt: .earliest, ends: ends))
            }
            let facts = try #require(
                try transaction.facts.patron(patron.id, now: Instant(seconds: 1_100), today: today))
            #expect(facts.category == "patron")
            #expect(facts.age == 25)
            #expect(facts.expiresOn == today)
            #expect(facts.language == "en")
            #expect(facts.extra == ["card": 1])
            #expect(facts.overdue == 1)
            #expect(facts.lost == 1)
            #expect(facts.blocks == [BlockFacts(kind: "manual", ends: nil, actions: [.borrow])])
            #expect(facts.suspendedUntil == (try today.adding(days: 3)))
            #expect(facts.loans.map(\.itemTypes) == [["book"], ["reference", "book"]])
            #expect(facts.loans.map(\.copyBranch) == ["main", "annex"])
            #expect(facts.loans.map(\.branch) == ["main", "main"])
            #expect(facts.loans.allSatisfy { $0.title == fixture.title && $0.channel == .desk })
            #expect(try transaction.facts.patron(4711, now: .earliest, today: today) == nil)
        }
    }

    @Test(
        "age is counted in whole years, of 29 February too",
        arguments: TestDriver.allCases,
        [
            ("2008-02-29", "2026-02-28", 17), ("2008-02-29", "2026-03-01", 18), ("2008-02-29", "2028-02-29", 20),
            ("2026-11-21", "2026-11-21", 0), ("2026-11-22", "2026-11-21", nil), ("2000-01-01", "2026-12-31", 26),
        ] as [(String, String, Int64?)])
    func age(driver: TestDriver, expectation: (born: String, today: String, age: Int64?)) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var patron = try #require(try transaction.patrons.get(fixture.patron))
            patron.birthDate = try CivilDate(parsing: expectation.born)
            try transaction.patrons.update(patron)
            let today = try CivilDate(parsing: expectation.today)
            #expect(try transaction.facts.patron(patron.id, now: .earliest, today: today)?.age == expectation.age)
        }
    }

    @Test("a title's facts count its copies", arguments: TestDriver.allCases)
    func title(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            try transaction.titles.update(
                Title(
                    id: fixture.title, title: "Emma", genres: ["Novel"], courses: [Course(code: "E1", name: "x")],
                    extra: ["a": 1]))
            try transaction.copies.setStatus(.onLoan, of: fixture.copies[0])
            let facts = try transaction.facts.title(fixture.title, today: .earliest)
            #expect(
                facts
                    == TitleFacts(
                        id: fixture.title, genres: ["Novel"], courses: ["E1"], copies: 2, available: 1,
                        extra: ["a": 1]))
            #expect(try transaction.facts.title(4711, today: .earliest) == nil)
        }
    }

    @Test("what is gathered for a page of loans is what is asked for one by one", arguments: TestDriver.allCases)
    func page(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let today = try CivilDate(year: 2026, month: 11, day: 21)
            var ada = try #require(try transaction.patrons.get(fixture.patron))
            (ada.birthDate, ada.extra) = (try CivilDate(year: 2000, month: 11, day: 22), ["card": 1])
            try transaction.patrons.update(ada)
            for (kind, ends) in [
                ("manual", nil), ("suspension", try today.adding(days: 3)), ("old", try today.adding(days: -1)),
            ] {
                try transaction.blocks.insert(
                    PatronBlock(
                        patron: ada.id, kind: kind, actions: BlockFacts.Action.lending, createdAt: .earliest,
                        ends: ends))
            }
            var bob = ada
            (bob.id, bob.username) = (0, "bob")
            bob.id = try transaction.patrons.insert(bob)
            let waited = try transaction.titles.insert(Title(title: "Persuasion", genres: ["Novel"]))
            let copy = try transaction.copies.insert(
                Copy(barcode: "b3", title: waited, branch: "annex", itemType: "book", status: .onLoan))
            try transaction.holds.insert(
                Hold(title: waited, patron: ada.id, pickupBranch: "main", placedAt: Instant(seconds: 1)))
            var loans = [try fixture.loan(), try fixture.loan(copy: 1, dueIn: 200), try fixture.loan(copy: 1)]
            (loans[2].copy, loans[2].title, loans[2].patron) = (copy, waited, bob.id)
            for index in loans.indices {
                loans[index].id = try transaction.loans.insert(loans[index])
                try record(loans[index], transaction)
            }
            let facts = try transaction.facts.about(loans)
            for loan in loans {
                let (patron, dueAt) = (try #require(loan.patron), try #require(loan.due?.instant))
                #expect(try facts.copies[loan.copy ?? 0] == transaction.copies.get(loan.copy ?? 0))
                #expect(try facts.lines[loan.id] == transaction.ledger.of(loan: loan.id))
                #expect(facts.lines[loan.id]?.count == 2)
                let recorded = facts.notices(loan: loan.id, dueAt: dueAt)
                #expect(try recorded == transaction.notices.facts(loan: loan.id, dueAt: dueAt))
                #expect(recorded.map(\.stage) == ["soon", "first"])
                let alone = try transaction.facts.patron(patron, now: .earliest, today: today, withLoans: false)
                #expect(facts.patron(patron, today: today) == alone && alone != nil)
            }
            let title = try #require(try transaction.facts.title(fixture.title, today: today))
            #expect(facts.titles == [fixture.title: title])
            #expect(try transaction.facts.about([]).copies.isEmpty)
        }
    }

    /// Two notices and two lines about a loan, and a notice of a due time that it had before.
    private func record(_ loan: Loan, _ transaction: Transaction) throws {
        let (patron, dueAt) = (try #require(loan.patron), try #require(loan.due?.instant))
        let notices = try [("soon", dueAt), ("first", dueAt), ("first", dueAt.adding(seconds: -60))].map { stage, due in
            Notice(
                kind: "overdue", subjectKey: "loan:\(loan.id)", patron: patron, loan: loan.id, dueAt: due, stage: stage,
                channel: "email", subject: "", body: "", createdAt: Instant(seconds: 5))
        }
        #expect(try transaction.notices.insertNew(notices).count == 3)
        #expect(try transaction.notices.insertNew(notices).isEmpty)
        for key in ["fine:\(loan.id)", "notice:\(loan.id)"] {
            _ = try transaction.ledger.insert(
                LedgerEntry(
                    key: key, patron: patron, loan: loan.id, kind: .fine,
                    amount: Money(minorUnits: 20, currency: .eur), label: "Fine", at: Instant(seconds: 6)))
        }
    }
}
