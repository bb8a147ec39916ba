package import Circulation
import Storage

extension Desk {
    /// Puts what was decided in the past to another policy. Reads only; the past is rebuilt from the events in a store
    /// of its own, which keeps what outgrows the memory in a temporary file.
    ///
    /// - Parameters:
    ///   - candidate: the policy that is asked.
    ///   - selection: what can only be answered as it was; nil: everything is asked, as with
    ///     ``ReplayPlan/Mode/candidate``, where what was decided before may change any case.
    ///   - lookingAtSweeps: whether loans are looked at in sweeps even where no notice can differ.
    ///   - observer: called with each answer as it is given; an error that it throws ends the replay.
    /// - Throws: ``PolicyFailure`` if the candidate is not a policy; ``ReplayDoubt`` where the selection is at odds
    ///   with the log; ``StoreError``; whatever the observer throws.
    package func replay(
        _ candidate: PolicyBundle, _ plan: ReplayPlan, selecting selection: (any ReplaySelection)? = nil,
        lookingAtSweeps: Bool = false, telling observer: any ReplayObserver
    ) throws -> ReplaySummary {
        let fields = try read { try $0.fieldsOfPolicies() }
        return try shelf.loader.withPolicy(candidate, fields) { policy in
            try store.read { tables in
                let scratch = try SQLiteStore.scratch()
                defer { try? scratch.close() }
                return try scratch.write { folded in
                    let shelf = PolicyShelf(loader: shelf.loader, trial: candidate, fields: fields)
                    switch plan.mode {
                    case .recorded:
                        let fold = ReplayFold(folded, shelf, known: FoldedFacts(folded))
                        let questions = SelectedQuestions(
                            selection, try tables.policies.begun(by: .latest), looksAtSweeps: lookingAtSweeps)
                        return try RecordedReplay(plan, policy, questions, from: tables, fold, observer).run()
                    case .candidate:
                        let fold = ReplayFold(folded, shelf)
                        return try SimulatedReplay(plan, policy, candidate, from: tables, fold, observer).run()
                    }
                }
            }
        }
    }

    /// Applies all events to a scratch store, without asking any policy: what a replay is held against.
    ///
    /// - Returns: how many there were.
    package func foldEvents() throws -> Int64 {
        try store.read { tables in
            let scratch = try SQLiteStore.scratch()
            defer { try? scratch.close() }
            return try scratch.write { folded in
                var count: Int64 = 0
                try tables.events.forEach { record in
                    _ = try Event(record).body().applied(to: folded)
                    count += 1
                    return true
                }
                return count
            }
        }
    }
}
