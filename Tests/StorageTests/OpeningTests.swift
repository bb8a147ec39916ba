import Circulation
import Foundation
import Testing

@testable import Storage

@Suite("Opening an SQLite file")
struct OpeningTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func code(_ path: String, mode: SQLiteStore.Mode = .readWrite, create: Bool = false) -> StoreError.Code? {
        storeErrorCode { try SQLiteStore.open(.file(path), mode: mode, create: create).close() }
    }

    @Test("a missing file is an error unless it may be made")
    func missing() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            #expect(code(path) == .cannotOpen)
            #expect(code(path, mode: .readOnly, create: true) == .cannotOpen)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(code(path, create: true) == nil)
            #expect(code(path) == nil)
            #expect(code(path, mode: .readOnly) == nil)
        }
    }

    /// How many locks this process has on a file, as the kernel says.
    private func locks(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        let held = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        return held.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.contains("POSIX") && words.contains("\(getpid())")
                && words.contains { $0.hasSuffix(":\(status.st_ino)") }
        }
    }

    @Test("a file that this process has open keeps its locks, whatever opens it again or looks at it")
    func locks() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let first = try SQLiteStore.open(.file(path), create: true)
            _ = try first.read { try $0.settings.library() }
            let before = try locks(path)
            #expect(before > 0)
            let second = try SQLiteStore.open(.file(path))
            #expect(try locks(path) == before)
            #expect(SQLiteFile.nature(of: path) == .store)
            try second.close()
            #expect(try locks(path) == before)
            try first.close()
            #expect(try locks(path) == 0)
            // Closed by all, it is looked at again.
            try Data(count: 200).write(to: URL(filePath: path))
            #expect(code(path) == .notAStore)
        }
    }

    @Test("a folder that is not there cannot be written to")
    func missingFolder() throws {
        try withFolder { (folder) throws in
            #expect(code(folder + "/no/library.db", create: true) == .cannotWrite)
        }
    }

    @Test("what is not a store is refused and left as it is")
    func foreignFiles() throws {
        try withFolder { (folder) throws in
            let text = folder + "/notes.txt"
            try "Just a few notes.\n".write(toFile: text, atomically: true, encoding: .utf8)
            let long = folder + "/long.txt"
            try String(repeating: "SQLite ", count: 100).write(toFile: long, atomically: true, encoding: .utf8)
            let empty = folder + "/empty"
            try Data().write(to: URL(fileURLWithPath: empty))
            for path in [text, long] {
                let before = FileManager.default.contents(atPath: path)
                #expect(code(path) == .notAStore)
                #expect(code(path, create: true) == .notAStore)
                #expect(code(path, mode: .readOnly) == .notAStore)
                #expect(FileManager.default.contents(atPath: path) == before)
            }
            #expect(code(empty) == .notAStore)
            #expect(code(empty, create: true) == nil)
            #expect(code(folder, create: true) == .notAStore)
        }
    }

    @Test("another program's SQLite database is refused and left as it is", arguments: [0, 1_196_444_487])
    func foreignDatabase(mark: Int) throws {
        try withFolder { (folder) throws in
            let path = folder + "/other.db"
            // The one session that knows no schema: SQLite itself.
            let session = try SQLiteSession(path: path)
            try session.use { connection in
                try connection.execute(
                    script: "CREATE TABLE songs (name TEXT); PRAGMA application_id = \(mark); PRAGMA user_version = 3;")
            }
            try session.close()
            let before = FileManager.default.contents(atPath: path)
            #expect(code(path) == .notAStore)
            #expect(code(path, create: true) == .notAStore)
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test("a store of a newer version is refused, one of an older version asks to be migrated")
    func versions() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true)
            try store.withWritingConnection { try $0.execute(script: "PRAGMA user_version = 4711") }
            try store.close()
            #expect(code(path) == .newer)
            #expect(code(path, create: true) == .newer)
            #expect(code(path, mode: .readOnly) == .newer)
        }
    }

    @Test("a damaged file is found damaged, not trusted")
    func damage() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true)
            try store.write { try Fixture($0) }
            try store.close()
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try handle.seek(toOffset: 4096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 8192))
            try handle.close()
            let code = storeErrorCode {
                let store = try SQLiteStore.open(.file(path))
                defer { try? store.close() }
                try store.read { (transaction) throws in
                    let findings = try transaction.integrity.findings()
                    if !findings.isEmpty { throw StoreError.corrupt("found") }
                }
            }
            #expect(code == .corrupt)
        }
    }

    @Test("store, log and shared memory are the owner's alone, also where they were not")
    func permissions() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true)
            try store.write { try Fixture($0) }
            for name in [path, path + "-wal", path + "-shm"] {
                #expect(try mode(name) == 0o600, "\(name)")
            }
            try store.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try SQLiteStore.open(.file(path)).close()
            #expect(try mode(path) == 0o600)
        }
    }

    @Test("commits are durable, references enforced and deleted data erased on the connection that writes")
    func settingsInForce() throws {
        try withFolder { (folder) throws in
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true)
            defer { try? store.close() }
            // Also after writing, since the setting was once seen to be put back.
            try store.write { try Fixture($0) }
            try store.withWritingConnection { (connection) throws in
                #expect(try connection.integer("PRAGMA synchronous") == 2)
                #expect(try connection.texts("PRAGMA journal_mode") == ["wal"])
                #expect(try connection.integer("PRAGMA foreign_keys") == 1)
                #expect(try connection.integer("PRAGMA secure_delete") == 1)
                #expect(try connection.integer("PRAGMA application_id") == 0x4D6E_7368)
                // What savepoints need to undo their changes is in no file.
                #expect(try connection.integer("PRAGMA temp_store") == 2)
            }
        }
    }

    @Test("what was written is there when the store is opened again")
    func reopening() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let first = try SQLiteStore.open(.file(path), create: true)
            let fixture = try first.write { try Fixture($0) }
            try first.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            let second = try SQLiteStore.open(.file(path), mode: .readOnly)
            defer { try? second.close() }
            #expect(try second.read { try $0.titles.get(fixture.title)?.title } == "Emma")
        }
    }

    @Test("opening again with create changes nothing")
    func migrationIsOnce() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let first = try SQLiteStore.open(.file(path), create: true)
            try first.write { try Fixture($0) }
            try first.close()
            let second = try SQLiteStore.open(.file(path), create: true)
            defer { try? second.close() }
            #expect(try second.read { try $0.copies.count() } == 2)
        }
    }

    @Test("eight threads that make the same store at once all get it")
    func racingCreation() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/storage-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/library.db"
        let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask { storeErrorCode { try SQLiteStore.open(.file(path), create: true).close() } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == nil }, "\(codes)")
    }

    @Test("a PostgreSQL address is not opened as a file")
    func postgres() {
        #expect(storeErrorCode { _ = try SQLiteStore.open(.postgres("postgres://host/x")) } == .badLocation)
    }

    @Test("what was deleted is nowhere in the files after its traces were erased")
    func erasure() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            let fixture = try store.write { try Fixture($0) }
            try store.write { (transaction) throws in
                var patron = try #require(try transaction.patrons.get(fixture.patron))
                patron.email = "quetzalcoatlus@example.org"
                patron.surname = "Xochiquetzal"
                try transaction.patrons.update(patron)
            }
            try store.write { _ = try $0.patrons.remove(fixture.patron) }
            try store.eraseTraces()
            for name in [path, path + "-wal"] {
                let bytes = FileManager.default.contents(atPath: name) ?? Data()
                for word in ["quetzalcoatlus", "Xochiquetzal", "xochiquetzal"] {
                    #expect(bytes.firstRange(of: Data(word.utf8)) == nil, "\(word) in \(name)")
                }
            }
        }
    }
}
