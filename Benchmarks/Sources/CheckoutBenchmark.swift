import Circulation
import Desk
import Storage

/// One checkout a transaction, durable when it returns: all of the desk's work against its statements alone.
package enum CheckoutBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        let batch = max(1, bench.rounds / 20)
        let batches = (bench.rounds + batch - 1) / batch
        let (script, requests) = try record(store, count: batch * batches)

        let path = try store.copy("checkout-ours")
        let ours = try SQLiteStore.open(.file(path))
        let desk = SampleStore.desk(over: ours)
        let floorPath = try store.copy("checkout-floor")
        let floor = try FloorStore(
            path: floorPath, settings: "PRAGMA foreign_keys = ON; " + SQLiteStore.writingSettings)
        try floor.prepare(script)

        let others = try BareDesks(bench, count: batch * batches, server: try bench.server())
        let race = try Race(batches: batches, units: batch, beside: others.lending) { rounds in
            for request in requests[rounds] { try lend(request, desk) }
        } floor: { rounds in
            try floor.run(script, rounds)
        }
        try ours.close()
        try RowComparison.check(floor, against: path)
        for name in [path, floorPath] { try SampleStore.remove(name) }
        return [
            Figure(
                name: "one checkout, SQLite, one commit each", ours: race.ours.median, floor: race.floors.median,
                bound: 1.5, beside: try others.comparisons(race))
        ]
    }

    /// What the driver runs for each request, and the proof that running it from C writes the same rows.
    private static func record(_ store: SampleStore, count: Int) throws -> (RecordedScript, [CheckoutRequest]) {
        let path = try store.copy("checkout-recorded")
        defer { try? SampleStore.remove(path) }
        let recorder = StatementRecorder()
        let recorded = try SQLiteStore.open(.file(path), recorder: recorder)
        let desk = SampleStore.desk(over: recorded)
        let requests = try CheckoutRequests(store.library).allowed(count, by: desk)
        _ = recorder.take()
        var script = RecordedScript()
        for request in requests {
            try lend(request, desk)
            script.append(round: recorder.take())
        }
        try recorded.close()
        return (script, requests)
    }

    static func lend(_ request: CheckoutRequest, _ desk: Desk) throws {
        let outcome = try desk.write { try $0.loans.checkout(request) }
        if let refusal = outcome.refusal { throw BenchFailure("a checkout was refused: \(refusal.reasons)") }
    }
}
