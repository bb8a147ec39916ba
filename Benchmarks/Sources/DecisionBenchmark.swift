import Desk
import Storage

/// One decision with its facts read from the store, nothing written: against the same statements from C.
package enum DecisionBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        let batch = max(1, bench.rounds / 20)
        let batches = (bench.rounds + batch - 1) / batch
        let requests = try CheckoutRequests(store.library).any(batch * batches)
        let path = try store.copy("decision")
        defer { try? SampleStore.remove(path) }
        let script = try record(requests, path)

        let ours = try SQLiteStore.open(.file(path))
        let desk = SampleStore.desk(over: ours)
        let floor = try FloorStore(path: path, isReadOnly: true)
        try floor.prepare(script)
        let race = try Race(batches: batches, units: batch) { rounds in
            for request in requests[rounds] { try ask(request, desk) }
        } floor: { rounds in
            try floor.run(script, rounds)
        }
        try ours.close()
        return [
            Figure(
                name: "one decision, facts read from SQLite", ours: race.ours.median, floor: race.floors.median,
                bound: 2)
        ]
    }

    private static func record(_ requests: [CheckoutRequest], _ path: String) throws -> RecordedScript {
        let recorder = StatementRecorder()
        let recorded = try SQLiteStore.open(.file(path), recorder: recorder)
        let desk = SampleStore.desk(over: recorded)
        // The first request reads settings and policy, which are kept from then on.
        if let first = requests.first { try ask(first, desk) }
        _ = recorder.take()
        var script = RecordedScript()
        for request in requests {
            try ask(request, desk)
            script.append(round: recorder.take())
        }
        try recorded.close()
        return script
    }

    private static func ask(_ request: CheckoutRequest, _ desk: Desk) throws {
        _ = try desk.read { try $0.loans.mayCheckout(request) }
    }
}
