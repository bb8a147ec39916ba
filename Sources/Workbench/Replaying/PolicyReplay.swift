package import Circulation
package import Desk
import TextFormats

/// A library's past under another policy: what would have been decided otherwise.
package final class PolicyReplay: ReplayObserver {
    /// Which policy was tried.
    package let candidate: PolicyBundle
    package let candidateName: String
    package let plan: ReplayPlan
    package let library: LibrarySettings
    package private(set) var counts = ReplayCounts()
    package private(set) var summary = ReplaySummary()
    /// The first differences, to be shown.
    package private(set) var examples: [ReplayedDecision] = []
    /// The first contradictions; `contradictionCount` counts all.
    package private(set) var contradictions: [ReplayContradiction] = []
    package private(set) var contradictionCount: Int64 = 0
    private(set) var spool = DifferenceSpool()
    private let progress: (Int64, Int64) throws -> Void
    private var writer = JSONWriter()

    private static let mostExamples = 20
    private static let mostContradictions = 100

    /// Replays what is recorded.
    ///
    /// - Parameters:
    ///   - progress: called now and then with the events read and their total; an error that it throws ends the replay.
    /// - Throws: ``PolicyFailure`` if the candidate is not a policy; ``StoreError``; ``SpoolFailure``.
    ///
    /// Where a recorded answer is not what its version says today, all is asked.
    package init(
        of candidate: PolicyBundle, _ plan: ReplayPlan, at desk: Desk,
        progress: @escaping (Int64, Int64) throws -> Void = { _, _ in }
    ) throws {
        self.candidate = candidate
        self.plan = plan
        self.progress = progress
        (library, candidateName) = try desk.read { session in
            (try session.settings.library(), try session.policies.name(of: candidate))
        }
        do {
            let selection = try DifferingQuestions(from: candidate, plan, at: desk)
            summary = try desk.replay(candidate, plan, selecting: selection, telling: self)
        } catch is ReplayDoubt {
            forget()
            summary = try desk.replay(candidate, plan, telling: self)
        }
    }

    private func forget() {
        (counts, examples, contradictions, contradictionCount) = (ReplayCounts(), [], [], 0)
        spool = DifferenceSpool()
    }

    /// How many questions were asked, in words; nil where all of them were.
    package var effort: String? {
        let effort = summary.effort
        guard effort.requests.spared + effort.fines.spared + effort.notices.spared > 0 else { return nil }
        func words(_ share: ReplayEffort.Share, _ what: String) -> String { "\(share.asked) of \(share.all) \(what)" }
        return "asked about \(words(effort.requests, "requests")), \(words(effort.fines, "fines")) and"
            + " \(words(effort.notices, "loans in sweeps")): the other answers cannot change by what differs between"
            + " the policies."
    }

    /// Whether an answer, a notice or a fee would be another, or what is stored cannot be trusted to tell.
    package var hasDifferences: Bool { counts.hasDifferences || contradictionCount > 0 }

    package func decided(_ decision: ReplayedDecision) throws {
        counts.add(decision, in: library.zone)
        guard decision.isDifferent else { return }
        if examples.count < Self.mostExamples { examples.append(decision) }
        writer.reset()
        decision.write(to: &writer, currency: library.currency)
        try spool.append(writer.bytes)
    }

    package func settled(_ loan: ReplayedLoan) throws { counts.add(loan) }

    package func contradicted(_ contradiction: ReplayContradiction) throws {
        contradictionCount += 1
        if contradictions.count < Self.mostContradictions { contradictions.append(contradiction) }
    }

    package func progressed(events: Int64, of total: Int64) throws { try progress(events, total) }
}
