package import Circulation
import Storage
import TextFormats

/// A policy beside the one in force: it is put to what the decision log has, after the fact, so that no request waits for it and
/// nothing of it can harm a loan.
package struct ShadowService {
    let session: DeskSession

    private var transaction: Transaction { session.transaction }

    /// Puts a policy beside the one in force, in place of any other that stands there. Refused with `policy_failed` if the bundle
    /// is not a policy.
    package func begin(_ bundle: PolicyBundle, note: String = "") throws -> Outcome<ShadowPolicy> {
        try session.request("policies.shadow") {
            guard session.shelf.loader.digest(of: bundle.files) == bundle.sha256 else {
                throw DeskError.input("sha256", "The bundle's SHA-256 is not that of its files.")
            }
            let shadow = ShadowPolicy(
                policy: bundle.sha256, name: try session.policies.loading(bundle), note: note,
                actor: session.actor.name, since: session.now, start: try transaction.events.lastSequence())
            try transaction.policies.insert(bundle)
            try transaction.settings.keep(shadow.json.text(), for: ShadowPolicy.setting)
            try transaction.settings.keep(nil, for: ShadowProgress.setting)
            return shadow
        }
    }

    /// Takes it away again, with what is known of its differences. Refused with `no_policy` if there is none.
    package func end() throws -> Outcome<ShadowPolicy> {
        try session.request("policies.shadow") {
            guard let shadow = try current() else {
                throw Refused("no_policy", "No policy stands beside the one in force.")
            }
            try transaction.settings.keep(nil, for: ShadowPolicy.setting)
            try transaction.settings.keep(nil, for: ShadowProgress.setting)
            return shadow
        }
    }

    /// The policy beside the one in force; nil where there is none.
    package func current() throws -> ShadowPolicy? {
        try transaction.settings.value(ShadowPolicy.setting).map { try ShadowPolicy($0) }
    }

    /// How far it has come.
    package func progress(of shadow: ShadowPolicy) throws -> ShadowProgress {
        try ShadowProgress(transaction.settings.value(ShadowProgress.setting), of: shadow)
    }

    /// What it decides otherwise, the latest last: each is decided once more.
    ///
    /// - Parameters:
    ///   - place: only those behind it in the decision log.
    ///   - limit: the latest so many.
    package func differences(
        of shadow: ShadowPolicy, after place: Int64 = 0, limit: Int = ShadowProgress.mostKept
    ) throws -> [ShadowDifference] {
        let places = try progress(of: shadow).differences.filter { $0 > place }.suffix(limit)
        guard !places.isEmpty else { return [] }
        return try session.policies.withPolicy(shadow.policy) { policy in
            try places.compactMap { place in
                try transaction.decisions.page(after: place - 1, limit: 1).first
                    .flatMap { $0.id == place ? try difference($0, by: policy) : nil }
            }
        } ?? []
    }

    // MARK: - Deciding

    /// Looks at the next decisions of the log, on a snapshot of it.
    ///
    /// - Parameters:
    ///   - most: so many of them.
    ///   - isOver: asked after each; where it is true, the rest is left for another time.
    /// - Returns: how far it has come then; nil where none waits.
    func looked(
        _ shadow: ShadowPolicy, from progress: ShadowProgress, most: Int64, isOver: () -> Bool
    ) throws -> ShadowProgress? {
        let records = try transaction.decisions.page(after: progress.position, limit: most)
        if records.isEmpty { return nil }
        return try session.policies.withPolicy(shadow.policy) { policy in
            var progress = progress
            for record in records {
                if let found = try difference(record, by: policy) {
                    progress.add(record.id, hasFailed: found.failure != nil)
                }
                progress.position = record.id
                progress.decided += 1
                if isOver() { break }
            }
            return progress
        }
    }

    /// Nil where it decides alike, and for a case that cannot be read.
    private func difference(_ record: DecisionRecord, by policy: any LendingPolicy) throws -> ShadowDifference? {
        guard record.policy != nil, let before = try? ReplayedAnswer(record, countingFines: true),
            var question = try? Case(recorded: record)
        else { return nil }
        // The log keeps no calendar, and what is decided now was decided by this one.
        let settings = try session.settingsSnapshot()
        question.calendar = settings.branch(question.branch)?.calendar ?? .alwaysOpen
        // What the one in force did not read was not gathered then, and is as it was before the decision.
        question = try CaseBuilder(session: session).completed(question, beforehand: policy)
        let decision = policy.decide(question)
        let after = ReplayedAnswer(decision, countingFines: true)
        guard !before.isSame(as: after), let event = try transaction.events.get(record.event) else { return nil }
        return ShadowDifference(
            place: record.id, event: record.event, at: event.at, point: question.point,
            category: question.patron.category, itemType: question.copy?.itemTypes.first, branch: question.branch,
            before: before, after: after, failure: decision.failure)
    }
}

/// A decision that the shadow makes otherwise.
package struct ShadowDifference: Hashable, Sendable {
    /// Its place in the decision log.
    package let place: Int64
    package let event: Int64
    package let at: Instant
    package let point: DecisionPoint
    package let category: String
    package let itemType: String?
    package let branch: String
    package let before: ReplayedAnswer
    package let after: ReplayedAnswer
    /// Why the shadow could not decide.
    package let failure: PolicyFailure?
}

extension Desk {
    /// Has the shadow, if there is one, look at what was decided since it last did: in batches, outside of any turn to write, in
    /// which it only keeps how far it has come. Several may do so at once; each decision counts once.
    ///
    /// - Parameter isStopped: asked between batches.
    /// - Returns: how many decisions were looked at.
    package func followShadow(isStopped: () -> Bool = { false }) throws -> Int64 {
        var looked: Int64 = 0
        while !isStopped() {
            let end = ContinuousClock.now + Self.shadowBatchTime
            let found = try read { session -> (ShadowPolicy, ShadowProgress, ShadowProgress)? in
                guard let shadow = try session.shadow.current() else { return nil }
                let before = try session.shadow.progress(of: shadow)
                let after = try session.shadow.looked(shadow, from: before, most: 500) { ContinuousClock.now > end }
                return after.map { (shadow, before, $0) }
            }
            guard let (shadow, before, after) = found else { break }
            try write { session in
                // Another process was faster, or it stands there no more.
                guard try session.shadow.current() == shadow, try session.shadow.progress(of: shadow) == before else {
                    return
                }
                try session.transaction.settings.keep(after.json(of: shadow).text(), for: ShadowProgress.setting)
            }
            looked += after.decided - before.decided
        }
        return looked
    }

    private static let shadowBatchTime = Duration.milliseconds(200)
}
