import Circulation
import Desk
import Storage
import Testing

@Suite("Replays that are stopped")
struct StoppedReplayTests {
    private struct Enough: Error {}

    /// Has enough after so many answers.
    private final class ImpatientObserver: ReplayObserver {
        private var patience: Int
        var answers = 0

        init(patience: Int) {
            self.patience = patience
        }

        func decided(_ decision: ReplayedDecision) throws {
            answers += 1
            if answers >= patience { throw Enough() }
        }
        func settled(_ loan: ReplayedLoan) {}
        func contradicted(_ contradiction: ReplayContradiction) {}
        func progressed(events: Int64, of total: Int64) {}
    }

    @Test(
        "what the observer throws ends the replay at that answer, and the next replay gives them all",
        arguments: [1, 60])
    func observerThrows(patience: Int) throws {
        let library = try Library(store: SQLiteStore.memory())
        for loan in 1...Int64(60) {
            _ = try library.lend("ada", 1).get()
            _ = try library.desk.write { try $0.loans.checkin(.id(loan)).get() }
        }
        let observer = ImpatientObserver(patience: patience)
        let bundle = library.loader.bundle(Library.standard, "candidate")
        #expect(throws: Enough.self) { try library.desk.replay(bundle, ReplayPlan(), telling: observer) }
        #expect(observer.answers == patience)
        let (witness, summary) = try library.replay(Library.standard)
        #expect(witness.decisions.count == 120 && summary.requests == 120)
        #expect(witness.differences == [] && witness.contradictions == [])
        #expect(witness.decisions.map(\.event) == witness.decisions.map(\.event).sorted())
    }
}
