import Circulation
import Storage
import Testing

@Suite("Loans")
struct LoanTests {
    @Test("a loan comes back as it was, full or bare", arguments: TestDriver.allCases)
    func roundTrip(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var full = try fixture.loan()
            full.due = DueTime(instant: .latest, date: .earliest, isExact: true)
            full.returnedAt = .latest
            full.renewals = .max
            full.unseenRenewals = 3
            full.renewedAt = .earliest
            full.recalledAt = Instant(microseconds: -1)
            full.onSite = true
            full.channel = .`self`
            full.policy = "abc"
            full.importKey = "file:1"
            let bare = Loan(lentAt: .earliest)
            for var loan in [full, bare] {
                loan.id = try transaction.loans.insert(loan)
                #expect(try transaction.loans.get(loan.id) == loan)
            }
            #expect(try transaction.loans.find(importKey: "file:1")?.renewals == .max)
            #expect(try transaction.loans.get(4711) == nil)
        }
    }

    @Test("a copy has one open loan, and again one after its return", arguments: TestDriver.allCases)
    func oneOpenLoan(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let first = try transaction.loans.insert(try fixture.loan())
            let code = storeErrorCode {
                try transaction.savepoint { _ = try transaction.loans.insert(try fixture.loan()) }
            }
            #expect(code == .constraint)
            #expect(try transaction.loans.insertIfNew(try fixture.loan()) == nil)
            #expect(try transaction.loans.setReturned(first, at: Instant(seconds: 2_000)))
            #expect(try !transaction.loans.setReturned(first, at: Instant(seconds: 3_000)))
            let second = try transaction.loans.insert(try fixture.loan())
            #expect(try transaction.loans.open(copy: fixture.copies[0])?.id == second)
            #expect(try transaction.loans.open(patron: fixture.patron).map(\.id) == [second])
            #expect(try transaction.loans.openCount() == 1)
            #expect(try transaction.loans.openCount(title: fixture.title) == 1)
        }
    }

    @Test("an import key brings one loan, however often it comes", arguments: TestDriver.allCases)
    func importKeys(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            let loan = Loan(lentAt: Instant(seconds: 5), importKey: "row 1")
            #expect(try transaction.loans.insertIfNew(loan) != nil)
            #expect(try transaction.loans.insertIfNew(loan) == nil)
            #expect(try transaction.loans.insertIfNew(Loan(lentAt: Instant(seconds: 5))) != nil)
            #expect(try transaction.loans.count() == 2)
        }
    }

    @Test("a loan without a copy is never open, due or counted as such", arguments: TestDriver.allCases)
    func importedHistory(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var loan = try fixture.loan()
            loan.copy = nil
            try transaction.loans.insert(loan)
            #expect(try transaction.loans.openCount() == 0)
            #expect(try transaction.loans.open(patron: fixture.patron).isEmpty)
            #expect(try transaction.loans.due(before: .latest, limit: 10).isEmpty)
            #expect(try transaction.loans.dueCount(before: .latest) == 0)
            let facts = try transaction.facts.patron(fixture.patron, now: .latest, today: .latest)
            #expect(facts?.loans.isEmpty == true)
        }
    }

    @Test("a new due time is written without touching the rest", arguments: TestDriver.allCases)
    func dueChange(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            var loan = try fixture.loan()
            loan.id = try transaction.loans.insert(loan)
            var changed = loan
            changed.due = DueTime(instant: Instant(seconds: 9_999), date: .latest, isExact: true)
            changed.renewals = 2
            changed.unseenRenewals = 1
            changed.renewedAt = Instant(seconds: 50)
            changed.recalledAt = Instant(seconds: 51)
            changed.policy = "p"
            var asked = changed
            asked.category = "not written"
            #expect(try transaction.loans.updateDue(asked))
            #expect(try transaction.loans.get(loan.id) == changed)
            changed.branch = "annex"
            #expect(try transaction.loans.update(changed))
            #expect(try transaction.loans.get(loan.id) == changed)
        }
    }

    @Test("the overdue come in pages, each once, also while pages are worked on", arguments: TestDriver.allCases)
    func duePages(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for number in 0..<100 {
                let copy = try transaction.copies.insert(
                    Copy(barcode: "s\(number)", title: fixture.title, branch: "main", itemType: "book"))
                var loan = try fixture.loan(dueIn: Int64(number / 10) * 100)
                loan.copy = copy
                try transaction.loans.insert(loan)
            }
            var seen: [Int64] = []
            var position: DuePosition?
            // Due at 1,000 to 1,900 seconds, ten at each: 70 before 1,700.
            let limit = Instant(seconds: 1_700)
            #expect(try transaction.loans.dueCount(before: limit) == 70)
            while true {
                let page = try transaction.loans.due(before: limit, after: position, limit: 7)
                guard let last = page.last, let due = last.due else { break }
                seen += page.map(\.id)
                position = DuePosition(dueAt: due.instant, loan: last.id)
                try transaction.loans.setReturned(page[0].id, at: limit)
            }
            #expect(seen.count == 70)
            #expect(Set(seen).count == 70)
        }
    }

    @Test("filters give what they say", arguments: TestDriver.allCases)
    func filters(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let loans = transaction.loans
            let first = try loans.insert(try fixture.loan(lentAt: Instant(seconds: 100)))
            try loans.setReturned(first, at: Instant(seconds: 150))
            let second = try loans.insert(try fixture.loan(lentAt: Instant(seconds: 200)))
            let third = try loans.insert(try fixture.loan(copy: 1, lentAt: Instant(seconds: 50)))
            let cases: [(LoanQuery, [Int64])] = [
                (LoanQuery(), [first, second, third]), (LoanQuery(state: .open), [second, third]),
                (LoanQuery(state: .returned), [first]), (LoanQuery(copy: fixture.copies[0]), [first, second]),
                (LoanQuery(from: Instant(seconds: 100), to: Instant(seconds: 200)), [first]),
                (LoanQuery(patron: fixture.patron, title: fixture.title, branch: "main"), [first, second, third]),
                (LoanQuery(patron: 4711), []), (LoanQuery(branch: "annex"), []),
            ]
            for (filter, ids) in cases {
                #expect(try loans.page(filter, limit: 10).map(\.id) == ids)
                #expect(try loans.count(filter) == Int64(ids.count))
            }
            #expect(try loans.history(LoanQuery(), limit: 2).map(\.id) == [second, first])
            #expect(try loans.history(LoanQuery(), limit: 2, offset: 2).map(\.id) == [third])
            var streamed: [Int64] = []
            try loans.forEach { (loan) throws in
                streamed.append(loan.id)
                return true
            }
            #expect(streamed == [first, second, third])
        }
    }
}
