import Circulation
import Desk
import Foundation
import Storage
import TestSupport

/// One checkout a transaction over PostgreSQL, durable when it returns: against a function within the server that runs the
/// same statements.
package enum ServerCheckoutBenchmark {
    package static func measure(_ bench: Bench) throws -> [Figure] {
        guard !PostgresServer.isMissing else {
            throw BenchFailure("what is to be measured over PostgreSQL cannot be: \(PostgresServer.reason)")
        }
        let store = try SampleStore(bench)
        let server = try PostgresServer()
        defer { server.stop() }
        let databases = try ["recorded", "ours", "floor"].map { _ in
            try server.database(like: "library") { try MeasuredStore.copy(store.base.path, to: $0) }
        }
        let urls = databases.map { server.url($0) }
        let batch = max(1, bench.rounds / 20)
        let batches = (bench.rounds + batch - 1) / batch
        let (rounds, requests) = try record(store, urls[0], count: batch * batches)

        let ours = try PostgresStore.open(urls[1])
        let desk = SampleStore.desk(over: ours)
        let floor = try ServerFloor(urls[2])
        try floor.prepare(rounds)
        // Makes the connection, so that its process is there to be asked for its time.
        try desk.read { _ in }
        let clock = try ServerClock(server)
        let others = try BareDesks(bench, count: batch * batches, server: server)
        let race = try Race(batches: batches, units: batch, elsewhere: clock.time, beside: others.lending) { rounds in
            for request in requests[rounds] { try CheckoutBenchmark.lend(request, desk) }
        } floor: { rounds in
            try floor.run(rounds)
        }
        try clock.check()
        try ours.close()
        try compare(server, databases[1], databases[2])
        return [
            Figure(
                name: "one checkout, PostgreSQL, one commit each", ours: race.ours.median,
                floor: race.floors.median, bound: 2, beside: try others.comparisons(race))
        ]
    }

    private static func record(
        _ store: SampleStore, _ url: String, count: Int
    ) throws -> ([[RecordedStatement]], [CheckoutRequest]) {
        let recorder = StatementRecorder()
        let recorded = try PostgresStore.open(url, recorder: recorder)
        let desk = SampleStore.desk(over: recorded)
        let requests = try CheckoutRequests(store.library).allowed(count, by: desk)
        // Settings and policy are read once and kept.
        _ = recorder.take()
        let rounds = try requests.map { request in
            try CheckoutBenchmark.lend(request, desk)
            return recorder.take()
        }
        try recorded.close()
        return (rounds, requests)
    }

    /// Proves that the floor did the same work: the rows that it wrote are ours.
    private static func compare(_ server: PostgresServer, _ ours: String, _ floor: String) throws {
        for (table, columns) in RowComparison.tables {
            let digest = """
                SELECT count(*), md5(string_agg(row_of::text, '|' ORDER BY row_of::text))
                FROM (SELECT \(columns) FROM \(table)) AS row_of
                """
            guard try server.execute(digest, in: ours) == server.execute(digest, in: floor) else {
                throw BenchFailure("the floor wrote other \(table) than we did")
            }
        }
    }
}
