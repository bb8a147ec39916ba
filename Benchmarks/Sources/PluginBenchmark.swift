import Circulation
import Desk
import Foundation
import Plugins
import Scripting
import Storage
import TextFormats
import Threads

/// Plugins: what an event costs that is handled, what those who lend notice of a plugin that works beside them, and how much
/// memory it takes to catch up.
package enum PluginBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        return [try handled(store, bench)] + (try lending(store, bench)) + [try memory(store, bench)]
    }

    // MARK: - An event

    private static let charge =
        "fees.charge { patron = 'reader1', amount = money '0.10', label = 'Handled', key = 'h' .. event.sequence }"

    /// The same Lua, called for the same events by a plugin's worker and in the loop of a script.
    private static func handled(_ store: SampleStore, _ bench: Bench) throws -> Figure {
        let (path, floorPath) = (try store.copy("plugin-ours"), try store.copy("plugin-floor"))
        let (ours, floor) = (try SQLiteStore.open(.file(path)), try SQLiteStore.open(.file(floorPath)))
        let (desk, floorDesk) = (SampleStore.desk(over: ours), SampleStore.desk(over: floor))
        try use(plugin(charge, needs: "'fees.write'"), at: desk)
        let worker = worker(at: desk)
        let units = max(1, bench.rounds / 20)
        var costs: (ours: [Cost], floors: [Cost]) = ([], [])
        for batch in 0..<11 {
            let since = try post(units, "b\(batch)", at: desk)
            let floorSince = try post(units, "b\(batch)", at: floorDesk)
            let text = """
                needs { "fees.write" }
                local rest = \(units)
                for event in store.events { kind = "ledger.posted", since = \(floorSince) } do
                    if rest == 0 then break end
                    rest = rest - 1
                    \(charge)
                end
                """
            let cost = try Cost.measure(units: units) {
                let work = try worker.work()
                guard work.handled == units else {
                    throw BenchFailure("\(work.handled) of \(units) events were handled")
                }
            }
            let floorCost = try Cost.measure(units: units) { try run(text, at: floorDesk) }
            guard since > 0, batch > 0 else { continue }
            costs.ours.append(cost)
            costs.floors.append(floorCost)
        }
        let balances = try [desk, floorDesk].map { desk in
            try desk.read { session in
                try session.fees.balance(of: session.patrons.get(.username("reader1"))?.id ?? 0)
            }
        }
        guard balances[0] == balances[1] else { throw BenchFailure("the loop wrote something else than the plugin") }
        for store in [ours, floor] { try store.close() }
        for name in [path, floorPath] { try SampleStore.remove(name) }
        return Figure(
            name: "an event handled by a plugin, one write", ours: costs.ours.median, floor: costs.floors.median,
            bound: 2)
    }

    private static func run(_ text: String, at desk: Desk) throws {
        let runner = ScriptRunner(desk: desk, clock: { SampleLibrary.now }, output: RecordedOutput())
        let result = runner.run(
            ScriptSource(text: text, name: "loop.lua"), options: ScriptOptions(granted: [.feesWrite]))
        if let failure = result.failure { throw BenchFailure("the loop failed: \(failure.description)") }
    }

    /// Charges one patron after the other, so that none has an account that takes long to add up.
    ///
    /// - Returns: the last event before.
    private static func post(_ count: Int, _ key: String, at desk: Desk) throws -> Int64 {
        try desk.write { session in
            let last = try session.events.last()
            for number in 0..<count {
                let label = "\(key) \(number)"
                _ = try session.fees.charge(
                    .username(SampleLibrary.username(2 + number)), amount: Money(minorUnits: 10, currency: .eur),
                    label: label, key: label)
            }
            return last
        }
    }

    // MARK: - Those who lend

    /// What a plugin does about each loan while others go on.
    private static let doings: [(name: String, body: String)] = [
        ("handles each", "state.set('last', event.sequence)"), ("loops", "while true do end"),
        ("throws", "error('broken')"),
    ]

    /// How long 99 of 100 checkouts take at most, beside a plugin and without one, by turns.
    private static func lending(_ store: SampleStore, _ bench: Bench) throws -> [Figure] {
        try doings.map { doing in
            let paths = (ours: try store.copy("plugin-lending"), floor: try store.copy("plugin-alone"))
            let (ours, floor) = (try SQLiteStore.open(.file(paths.ours)), try SQLiteStore.open(.file(paths.floor)))
            // As the server has them.
            let desk = SampleStore.desk(over: ours).sharingCommits()
            let floorDesk = SampleStore.desk(over: floor).sharingCommits()
            try use(plugin(doing.body, event: "loan.made"), at: desk)
            let batch = max(1, bench.rounds / 10)
            let requests = try CheckoutRequests(store.library).allowed(batch * 5, by: floorDesk)
            var times: (ours: [Double], floors: [Double]) = ([], [])
            for start in stride(from: 0, to: requests.count, by: batch) {
                let part = requests[start..<start + batch]
                times.floors += try lend(part, floorDesk)
                try beside(desk) { times.ours += try lend(part, desk) }
            }
            for store in [ours, floor] { try store.close() }
            for name in [paths.ours, paths.floor] { try SampleStore.remove(name) }
            let costs = [times.ours, times.floors].map { Cost(cpu: slowest(of: $0), wall: slowest(of: $0)) }
            return Figure(
                name: "a checkout while a plugin \(doing.name), 99th percentile", ours: costs[0], floor: costs[1],
                bound: 1.1, isOfWall: true)
        }
    }

    /// The 99th percentile.
    private static func slowest(of times: [Double]) -> Double {
        let sorted = times.sorted()
        return sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    }

    private static func lend(_ requests: ArraySlice<CheckoutRequest>, _ desk: Desk) throws -> [Double] {
        try requests.map { request in
            try Cost.measure(units: 1) {
                let outcome = try desk.write { try $0.loans.checkout(request) }
                if let refusal = outcome.refusal { throw BenchFailure("a checkout was refused: \(refusal.reasons)") }
            }.wall
        }
    }

    /// Runs the body while a worker carries plugins out, as the server does.
    private static func beside(_ desk: Desk, _ body: () throws -> Void) throws {
        let stop = StopRequest()
        let thread = WorkerThread(name: "plugins") {
            worker(at: desk).watch(
                isStopped: { stop.signal != nil },
                wait: { pause in
                    Thread.sleep(forTimeInterval: min(0.05, pause / .seconds(1)))
                    return stop.signal == nil
                }, tell: { _ in })
        }
        guard let thread else { throw BenchFailure("the system grants no thread") }
        defer {
            stop.make(15)
            thread.join()
        }
        try body()
    }

    // MARK: - Catching up

    /// Ten times as many events that wait.
    private static func memory(_ store: SampleStore, _ bench: Bench) throws -> Figure {
        let most = bench.size.openLoans
        let peaks = try [most / 10, most].map { count in
            let path = try store.copy("plugin-memory")
            defer { try? SampleStore.remove(path) }
            let opened = try SQLiteStore.open(.file(path))
            let desk = SampleStore.desk(over: opened)
            try use(plugin("state.set('last', event.sequence)"), at: desk)
            for start in stride(from: 0, to: count, by: 10_000) {
                _ = try post(min(10_000, count - start), "m\(start)", at: desk)
            }
            try opened.close()
            return try Program.moonshelf([
                "--store", "sqlite:\(path)", "--now", "\(SampleLibrary.now)", "plugin", "work", "--until-done",
                "--json",
            ]).peak()
        }
        return Figure(
            name: "memory to catch up with ten times the events", bytes: peaks[1], floor: peaks[0], bound: .times(1.2))
    }

    // MARK: - Plugins

    private static func plugin(_ body: String, event: String = "ledger.posted", needs: String = "") -> String {
        """
        return plugin {
            api = 1, name = "bench", version = "1", needs = { \(needs) },
            on = { ["\(event)"] = function(event) \(body) end },
        }
        """
    }

    private static func use(_ source: String, at desk: Desk) throws {
        let bundle = try ParsedPolicy(name: PluginFolder.mainName, source: source).bundle
        let needs = PluginCheck(bundle).manifest.needs.map(\.rawValue)
        let candidate = PluginCandidate(bundle: bundle, name: "bench", version: "1", needs: needs, settings: [:])
        if let refusal = try desk.write({ try $0.plugins.use(candidate, allowing: Set(needs)) }).refusal {
            throw BenchFailure("the plugin was refused: \(refusal.message)")
        }
    }

    private static func worker(at desk: Desk) -> PluginWorker {
        let clock = FixedClock(SampleLibrary.now)
        return PluginWorker(
            desk: desk, clock: clock, identity: .init(owner: "bench", machine: clock) { _ in .present },
            output: RecordedOutput())
    }
}
