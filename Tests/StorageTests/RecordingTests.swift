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
}
