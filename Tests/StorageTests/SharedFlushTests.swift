import Circulation
import Dispatch
import Foundation
import Storage
import TestSupport
import Testing

@Suite("Shared flushes of PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct SharedFlushTests {
    @Test("writers that follow one another closely share one wait for the disk")
    func sharedFlush() throws {
        // A disk that takes 100 ms, as far as the server can pretend it, which is longer than all writers' turns on a busy
        // machine; and a server that flushes for committers alone.
        let server = try PostgresServer(
            settings: ["commit_delay = 100000", "commit_siblings = 1", "wal_writer_delay = 10000"])
        let store = try PostgresStore.open(server.url("postgres"), create: true)
        try server.execute("SELECT pg_stat_reset_shared('wal')")
        // Threads of their own: as many as there are, not as many as there are processors.
        let writing = DispatchGroup()
        for writer in 0..<8 {
            writing.enter()
            Thread {
                for number in 0..<20 {
                    _ = try? store.write { try $0.titles.insert(Title(title: "\(writer) \(number)")) }
                }
                writing.leave()
            }.start()
        }
        writing.wait()
        #expect(try store.read { try $0.titles.count() } == 160)
        // Connections report what they did when they end.
        try store.close()
        let synced = try server.execute("SELECT pg_sleep(0.2); SELECT wal_sync FROM pg_stat_wal")
        let count = try #require(synced.first?.first?.flatMap { Int($0) })
        #expect(count > 0 && count <= 80, "\(count) waits for 160 commits")
    }
}
