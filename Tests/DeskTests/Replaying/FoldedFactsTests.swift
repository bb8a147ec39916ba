import Circulation
import Storage
import Testing

@testable import Desk

@Suite("What a replay keeps between its questions")
struct FoldedFactsTests {
    /// What was kept after a question, and whether its answer was that of the tables.
    private struct Step {
        var isTrue: Bool
        /// Patrons, titles, loans.
        var kept: [Int]
    }

    @Test("what is too much is let go of, and then read again as the tables have it", arguments: [0, 1, 20_000])
    func bounded(most: Int) throws {
        let library = try Library()
        for title in Int64(1)...3 { _ = try library.lend("ada", title) }
        let ada = try library.id("ada")
        let now = library.clock.now()
        let steps = try library.store.read { tables in
            let known = FoldedFacts(tables, most: most)
            return try ([1, 2, 3, 1, 2, 3] as [Int64]).map { id in
                try Self.step(known, tables, id, ada, now, Zone.utc.date(of: now))
            }
        }
        for step in steps {
            #expect(step.isTrue)
            #expect(step.kept.allSatisfy { $0 <= most }, "\(step.kept)")
        }
        // Where there is room, nothing is let go of.
        #expect(steps.last?.kept == [[0, 0, 0], [1, 0, 0], [1, 3, 3]][min(most, 2)])
    }

    private static func step(
        _ known: FoldedFacts, _ tables: Transaction, _ id: Int64, _ patron: Int64, _ now: Instant, _ today: CivilDate
    ) throws -> Step {
        let title = try known.title(id, askedBy: patron, copy: nil, today: today)
        let asker = try known.patron(patron, now: now, today: today)
        let (loan, copy) = (try known.loan(id), try known.copy(id))
        var isTrue = try title == tables.facts.title(id, askedBy: patron, copy: nil, today: today) && title != nil
        isTrue = try isTrue && asker == tables.facts.patron(patron, now: now, today: today) && asker != nil
        isTrue = try isTrue && loan == tables.loans.get(id) && copy == tables.copies.get(id)
        known.trim()
        return Step(isTrue: isTrue, kept: [known.patrons.count, known.titles.count, known.loans.count])
    }
}
