import Circulation
import Desk
import Storage

/// Sweeps: of the sample library as it is, against the same statements; of ten times as many loans, against reading them and
/// inserting what came of it; and how much more memory the larger one takes.
package enum SweepBenchmark {
    /// Loans that share a transaction. Pages that are as long as a time allows would not be the same twice.
    private static let pageSize: Int64 = 500

    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        return [try overdueRun(store, bench), try largeSweep(store), try memory(store)]
    }

    private static func overdueRun(_ store: SampleStore, _ bench: Bench) throws -> Figure {
        let others = try BareDesks(bench, count: 0, server: try bench.server())
        let race = try race(
            store, "overdue", batches: 3, beside: others.reminding, make: { try store.copy($0) }
        ) { $0 }
        return Figure(
            name: "overdue run of \(store.library.size.openLoans) loans, a loan", ours: race.ours.median,
            floor: race.floors.median, bound: .times(2), beside: try others.comparisons(race))
    }

    private static func largeSweep(_ store: SampleStore) throws -> Figure {
        let grown = try store.grown(.loans)
        let race = try race(store, "sweep", batches: 1, make: { try store.copy($0, of: grown) }) { statements in
            statements.filter { statement in
                ["BEGIN", "INSERT", "COMMIT"].contains { statement.text.hasPrefix($0) }
                    || statement.text.contains("FROM loans") && statement.text.contains("ORDER BY due_at, id LIMIT")
            }
        }
        return Figure(
            name: "sweep of \(store.library.size.openLoans * SampleStore.growth) loans, a loan",
            ours: race.ours.median, floor: race.floors.median, bound: .times(3))
    }

    /// - Parameters:
    ///   - make: a fresh copy of the store, by its name.
    ///   - kept: which of a page's statements the floor runs.
    private static func race(
        _ store: SampleStore, _ name: String, batches: Int, beside others: [Racer] = [],
        make: (String) throws -> String, keeping kept: ([RecordedStatement]) -> [RecordedStatement]
    ) throws -> Race {
        let recorded = try make("\(name)-recorded")
        let (script, loans) = try record(recorded, kept)
        try SampleStore.remove(recorded)
        let paths = try (0..<batches).map {
            (ours: try make("\(name)-ours-\($0)"), floor: try make("\(name)-floor-\($0)"))
        }
        defer { for path in paths { for name in [path.ours, path.floor] { try? SampleStore.remove(name) } } }
        let units = loans
        let race = try Race(batches: batches, warmUp: 0, units: units, beside: others) { range in
            let opened = try SQLiteStore.open(.file(paths[range.lowerBound / units].ours))
            let report = try SampleStore.desk(over: opened).sweep(pageSize: pageSize)
            guard report.failed == 0 else { throw BenchFailure("\(report.failed) loans failed in a sweep") }
            try opened.close()
        } floor: { range in
            let floor = try FloorStore(
                path: paths[range.lowerBound / units].floor, settings: SQLiteStore.writingSettings)
            try floor.prepare(script)
            try floor.run(script, 0..<script.rounds)
        }
        if let last = paths.last {
            try RowComparison.check(try FloorStore(path: last.floor), against: last.ours, RowComparison.ofSweep)
        }
        return race
    }

    /// - Returns: what a sweep runs, page by page, and how many open loans there are.
    private static func record(
        _ path: String, _ kept: ([RecordedStatement]) -> [RecordedStatement]
    ) throws -> (RecordedScript, loans: Int) {
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(.file(path), recorder: recorder)
        _ = recorder.take()
        var script = RecordedScript()
        let report = try SampleStore.desk(over: store).sweep(pageSize: pageSize) { _ in
            script.append(round: kept(recorder.take()))
        }
        try store.close()
        guard report.notices > 0, report.charges > 0 else { throw BenchFailure("a sweep did nothing") }
        let loans = try FloorStore(path: path).number("SELECT count(*) FROM loans WHERE returned_at IS NULL")
        return (script, Int(loans))
    }

    /// What the command takes for loans ten times as many, with overdue ones ten times as many.
    private static func memory(_ store: SampleStore) throws -> Figure {
        let peaks = try [SampleStore.Growth.dues, .loans].map { growth in
            let path = try store.copy("memory", of: store.grown(growth))
            defer { try? SampleStore.remove(path) }
            return try Program.moonshelf([
                "--store", "sqlite:\(path)", "--now", "\(SampleLibrary.now)", "notices", "sweep", "--json",
            ]).peak()
        }
        return Figure(
            name: "memory of a sweep, ten times the loans", bytes: peaks[1], floor: peaks[0], bound: .times(1.2))
    }
}
