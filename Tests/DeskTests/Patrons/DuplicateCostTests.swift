import Circulation
import Desk
import Storage
import Testing

/// What looking through patrons for likely duplicates costs, over one store alone: the statements are the same over all.
@Suite("What it costs to look for patrons who are registered twice")
struct DuplicateCostTests {
    @Test("twelve hundred of one birthday are a few statements, and the two of one name far apart are found")
    func bounded() throws {
        let recorder = StatementRecorder()
        let folder = try ScratchFolder()
        let store = try SQLiteStore.open(.file(folder.path + "/desk.db"), create: true, recorder: recorder)
        defer { try? store.close() }
        let library = try Library(store: store)
        let day = try CivilDate(parsing: "1900-01-01")
        try library.desk.write { session in
            for number in 0..<1_200 {
                // Names that are like no other.
                let name = String(number * 2_654_435_761 % 4_294_967_296, radix: 36)
                let surname = String(number * 40_503_977 % 2_147_483_647, radix: 36)
                var patron = Patron(
                    username: "r\(number)", name: name, surname: "R\(surname)", category: "patron",
                    homeBranch: "main")
                if number == 5 { (patron.name, patron.surname) = ("Ada", "Hall") }
                if number == 1_005 { (patron.name, patron.surname) = ("Hall", "Ada") }
                patron.birthDate = day
                _ = try session.patrons.add(patron).get()
            }
        }
        _ = recorder.take()
        let part = try library.desk.read { try $0.patrons.duplicates(limit: 1_000) }
        let statements = recorder.take()
        #expect(part.found.map(\.patron.username) == ["r1005"] && part.found.map(\.other.username) == ["r5"])
        // Three pages of the birthday, three questions for equal names, the one who was found, and the addresses.
        #expect(statements.count <= 14, "\(statements.count): \(statements)")
    }
}
