import Circulation
import Dispatch
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Shared flushes of PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct SharedFlushTests {
    @Test("writers that follow one another wait for the disk together, and none returns before its change is kept")
    func sharedFlush() throws {
        let server = try PostgresServer(settings: ["wal_level = replica"])
        let store = try PostgresStore.open(server.url("postgres"), create: true)
        defer { try? store.close() }
        try server.holdCommits()
        let told = Atomic(0)
        let writing = DispatchGroup()
        // Threads of their own: as many as there are, not as many as there are processors.
        for writer in 0..<8 {
            writing.enter()
            Thread {
                if (try? store.write { try $0.titles.insert(Title(title: "\(writer)")) }) != nil {
                    told.add(1, ordering: .relaxed)
                }
                writing.leave()
            }.start()
        }
        try Waiting.until("each had its turn while the first one still waits") {
            try server.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == [["8"]]
        }
        #expect(told.load(ordering: .relaxed) == 0)
        try server.releaseCommits()
        writing.wait()
        #expect(told.load(ordering: .relaxed) == 8)
        #expect(try store.read { try $0.titles.count() } == 8)
    }
}
