import Circulation
import Desk
import Foundation
import Scripting
import Storage

/// Checkouts with a policy beside the one in force that is asked about each of them, held against the same without
/// one. What it costs falls on whoever reads on in the log of decisions; here both share a thread.
package enum ShadowBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SampleStore(bench)
        let batch = max(1, bench.rounds / 20)
        let batches = (bench.rounds + batch - 1) / batch
        let paths = try ["shadow-ours", "shadow-floor"].map { try store.copy($0) }
        let stores = try paths.map { try SQLiteStore.open(.file($0)) }
        let (ours, floor) = (SampleStore.desk(over: stores[0]), SampleStore.desk(over: stores[1]))
        let requests = try CheckoutRequests(store.library).allowed(batch * batches, by: floor)
        let shadow = try shadow()
        _ = try ours.write { try $0.shadow.begin(shadow) }
        _ = try ours.followShadow()
        var followed: Int64 = 0
        let race = try Race(batches: batches, units: batch) { rounds in
            for request in requests[rounds] { try CheckoutBenchmark.lend(request, ours) }
            followed += try ours.followShadow()
        } floor: { rounds in
            for request in requests[rounds] { try CheckoutBenchmark.lend(request, floor) }
        }
        guard followed >= Int64(requests.count) else { throw BenchFailure("the shadow was asked \(followed) times") }
        for store in stores { try store.close() }
        for path in paths { try SampleStore.remove(path) }
        return [
            Figure(
                name: "one checkout with a shadow, SQLite", ours: race.ours.median, floor: race.floors.median,
                bound: 1.1)
        ]
    }

    /// The policy in force but for the limit of films.
    private static func shadow() throws -> PolicyBundle {
        let name = "university.lua"
        let policy = try ParsedPolicy(file: Bench.package.appendingPathComponent("policies/\(name)").path)
        let source = policy.bundle.files.first?.source ?? ""
        let changed = source.replacing("{ \"dvd\", \"bluray\" }, max = 3", with: "{ \"dvd\", \"bluray\" }, max = 2")
        guard changed != source else { throw BenchFailure("the shadow is the policy in force") }
        return policy.replacing(name, with: changed).bundle
    }
}
