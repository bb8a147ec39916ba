import Circulation
import Storage
import Testing

@Suite("Recording statements")
struct RecordingTests {
    @Test("a recorder gets the text, the values and the steps of each statement, from BEGIN to COMMIT")
    func recorded() throws {
        try withFolder { (folder) throws in
            let recorder = StatementRecorder()
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true, recorder: recorder)
            defer { try? store.close() }
            let fixture = try store.write { try Fixture($0) }
            _ = recorder.take()

            try store.write { transaction in
                _ = try transaction.copies.setStatus(.lost, of: fixture.copies[0])
            }
            let written = recorder.take()
            #expect(written.map(\.text) == ["BEGIN IMMEDIATE", "UPDATE copies SET status = ? WHERE id = ?", "COMMIT"])
            #expect(written.map(\.values) == [[], [.text("lost"), .integer(fixture.copies[0])], []])

            #expect(try store.read { try $0.copies.of(title: fixture.title).count } == 2)
            let read = recorder.take()
            try #require(read.count == 3)
            #expect(read[0].text == "BEGIN DEFERRED")
            #expect(read[1].values == [.integer(fixture.title)])
            #expect(read[1].steps == 3, "two rows and the end")
            #expect(recorder.take().isEmpty)
        }
    }
    @Test("SQLite keeps no pages for a savepoint before which nothing was changed, and undoes it all the same")
    func savepoints() throws {
        struct Stop: Error {}
        try withFolder { (folder) throws in
            let recorder = StatementRecorder()
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true, recorder: recorder)
            defer { try? store.close() }
            let fixture = try store.write { try Fixture($0) }
            let (first, second) = (fixture.copies[0], fixture.copies[1])
            func part(_ transaction: Transaction, _ status: CopyStatus, of copy: Int64, fails: Bool) throws {
                do {
                    try transaction.savepoint {
                        try transaction.savepoint { try transaction.copies.setStatus(status, of: copy) }
                        if fails { throw Stop() }
                    }
                } catch is Stop {}
            }
            _ = recorder.take()
            try store.write { try part($0, .lost, of: first, fails: false) }
            #expect(!recorder.take().contains { $0.text.hasPrefix("SAVEPOINT") })
            for sharing in [CommitSharing.alone, .shared] {
                try store.write(sharing) { (transaction) throws in
                    try part(transaction, .withdrawn, of: first, fails: true)
                    #expect(try transaction.copies.get(first)?.status == .lost)
                    try part(transaction, .onLoan, of: first, fails: false)
                    try part(transaction, .lost, of: second, fails: true)
                }
                let statuses = try store.read { (transaction) throws in
                    try fixture.copies.map { try transaction.copies.get($0)?.status }
                }
                #expect(statuses == [.onLoan, .available])
                try store.write { try $0.copies.setStatus(.lost, of: first) }
            }
        }
    }
}
