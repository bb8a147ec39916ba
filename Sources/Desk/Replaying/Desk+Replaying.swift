package import Circulation
import Storage

extension Desk {
    /// Puts what was decided in the past to another policy. Reads only; the past is rebuilt from the events in a store of
    /// its own, which keeps what outgrows the memory in a temporary file.
    ///
    /// - Parameters:
    ///   - candidate: the policy that is asked.
    ///   - observer: is told of each answer as it is given; what it throws ends the replay.
    /// - Throws: ``PolicyFailure`` if the candidate is no policy; ``StoreError``; whatever the observer throws.
    package func replay(
        _ candidate: PolicyBundle, _ plan: ReplayPlan, telling observer: any ReplayObserver
    ) throws -> ReplaySummary {
        try shelf.loader.withPolicy(candidate) { policy in
            try store.read { tables in
                let scratch = try SQLiteStore.scratch()
                defer { try? scratch.close() }
                return try scratch.write { folded in
                    let shelf = PolicyShelf(loader: shelf.loader, trial: candidate)
                    return try RecordedReplay(plan, policy, from: tables, ReplayFold(folded, shelf), observer).run()
                }
            }
        }
    }
}
