import Circulation
import Testing

@testable import Storage

@Suite("The invariants of a store")
struct IntegrityTests {
    /// A healthy store with a loan, a fee and an event in it, then `damage` done behind the repositories' backs.
    private func findings(_ damage: String) throws -> [IntegrityFinding] {
        let store = try SQLiteStore.memory()
        defer { try? store.close() }
        try store.write { (transaction) throws in
            let fixture = try Fixture(transaction)
            try transaction.settings.setLibrary(LibrarySettings(name: "L", zone: .utc, currency: .eur))
            try transaction.loans.insert(try fixture.loan())
            try transaction.copies.setStatus(.onLoan, of: fixture.copies[0])
            _ = try transaction.ledger.insert(
                LedgerEntry(
                    key: "k", patron: fixture.patron, kind: .fine, amount: Money(minorUnits: 1, currency: .eur),
                    label: "", at: .earliest))
        }
        #expect(try store.read { try $0.integrity.findings() } == [])
        try store.withWritingConnection { try $0.execute(script: "PRAGMA foreign_keys = OFF; \(damage)") }
        return try store.read { try $0.integrity.findings() }
    }

    @Test(
        "what is broken is named by its invariant, table and row",
        arguments: [
            ("UPDATE copies SET status = 'available' WHERE id = 1", "open_loan_status", "copies", "1"),
            ("UPDATE copies SET status = 'on_loan' WHERE id = 2", "on_loan_status", "copies", "2"),
            ("UPDATE loans SET patron = NULL", "open_loan_complete", "loans", "1"),
            (
                "UPDATE loans SET returned_at = 0; UPDATE copies SET status = 'available'", "return_after_lending",
                "loans", "1"
            ),
            ("UPDATE ledger SET currency = 'USD'", "one_currency", "ledger", "1"),
            ("DELETE FROM title_search", "search_complete", "titles", "1"),
            ("INSERT INTO title_search (rowid, title) VALUES (99, 'x')", "search_complete", "title_search", "99"),
            ("UPDATE title_search SET title = 'other'", "search_complete", "titles", "1"),
            ("INSERT INTO search_words VALUES ('ghost', 'tsohg')", "search_words", "search_words", "ghost"),
            ("UPDATE search_words SET tail = 'x' WHERE word = 'emma'", "search_words", "search_words", "emma"),
            ("DELETE FROM search_words WHERE word = 'emma'", "search_words", "titles", "1"),
            ("UPDATE titles SET title_key = 'x'", "sorting_key", "titles", "1"),
            ("INSERT INTO title_genres VALUES (1, 'Ghost')", "genres", "titles", "1"),
            ("DELETE FROM patron_words WHERE word = 'ada'", "patron_words", "patrons", "1"),
            ("UPDATE loans SET policy = 'gone'", "policy_stored", "loans", "1"),
            ("UPDATE copies SET title = 4711 WHERE id = 2", "references", "copies", "2"),
            ("UPDATE circulation_days SET loans = 2", "counters", "circulation_days", "1970-01-01 main patron book"),
            ("DELETE FROM title_lendings", "counters", "title_lendings", "1 1970 main"),
            (
                "INSERT INTO title_lendings VALUES (2, 1999, '', 0, 0, 0, 1)", "counters", "title_lendings", "2 1999 -"
            ),
            (
                """
                DROP INDEX loans_by_copy;
                INSERT INTO loans (copy, title, patron, lent_at, due_at, due_on, due_exact, renewals, unseen_renewals, on_site)
                VALUES (1, 1, 1, 5, 6, 7, 0, 0, 0, 0)
                """, "one_open_loan", "copies", "1"
            ),
        ])
    func damage(statement: String, invariant: String, table: String, id: String) throws {
        let found = try findings(statement)
        // Loans that come or go behind the repositories' backs are counted by nobody.
        #expect(found.map(\.invariant).filter { $0 != "counters" || invariant == $0 } == [invariant])
        #expect(found.first?.table == table)
        #expect(found.first?.id == id)
        #expect(found.first?.message.isEmpty == false)
    }

    @Test("a list of findings ends somewhere")
    func limit() throws {
        let store = try SQLiteStore.memory()
        defer { try? store.close() }
        try store.write { (transaction) throws in
            for number in 0..<20 { try transaction.titles.insert(Title(title: "\(number)")) }
        }
        try store.withWritingConnection { try $0.execute(script: "DELETE FROM title_search") }
        #expect(try store.read { try $0.integrity.findings(limit: 5).count } == 5)
    }
}
