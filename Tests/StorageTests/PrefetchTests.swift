import Circulation
import Storage
import TestSupport
import Testing

@Suite("Questions asked together, and changes without a wait")
struct PrefetchTests {
    private func decision(on event: Int64, ordinal: Int64 = 0) -> DecisionRecord {
        DecisionRecord(
            event: event, ordinal: ordinal, point: "checkout", policy: nil, answer: "allow", caseJSON: "{}",
            decisionJSON: "{}")
    }

    private func event(_ transaction: Transaction) throws -> Int64 {
        try transaction.events.insert(
            EventRecord(at: .earliest, actor: "a", kind: "k", payload: "{}", requestID: "r"))
    }

    @Test("what was prefetched is not what is there once it has changed", arguments: TestDriver.allCases)
    func stale(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let copies = transaction.copies
            try transaction.prefetch { [copies.getting(fixture.copies[0]), copies.finding(barcode: "b2")] }
            try copies.setStatus(.lost, of: fixture.copies[0])
            #expect(try copies.get(fixture.copies[0])?.status == .lost)
            #expect(try copies.find(barcode: "b2")?.id == fixture.copies[1])
        }
    }

    @Test("what was prefetched before a savepoint was undone is asked again", arguments: TestDriver.allCases)
    func undone(driver: TestDriver) throws {
        struct Stop: Error {}
        try driver.withFixture { (transaction, fixture) throws in
            let copies = transaction.copies
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try copies.setStatus(.lost, of: fixture.copies[0])
                    try transaction.prefetch { [copies.getting(fixture.copies[0])] }
                    throw Stop()
                }
            }
            #expect(try copies.get(fixture.copies[0])?.status == .available)
        }
    }

    @Test(
        "a change that nobody waits for is there with the commit, in its place among the others",
        arguments: TestDriver.allCases)
    func posted(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let copies = try store.write { (transaction) throws in
                let fixture = try Fixture(transaction)
                for status in [CopyStatus.lost, .onLoan, .inTransit] {
                    try transaction.copies.setStatus(status, of: fixture.copies[0])
                }
                for _ in 0..<200 { try transaction.copies.setStatus(.withdrawn, of: fixture.copies[1]) }
                return fixture.copies
            }
            let statuses = try store.read { (transaction) throws in
                try copies.map { try transaction.copies.get($0)?.status }
            }
            #expect(statuses == [.inTransit, .withdrawn])
        }
    }

    @Test("one that fails undoes all of the transaction, at the latest with its commit", arguments: TestDriver.allCases)
    func failing(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let code = storeErrorCode {
                try store.write { (transaction) throws in
                    try Fixture(transaction)
                    try transaction.decisions.insert(decision(on: 4_711))
                }
            }
            #expect(code == .constraint)
            #expect(try store.read { try $0.patrons.count() } == 0)
            try store.write { (transaction) throws in try transaction.decisions.insert(decision(on: event(transaction)))
            }
            #expect(try store.read { try $0.decisions.count() } == 1)
        }
    }
}

