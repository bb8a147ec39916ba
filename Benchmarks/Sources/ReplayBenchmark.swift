import Circulation
import Desk
import Foundation
import Market
import Scripting
import Storage

/// A replay of all that is recorded, held against applying the same events to the same kind of store without any policy.
/// The bound is one of wall time, since a replay folds on one thread and decides on a second.
package enum ReplayBenchmark {
    /// How many loans are made and brought back; each is two events with what follows from them.
    private static let loans = 50_000

    package static func measure(_ bench: Bench) throws -> [Figure] {
        let store = try SQLiteStore.memory()
        let policy = try ParsedPolicy(
            file: Bench.package.appendingPathComponent("policies/university.lua").path
        ).bundle
        let clock = ManualClock(try Instant(parsing: "2026-01-05T09:00:00Z"))
        let desk = Desk(
            store: store, policies: LuaPolicyLoader(), clock: clock, actor: .desk, extensions: [MarketExtension()])
        try fill(desk, policy, clock, loans: bench.size == .full ? loans : 500)
        let events = try desk.foldEvents()
        let race = try Race(batches: 4, units: Int(events)) { _ in
            let witness = SilentObserver()
            _ = try desk.replay(policy, ReplayPlan(), telling: witness)
            guard witness.differences == 0 else { throw BenchFailure("the replay found \(witness.differences)") }
        } floor: { _ in
            _ = try desk.foldEvents()
        }
        return [
            Figure(
                name: "replay, an event", ours: race.ours.median, floor: race.floors.median, bound: 2, isOfWall: true)
        ]
    }

    private static func fill(_ desk: Desk, _ policy: PolicyBundle, _ clock: ManualClock, loans: Int) throws {
        try desk.prepare()
        try desk.write { session in
            _ = try session.policies.activate(policy)
            for number in 0..<400 {
                _ = try session.patrons.add(
                    Patron(
                        username: "p\(number)", name: "P", surname: "\(number)", category: "patron", homeBranch: "main")
                )
            }
            for number in 0..<1_000 {
                guard case .done(let title) = try session.catalogue.add(Title(title: "Title \(number)")) else {
                    continue
                }
                _ = try session.catalogue.addCopies(of: .id(title.id), count: 3)
            }
        }
        var open: [Int64] = []
        for number in 0..<loans {
            if number % 500 == 499 {
                try clock.advance(microseconds: 86_400_000_000)
                _ = try desk.sweep()
            }
            let request = CheckoutRequest(
                patron: .id(Int64(number % 400) + 1), wanted: .titles([.id(Int64(number * 7 % 1_000) + 1)]))
            if case .done(let made) = try desk.write({ try $0.loans.checkout(request) }) { open += made.map(\.id) }
            if open.count > 1_500 {
                let loan = open.removeFirst()
                _ = try desk.write { try $0.loans.checkin(.id(loan)) }
            }
        }
    }

    private final class SilentObserver: ReplayObserver {
        var differences = 0

        func decided(_ decision: ReplayedDecision) { if decision.isDifferent { differences += 1 } }
        func settled(_ loan: ReplayedLoan) {}
        func contradicted(_ contradiction: ReplayContradiction) { differences += 1 }
        func progressed(events: Int64, of total: Int64) {}
    }
}
