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
    /// Where it is not known what the candidate can answer otherwise, so that everything is asked.
    package private(set) var unknown: [UnknownDifference] = []
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
        let selection = try DifferingQuestions(from: candidate, plan, at: desk)
        unknown = selection?.unknown ?? []
        do {
            try run(selection, at: desk)
        } catch let doubt as ReplayDoubt where doubt.reason == .sweep {
            forget()
            try run(selection, at: desk, lookingAtSweeps: true)
        }
    }

    private func run(_ selection: DifferingQuestions?, at desk: Desk, lookingAtSweeps: Bool = false) throws {
        do {
            summary = try desk.replay(
                candidate, plan, selecting: selection, lookingAtSweeps: lookingAtSweeps, telling: self)
        } catch let doubt as ReplayDoubt where doubt.reason == .answer {
            forget()
            unknown = [
                UnknownDifference(message: "What is recorded of event \(doubt.event) is not what its version answers.")
            ]
            summary = try desk.replay(candidate, plan, telling: self)
        }
    }

    private func forget() {
        (counts, examples, contradictions, contradictionCount) = (ReplayCounts(), [], [], 0)
        spool = DifferenceSpool()
    }

    /// How many questions were asked, where not all of them were, and of what nothing is known, as sentences.
    package var effort: [String] {
        let reasons = unknown.map(\.words)
        let effort = summary.effort
        guard effort.requests.spared + effort.fines.spared + effort.notices.spared > 0 else { return reasons }
        func words(_ share: ReplayEffort.Share, _ what: String) -> String { "\(share.asked) of \(share.all) \(what)" }
        let asked =
            "asked about \(words(effort.requests, "requests")), \(words(effort.fines, "fines")) and"
            + " \(words(effort.notices, "loans in sweeps")): the other answers cannot change by what differs between"
            + " the policies."
        return [asked] + reasons
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