@Suite("Ways to PostgreSQL and back", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresPrefetchTests {
    @Test("what is prefetched takes no way where it comes first, and what is posted none")
    func ways() throws {
        try withCutStore { (store, proxy, straight) throws in
            let fixture = try straight.write { try Fixture($0) }
            func messages(_ body: (Transaction) throws -> Void) throws -> Int {
                let before = proxy.messages
                try store.write(body)
                return proxy.messages - before
            }
            let single = try messages { (transaction) throws in
                for copy in fixture.copies { _ = try transaction.copies.get(copy) }
                _ = try transaction.patrons.id(username: "ada")
            }
            let prefetched = try messages { (transaction) throws in
                try transaction.prefetch {
                    fixture.copies.map { transaction.copies.getting($0) } + [
                        transaction.patrons.finding(username: "ada")
                    ]
                }
                for copy in fixture.copies { _ = try transaction.copies.get(copy) }
                _ = try transaction.patrons.id(username: "ada")
                for copy in fixture.copies { try transaction.copies.setStatus(.lost, of: copy) }
            }
            // Beginning, each question, commit.
            #expect(single == 5)
            #expect(prefetched == 2)
            #expect(try straight.read { try $0.copies.get(fixture.copies[1])?.status } == .lost)
        }
    }

    @Test("a question about a row that another one finds goes with it")
    func found() throws {
        try withCutStore { (store, proxy, straight) throws in
            let fixture = try straight.write { try Fixture($0) }
            func waits(_ username: String, _ barcode: String) throws -> (facts: Bool, copies: Int64?, ways: Int) {
                let before = proxy.messages
                let found = try store.write { (transaction) throws in
                    let patron = transaction.patrons.finding(username: username)
                    let copy = transaction.copies.finding(barcode: barcode)
                    try transaction.prefetch {
                        [patron, copy]
                            + transaction.facts.asking(
                                title: .found(by: copy, column: "title"), askedBy: .found(by: patron, column: "id"),
                                today: .earliest)
                    }
                    let (id, title) = (
                        try transaction.patrons.id(username: username),
                        try transaction.copies.find(barcode: barcode)?.title
                    )
                    guard let id, let title else { return (facts: false, copies: nil as Int64?) }
                    let facts = try transaction.facts.title(title, askedBy: id, today: .earliest)
                    return (facts: true, copies: facts?.copies)
                }
                return (found.facts, found.copies, proxy.messages - before)
            }
            // Statements are prepared with the first one.
            #expect(try waits("ada", "b1") == (true, 2, 2))
            #expect(try waits("ada", "b2") == (true, 2, 2))
            #expect(try waits("zoe", "b1") == (false, nil, 2))
            #expect(try waits("ada", "none") == (false, nil, 2))
            #expect(try straight.read { try $0.copies.counts(title: fixture.title).copies } == 2)
        }
    }

    @Test("what is undone in a transaction that began within the part that is undone leaves the rest")
    func undoneWithin() throws {
        struct Stop: Error {}
        try withCutStore { (store, _, straight) throws in
            let fixture = try straight.write { try Fixture($0) }
            try store.write { (transaction) throws in
                #expect(throws: Stop.self) {
                    try transaction.savepoint {
                        try transaction.prefetch { [transaction.copies.getting(fixture.copies[0])] }
                        try transaction.copies.setStatus(.lost, of: fixture.copies[0])
                        throw Stop()
                    }
                }
                try transaction.copies.setStatus(.lost, of: fixture.copies[1])
            }
            let statuses = try straight.read { (transaction) throws in
                try fixture.copies.map { try transaction.copies.get($0)?.status }
            }
            #expect(statuses == [.available, .lost])
        }
    }

    @Test("a loan with its event and its decision takes no way of its own")
    func loan() throws {
        try withCutStore { (store, proxy, straight) throws in
            let fixture = try straight.write { try Fixture($0) }
            // What is kept of the settings is read before.
            try store.write { _ = try $0.settings.snapshot() }
            let before = proxy.messages
            let id = try store.write { (transaction) throws in
                try transaction.prefetch { transaction.settings.lookingForChanges + [LoanRepository.nextID] }
                _ = try transaction.settings.snapshot()
                let id = try transaction.loans.lend(Loan(copy: fixture.copies[0], lentAt: .earliest))
                try transaction.copies.setStatus(.onLoan, of: fixture.copies[0])
                let event = try transaction.events.insert(
                    EventRecord(at: .earliest, actor: "a", kind: "k", payload: "{}", requestID: "~1", loan: id))
                try transaction.decisions.insert(
                    DecisionRecord(
                        event: event, point: "checkout", policy: nil, answer: "allow", caseJSON: "{}",
                        decisionJSON: "{}"))
                return id
            }
            // Beginning with the question, commit.
            #expect(proxy.messages - before == 2)
            let other = try straight.write { (transaction) throws in
                let loan = try #require(try transaction.loans.open(copy: fixture.copies[0]))
                #expect(loan.id == id)
                #expect(try transaction.events.page(limit: 10).last?.loan == id)
                return try transaction.loans.insert(Loan(lentAt: .earliest))
            }
            #expect(other == id + 1)
            let code = storeErrorCode {
                try store.write { _ = try $0.loans.lend(Loan(copy: fixture.copies[0], lentAt: .earliest)) }
            }
            #expect(code == .constraint)
        }
    }
}
