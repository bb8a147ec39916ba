import Circulation
import Storage
import Testing

@testable import Desk

@Suite("Pruning the log of decisions", .everyStore)
struct PruningTests {
    /// A loan of each of three days.
    private func history() throws -> Library {
        let library = try Library()
        for title in [1, 2, 3] as [Int64] {
            _ = try library.lend("ada", title).get()
            try library.pass(days: 1)
        }
        return library
    }

    @Test("decisions before a moment go, the later ones and all events stay, and the store is sound")
    func prunes() throws {
        let library = try history()
        let moment = try Instant(parsing: "2026-03-04T00:00:00Z")
        let pruned = try library.desk.pruneDecisions(before: moment).get()
        #expect(pruned == DecisionPruning(before: moment, count: 2))
        #expect(try library.store.read { try $0.decisions.count() } == 1)
        #expect(try library.events(.loanMade).count == 3)
        #expect(try library.events(.decisionsPruned).count == 1)
        try library.expectSound()
    }

    @Test("what was broken off after a page goes on, and misses nothing in a replay meanwhile")
    func resumes() throws {
        let library = try history()
        let moment = try Instant(parsing: "2026-03-04T00:00:00Z")
        // As a process leaves it that is killed behind the first page.
        try library.desk.write { session in
            try session.record(.decisionsPruned, DecisionPruning(before: moment, count: 2))
            _ = try session.transaction.decisions.remove(before: moment, after: .min, limit: 1)
        }
        #expect(try library.replay(Library.standard).0.contradictions == [])
        #expect(try library.desk.pruneDecisions(before: moment).get().count == 1)
        #expect(try library.store.read { try $0.decisions.count() } == 1)
        try library.expectSound()
    }

    @Test("a replay answers from that moment on and says so; a decision that is missing later is a contradiction")
    func replay() throws {
        let library = try history()
        let moment = try Instant(parsing: "2026-03-04T00:00:00Z")
        _ = try library.desk.pruneDecisions(before: moment).get()
        let (witness, summary) = try library.replay(Library.standard)
        #expect(summary.requests == 1 && summary.unanswerable == 2 && summary.answerableFrom == moment)
        #expect(witness.contradictions == [] && witness.differences == [])
    }

    @Test("a case that is missing without being pruned is reported")
    func missing() throws {
        let library = try history()
        try library.store.write {
            _ = try $0.decisions.remove(before: Instant(parsing: "2026-03-03T00:00:00Z"), after: .min, limit: 100)
        }
        let (witness, summary) = try library.replay(Library.standard)
        #expect(summary.unanswerable == 0 && witness.contradictions.count == 1)
    }

    @Test("pruning twice writes down nothing the second time, and pruning the future is refused")
    func again() throws {
        let library = try history()
        let moment = try Instant(parsing: "2026-03-04T00:00:00Z")
        _ = try library.desk.pruneDecisions(before: moment).get()
        let second = try library.desk.pruneDecisions(before: moment).get()
        #expect(second.count == 0)
        #expect(try library.events(.decisionsPruned).count == 1)
        let refusal = try library.desk.pruneDecisions(before: library.clock.now().adding(hours: 1)).refusal
        #expect(refusal?.code == "future")
    }
}
