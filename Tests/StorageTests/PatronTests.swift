import Circulation
import Storage
import Testing
import TextFormats

@Suite("Patrons and blocks")
struct PatronTests {
    private static let patrons: [Patron] = [
        Patron(username: "min", category: "patron", homeBranch: "main"),
        Patron(
            username: "Größe", name: "Zoë", surname: "d'Ormesson", email: "zoe@example.org", phone: "+49 30 1",
            category: "patron", homeBranch: "annex", language: "de",
            birthDate: .earliest, expiresOn: .latest, role: .admin, extra: ["card": 12, "list": [nil, true]]),
    ]

    @Test("a patron comes back as they were", arguments: TestDriver.allCases, patrons)
    func roundTrip(driver: TestDriver, patron: Patron) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var expected = patron
            expected.id = try transaction.patrons.insert(patron)
            #expect(try transaction.patrons.get(expected.id) == expected)
            #expect(try transaction.patrons.find(username: patron.username) == expected)
            #expect(try transaction.patrons.lock(expected.id))
            #expect(try !transaction.patrons.lock(4711))
            expected.id = fixture.patron
            expected.username += "2"
            #expect(try transaction.patrons.update(expected))
            #expect(try transaction.patrons.get(fixture.patron) == expected)
            #expect(try transaction.integrity.findings().isEmpty)
        }
    }

    @Test("a username is one patron's", arguments: TestDriver.allCases)
    func uniqueness(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            let twin = Patron(username: "ada", category: "patron", homeBranch: "main")
            #expect(
                storeErrorCode { try transaction.savepoint { _ = try transaction.patrons.insert(twin) } } == .constraint
            )
            #expect(try transaction.patrons.count() == 1)
        }
    }

    @Test(
        "patrons are found by the beginnings of their words, in the order of their names",
        arguments: TestDriver.allCases,
        [
            ("love", ["ada"]), ("ADA lov", ["ada"]), ("zoe", ["zoe"]), ("ormes", ["zoe"]), ("example", ["zoe"]),
            ("", ["zoe", "ada"]), ("lace", []), ("%", []), ("a", ["ada"]),
        ] as [(String, [String])])
    func search(driver: TestDriver, expectation: (text: String, usernames: [String])) throws {
        try driver.withFixture { (transaction, _) throws in
            try transaction.patrons.insert(
                Patron(
                    username: "zoe", name: "Zoë", surname: "d'Ormesson", email: "z@example.org", category: "patron",
                    homeBranch: "main"))
            let found = try transaction.patrons.search(expectation.text)
            #expect(found.map(\.username) == expectation.usernames)
            #expect(try transaction.patrons.searchCount(expectation.text) == Int64(expectation.usernames.count))
        }
    }

    @Test(
        "who has an address, a birthday, or a name and a birthday in common with a patron is found",
        arguments: TestDriver.allCases)
    func possibleDuplicates(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            func patron(_ username: String, _ surname: String, email: String?, born: CivilDate?) throws -> Patron {
                var patron = Patron(
                    username: username, name: "Zoë", surname: surname, email: email, category: "patron",
                    homeBranch: "main", birthDate: born)
                patron.id = try transaction.patrons.insert(patron)
                return patron
            }
            let zoe = try patron("zoe", "Moss", email: "zoe@example.org", born: .earliest)
            _ = try patron("mail", "Lee", email: "ZOE@example.org", born: nil)
            _ = try patron("name", "moss", email: "", born: .earliest)
            _ = try patron("day", "Lee", email: nil, born: .earliest)
            _ = try patron("later", "moss", email: "", born: .latest)
            _ = try patron("none", "Lee", email: nil, born: nil)
            let found = try transaction.patrons.possibleDuplicates(of: zoe, limit: 10)
            #expect(found.map(\.username).sorted() == ["day", "mail", "name"])
            #expect(try transaction.patrons.possibleDuplicates(of: zoe, limit: 1).count == 3)
        }
    }

    @Test("patrons are gone through by birthday and by address, those of one by id", arguments: TestDriver.allCases)
    func groups(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            for (username, email, day) in [
                ("a", "Z@example.org", 20), ("b", "y@example.org", 10), ("c", nil, 20), ("d", "z@example.org", nil),
                ("e", "x@example.org", -5),
            ] as [(String, String?, Int64?)] {
                var patron = Patron(username: username, email: email, category: "patron", homeBranch: "main")
                patron.birthDate = try day.map { try CivilDate(dayNumber: $0) }
                patron.id = try transaction.patrons.insert(patron)
            }
            let patrons = transaction.patrons
            let born = try patrons.born(after: Int64(Int32.min), 0, limit: 10)
            #expect(born.map(\.username) == ["e", "b", "a", "c"])
            #expect(try patrons.born(after: 20, born[2].id, limit: 10).map(\.username) == ["c"])
            #expect(try patrons.born(after: 10, born[1].id, limit: 1).map(\.username) == ["a"])
            #expect(try patrons.born(on: 20, upTo: born[3].id, limit: 10).map(\.username) == ["a", "c"])
            #expect(try patrons.born(on: 20, upTo: born[3].id, limit: 1).map(\.username) == ["c"])
            #expect(try patrons.born(on: 20, upTo: born[2].id, limit: 10).map(\.username) == ["a"])
            let addressed = try patrons.addressed(after: "", 0, limit: 10).filter { $0.username.count == 1 }
            #expect(addressed.map(\.username) == ["e", "b", "a", "d"])
            #expect(try patrons.addressed(after: "Z@EXAMPLE.org", addressed[2].id, limit: 10).map(\.username) == ["d"])
            #expect(
                try patrons.addressed(as: "z@example.ORG", upTo: addressed[3].id, limit: 10).map(\.username) == [
                    "a", "d",
                ])
        }
    }

    @Test("a patron who is removed leaves loans and ledger lines without a name", arguments: TestDriver.allCases)
    func removal(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let loan = try transaction.loans.insert(try fixture.loan())
            let entry = LedgerEntry(
                key: "k", patron: fixture.patron, kind: .fine, amount: Money(minorUnits: 5, currency: .eur), label: "",
                at: .earliest)
            let line = try #require(try transaction.ledger.insert(entry))
            try transaction.blocks.insert(PatronBlock(patron: fixture.patron, kind: "x", createdAt: .earliest))
            #expect(try transaction.patrons.remove(fixture.patron))
            #expect(try !transaction.patrons.remove(fixture.patron))
            #expect(try transaction.loans.get(loan)?.patron == nil)
            #expect(try transaction.loans.get(loan)?.category == "patron")
            #expect(try transaction.ledger.get(line)?.patron == 0)
            #expect(try transaction.blocks.of(patron: fixture.patron).isEmpty)
            #expect(try transaction.patrons.search("ada").isEmpty)
            let next = try transaction.patrons.insert(Patron(username: "n", category: "patron", homeBranch: "main"))
            #expect(next != fixture.patron)
        }
    }

    @Test(
        "a block comes back as it was, and is in force until its last day or its lifting",
        arguments: TestDriver.allCases)
    func blocks(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let today = try CivilDate(year: 2026, month: 11, day: 21)
            var block = PatronBlock(
                patron: fixture.patron, kind: "manual", reason: "said so", actions: [.renew], createdAt: .latest,
                ends: today)
            block.id = try transaction.blocks.insert(block)
            #expect(try transaction.blocks.get(block.id) == block)
            #expect(try transaction.blocks.inForce(patron: fixture.patron, today: today) == [block])
            #expect(try transaction.blocks.inForce(patron: fixture.patron, today: today.adding(days: 1)).isEmpty)
            block.ends = nil
            block.actions = []
            #expect(try transaction.blocks.update(block))
            #expect(try transaction.blocks.inForce(patron: fixture.patron, today: .latest) == [block])
            block.liftedAt = .earliest
            block.actions = Set(BlockFacts.Action.allCases)
            try transaction.blocks.update(block)
            #expect(try transaction.blocks.inForce(patron: fixture.patron, today: today).isEmpty)
            #expect(try transaction.blocks.of(patron: fixture.patron) == [block])
            #expect(try transaction.blocks.remove(block.id))
        }
    }
}
