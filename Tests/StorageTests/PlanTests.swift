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
            """
            SELECT * FROM loans WHERE returned_at IS NULL AND due_at IS NOT NULL AND due_at < ? AND (due_at, id) > (?, ?)
                AND copy IS NOT NULL ORDER BY due_at, id LIMIT ?
            """,
            "SELECT lent_at FROM loans WHERE lent_at >= ? AND lent_at < ? ORDER BY lent_at",
            "SELECT * FROM copies WHERE title = ? AND status = 'available' AND branch = ? ORDER BY barcode LIMIT 1",
            "SELECT * FROM events WHERE patron = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            "SELECT * FROM notices WHERE state = 'queued' AND id > ? ORDER BY id LIMIT ?",
            "SELECT CAST(SUM(amount) AS INTEGER) FROM ledger WHERE patron = ?",
            "SELECT 1 FROM patron_words WHERE patron = ? AND word >= ? AND word < ?",
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
