import Circulation
import Testing

@testable import Storage

@Suite("How SQLite answers")
struct PlanTests {
    @Test(
        "questions of every day are answered from an index, without a scan or a sort",
        arguments: [
            "SELECT id FROM loans WHERE patron = ? AND returned_at IS NULL AND copy IS NOT NULL ORDER BY id",
            "SELECT id FROM loans WHERE copy = ? AND returned_at IS NULL",
            "SELECT event FROM decision_log WHERE id >= ? AND id < ? ORDER BY id",
            """
            SELECT * FROM loans WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND (due_at, id) > (?, ?)
                AND copy IS NOT NULL ORDER BY due_at, id LIMIT ?
            """,
            "SELECT lent_at FROM loans WHERE lent_at >= ? AND lent_at < ? ORDER BY lent_at",
            "SELECT * FROM copies WHERE title = ? AND status = 'available' AND branch = ? ORDER BY barcode LIMIT 1",
            "SELECT * FROM events WHERE patron = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            "SELECT * FROM notices WHERE state = 'queued' AND id > ? ORDER BY id LIMIT ?",
            "SELECT * FROM notices WHERE state = 'queued' ORDER BY id LIMIT ? OFFSET ?",
            "SELECT COUNT(*) FROM notices WHERE (state = 'queued') AND 1 = 1",
            "SELECT CAST(SUM(amount) AS INTEGER) FROM ledger WHERE patron = ?",
            "SELECT 1 FROM patron_words WHERE patron = ? AND word >= ? AND word < ?",
            """
            SELECT * FROM patrons WHERE email IS NOT NULL AND LOWER(email) = LOWER(?) AND id <> ? ORDER BY id LIMIT ?
            """,
            "SELECT * FROM patrons WHERE birth_date = ? AND id <> ? ORDER BY id DESC LIMIT ?",
            "SELECT * FROM patrons WHERE name_key = ? AND id <> ? ORDER BY id LIMIT ?",
            """
            SELECT * FROM titles WHERE title_key = ? AND SUBSTR(author_key, 1, 40) = SUBSTR(?, 1, 40)
            ORDER BY COALESCE(year, \(Int64.min + 1)), COALESCE(isbn, ''), id LIMIT ?
            """,
        ])
    func plans(text: String) throws {
        let steps = try plan(of: text)
        #expect(!steps.isEmpty)
        #expect(steps.allSatisfy { $0.hasPrefix("SEARCH") }, "\(steps)")
    }

    @Test("a ranking of titles reads no loan but from the index")
    func ranking() throws {
        let ranking = """
            SELECT title, COUNT(*) FROM loans WHERE lent_at >= ? AND lent_at < ? AND title IS NOT NULL GROUP BY title
            """
        let index = "USING COVERING INDEX loans_by_lent_at (lent_at>? AND lent_at<?)"
        let steps = try plan(of: ranking)
        #expect(steps.first?.contains(index) == true, "\(steps)")
    }

    @Test("counts by title and by day are read from the counters, in their order and without a sort")
    func counters() throws {
        let years = try plan(of: "SELECT title, SUM(loans) FROM title_lendings WHERE year >= ? GROUP BY title")
        #expect(years == ["SCAN title_lendings"])
        let days = try plan(
            of: "SELECT day, SUM(loans) FROM circulation_days WHERE day >= ? AND day <= ? GROUP BY day")
        #expect(days == ["SEARCH circulation_days USING PRIMARY KEY (day>? AND day<?)"])
    }

    @Test("the open loan of a copy is one entry of an index, and so is each event about a copy")
    func aboutCopies() throws {
        let open = try plan(
            of: "SELECT due_at FROM loans WHERE copy = ? AND (CASE WHEN returned_at IS NULL THEN 0 ELSE id END) = 0")
        #expect(open == ["SEARCH loans USING INDEX loans_by_copy (copy=? AND <expr>=?)"])
        let own = try plan(of: "SELECT sequence FROM events WHERE copy = ? AND loan IS NULL")
        #expect(own.count == 1 && own[0].contains("INDEX events_by_copy (copy=?)"), "\(own)")
    }

    private func plan(of text: String) throws -> [String] {
        let store = try SQLiteStore.memory()
        defer { try? store.close() }
        return try store.withWritingConnection { (connection) throws in
            let statement = try connection.statement(Query(once: "EXPLAIN QUERY PLAN " + text))
            defer { statement.release() }
            var steps: [String] = []
            while try statement.step() { steps.append(statement.text(3)) }
            return steps
        }
    }
}
