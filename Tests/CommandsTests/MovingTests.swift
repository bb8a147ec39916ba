import Circulation
import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Copies, backups and what they bring back")
struct MovingTests {
    /// Lends, renews, takes back, fines, reserves, blocks and changes settings.
    static let day = """
        needs { "loans.write", "patrons.write", "fees.write", "settings.write", "catalogue.write", "notifications.write" }

        local lent = {}
        for number = 1, 4 do
            lent[number] = assert(loans.checkout{ patron = "p" .. number, isbn = "\(SmallLibrary.odyssey)" })
        end
        assert(loans.set_due{ loan = lent[1], due = date "2026-01-26", reason = "exam" })
        assert(loans.checkin{ loan = lent[2] })
        loans.checkout{ patron = "p5", isbn = "\(SmallLibrary.emma)" }
        loans.checkout{ patron = "p6", isbn = "\(SmallLibrary.emma)" }
        assert(holds.place{ patron = "p7", title = "\(SmallLibrary.emma)" })
        assert(fees.charge{ patron = "p3", amount = money "2.50", label = "lost card" })
        assert(fees.pay{ patron = "p3", amount = money "1.00" })
        assert(patrons.block{ patron = "p8", kind = "manual", reason = "left" })
        assert(calendar.close{ from = date "2026-12-24", to = date "2026-12-26" })
        """

    /// A library in which something of everything has happened.
    static func usedLibrary(_ store: StoreChoice = .file) throws -> SmallLibrary {
        let library = try SmallLibrary(store)
        try library.folder.write(day, to: "day.lua")
        let done = try library.run(
            "--now", "2026-01-05T10:00:00Z", "run", "--allow",
            "loans.write,patrons.write,fees.write,settings.write,catalogue.write,notifications.write", "day.lua")
        let swept = try library.run("notices", "sweep", "--now", "2026-02-10T10:00:00Z")
        guard done.status == 0, swept.status == 0 else { throw SmallLibrary.NotMade(result: done) }
        return library
    }

    /// What an export of a store holds.
    static func export(_ library: borrowing SmallLibrary, _ store: String? = nil) throws -> String {
        let result = try library.command.run((store.map { ["--store", $0] } ?? []) + ["export", "-"])
        guard result.status == 0 else { throw SmallLibrary.NotMade(result: result) }
        return result.output
    }

    /// The files of its folder, without the logs of stores.
    private func names(in library: borrowing SmallLibrary) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path(percentEncoded: false))
            .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }.sorted()
    }

    // MARK: - Copies

    @Test(
        "a store goes to PostgreSQL and back and exports the same bytes, sound at each stop",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func thereAndBack() throws {
        let library = try MovingTests.usedLibrary()
        let server = try PostgresServer.shared
        let url = server.url(try server.database())
        let before = try MovingTests.export(library)
        let there = try library.run("copy", "sqlite:moonshelf.db", url, "--json")
        #expect(there.status == 0, "\(there)")
        let tables = try #require(try there.json()["tables"]?.arrayValue)
        #expect(tables.contains { $0["name"] == "events" && ($0["rows"]?.integerValue ?? 0) > 20 })
        #expect(try MovingTests.export(library, url) == before)
        #expect(try library.run("--store", url, "doctor").status == 0)
        let back = try library.run("copy", url, "sqlite:back.db")
        #expect(back.status == 0, "\(back)")
        #expect(try MovingTests.export(library, "sqlite:back.db") == before)
        #expect(try library.run("--store", "sqlite:back.db", "doctor").status == 0)
        // Work goes on with the next numbers, and the policy is in force.
        let lend = "return loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' }.id"
        let loans = try ["sqlite:moonshelf.db", url, "sqlite:back.db"].map { store in
            try library.run(
                "--store", store, "eval", "--allow", "loans.write", "--now", "2026-02-11T10:00:00Z", lend)
        }
        #expect(Set(loans.map(\.output)).count == 1 && loans.allSatisfy { $0.status == 0 }, "\(loans)")
        #expect(try names(in: library).filter { $0.hasPrefix("back") || $0.contains("part") } == ["back.db"])
    }

    @Test("a store that is not empty, or cannot hold one, is refused as a target and left as it is")
    func targets() throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("--store", "sqlite:fresh.db", "init").status == 0)
        #expect(try library.run("copy", "sqlite:moonshelf.db", "sqlite:fresh.db").status == 0)
        let again = try library.run("copy", "--json", "sqlite:moonshelf.db", "sqlite:fresh.db")
        #expect(again.status == 1, "\(again)")
        #expect(try again.failure()["error"]?["code"] == "not_empty")
        #expect(try library.run("--store", "sqlite:fresh.db", "doctor").status == 0)
        for (from, to, status) in [
            ("sqlite:moonshelf.db", "sqlite:moonshelf.db", 2), ("sqlite::memory:", "sqlite:x.db", 2),
            ("sqlite:moonshelf.db", "sqlite::memory:", 2), ("sqlite:none.db", "sqlite:x.db", 69),
            ("sqlite:data/titles.csv", "sqlite:x.db", 65), ("sqlite:moonshelf.db", "sqlite:data/titles.csv", 65),
            ("sqlite:moonshelf.db", "sqlite:none/x.db", 73), ("moonshelf.db", "sqlite:x.db", 2),
        ] as [(String, String, Int32)] {
            let result = try library.run("copy", from, to)
            #expect(result.status == status, "\(from) to \(to): \(result)")
        }
        #expect(try !names(in: library).contains { $0.contains("x.db") })
    }

    @Test("a password is never shown", arguments: ["copy sqlite:moonshelf.db URL", "copy URL sqlite:x.db"])
    func password(line: String) throws {
        let library = try SmallLibrary()
        let url = "postgres://desk:hush-hush@localhost:1/library?password=hush-hush"
        let result = try library.command.run(line.split(separator: " ").map { $0 == "URL" ? url : String($0) })
        #expect(result.status == 69, "\(result)")
        #expect(!result.error.contains("hush") && !result.output.contains("hush"))
    }

    @Test("a store of another version says which, and what to do", arguments: [(1, "init"), (99, "newer moonshelf")])
    func versions(version: Int, word: String) throws {
        let library = try SmallLibrary()
        let store = try SQLiteStore.openToCopy(library.folder.path("moonshelf.db"))
        let other = try PendingFile(for: library.folder.path("other.db"))
        try store.writeCopy(to: other.path)
        try store.close()
        try other.takePlace()
        let url = library.folder.url.appending(path: "other.db")
        var bytes = try Data(contentsOf: url)
        // The last of the four bytes in a file's head that hold the version of its schema.
        bytes[63] = UInt8(version)
        try bytes.write(to: url)
        for arguments in [["copy", "sqlite:other.db", "sqlite:x.db"], ["doctor"], ["export", "x.json"]] {
            let result = try library.command.run(["--store", "sqlite:other.db"] + arguments)
            #expect(result.status == 65, "\(result)")
            #expect(result.error.contains("version \(version)") && result.error.contains(word), "\(result)")
        }
        #expect(try !names(in: library).contains { $0.hasPrefix("x.") })
    }

    // MARK: - Exports

    @Test(
        "an export that is imported into an empty store is exported again as the same bytes",
        arguments: StoreChoice.allCases)
    func wholeLibrary(choice: StoreChoice) throws {
        let library = try MovingTests.usedLibrary(choice)
        let before = try MovingTests.export(library)
        for kind in ["policy_activation", "loan", "hold", "ledger_entry", "notice"] {
            #expect(before.contains("\n{\"\(kind)\""), "\(kind)")
        }
        try library.folder.write(before, to: "all.jsonl")
        let address = try choice.address() ?? "sqlite:new.db"
        #expect(try library.run("--store", address, "init").status == 0)
        for added in [true, false] {
            let imported = try library.run("--store", address, "import", "--json", "all.jsonl")
            #expect(imported.status == 0, "\(imported)")
            #expect(try (imported.json()["added"]?.integerValue ?? 0 > 0) == added)
            #expect(try MovingTests.export(library, address) == before)
        }
        #expect(try library.run("import", "--json", "all.jsonl").json()["added"]?.integerValue == 0)
        #expect(try MovingTests.export(library) == before)
        #expect(try library.run("--store", address, "doctor").status == 0)
        // The policy is in force, and no patron is charged or reminded a second time.
        let swept = try library.run("--store", address, "--now", "2026-02-10T10:00:00Z", "notices", "sweep", "--json")
        #expect(
            try swept.json()["notices"]?.integerValue == 0 && swept.json()["charges"]?.integerValue == 0, "\(swept)")
        let lend = "return loans.checkout{ patron = 'p8', isbn = '\(SmallLibrary.odyssey)' }"
        let refused = try library.run("--store", address, "eval", "--allow", "loans.write", lend)
        #expect(refused.status == 1 && refused.error.contains("blocked"), "\(refused)")
    }

    @Test("the sample library with a history of its own comes back as the same bytes", arguments: [3, 4])
    func sample(seed: Int) throws {
        let folder = try TemporaryFolder()
        let data = BuiltCommand.root.appending(path: "data").path(percentEncoded: false)
        let made = try folder.command.run(
            "init", "--sample", "--data", data, "--history", "2026-01-05..2026-01-12", "--seed", "\(seed)")
        #expect(made.status == 0, "\(made)")
        #expect(try folder.command.run("export", "all.jsonl").status == 0)
        #expect(try folder.command.run("--store", "sqlite:new.db", "init").status == 0)
        let imported = try folder.command.run("--store", "sqlite:new.db", "import", "all.jsonl")
        #expect(imported.status == 0, "\(imported)")
        #expect(try folder.command.run("--store", "sqlite:new.db", "export", "new.jsonl").status == 0)
        let (one, other) = (folder.url.appending(path: "all.jsonl"), folder.url.appending(path: "new.jsonl"))
        #expect(try Data(contentsOf: one) == Data(contentsOf: other))
        #expect(try folder.command.run("--store", "sqlite:new.db", "doctor").status == 0)
    }

    // MARK: - Backups

    @Test("a restore leaves only the store, whether it succeeds or is refused")
    func nothingBeside() throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("backup", "backup.db").status == 0)
        let bytes = try Data(contentsOf: library.folder.url.appending(path: "backup.db"))
        try bytes.prefix(bytes.count / 2).write(to: library.folder.url.appending(path: "half.db"))
        try Data("no store".utf8).write(to: library.folder.url.appending(path: "text.db"))
        for (arguments, status) in [
            (["restore", "backup.db"], Int32(1)), (["restore", "--force", "half.db"], nil),
            (["restore", "--force", "text.db"], nil), (["restore", "--force", "backup.db"], 0),
            (["--store", "sqlite:half.db", "restore", "--force", "backup.db"], nil),
            (["--store", "sqlite:text.db", "restore", "--force", "backup.db"], nil),
            (["--store", "sqlite:folder/new.db", "restore", "backup.db"], nil),
            (["--store", "sqlite:.", "restore", "backup.db"], nil),
        ] {
            let result = try library.folder.command.run(arguments)
            if let status { #expect(result.status == status, "\(arguments): \(result)") }
            let folder = library.folder.url.path(percentEncoded: false)
            let beside = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".") }
            #expect(beside == [], "\(arguments): \(result)")
        }
    }

    @Test("a backup brings everything back, wherever it comes from and goes to", arguments: StoreChoice.allCases)
    func backup(choice: StoreChoice) throws {
        let library = try MovingTests.usedLibrary(choice)
        let before = try MovingTests.export(library)
        let made = try library.run("backup", "--json", "backup.db")
        #expect(made.status == 0, "\(made)")
        #expect(try made.json()["ok"]?.boolValue == true)
        #expect(try permissions(ofFile: library.folder.path("backup.db")) == 0o600)
        #expect(try names(in: library).filter { $0.contains("backup") } == ["backup.db"])

        let lend = "return loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' }.id"
        #expect(try library.run("eval", "--allow", "loans.write", lend).status == 0)
        #expect(try MovingTests.export(library) != before)
        let refused = try library.run("restore", "--json", "backup.db")
        #expect(refused.status == 1, "\(refused)")
        #expect(try refused.failure()["error"]?["code"] == "not_empty")
        let missing = try library.run("restore", "--force", "--json", "none.db")
        #expect(missing.status == 2 && missing.error.contains("no such backup"), "\(missing)")
        #expect(try MovingTests.export(library) != before)
        let restored = try library.run("restore", "--force", "backup.db")
        #expect(restored.status == 0, "\(restored)")
        #expect(try MovingTests.export(library) == before)
        #expect(try library.isSound())

        let elsewhere = try library.run("--store", "sqlite:new.db", "restore", "backup.db")
        #expect(elsewhere.status == 0, "\(elsewhere)")
        #expect(try MovingTests.export(library, "sqlite:new.db") == before)
        // An earlier backup is replaced.
        #expect(try library.run("backup", "backup.db").status == 0)
        #expect(try names(in: library).filter { $0.contains("part") } == [])
    }

    @Test("a backup is never written onto a store, through a symbolic link, or over something else")
    func places() throws {
        let library = try SmallLibrary()
        let link = library.folder.path("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: library.folder.path("aim.db"))
        for place in ["moonshelf.db", "link.db", "data", "data/titles.csv", "none/backup.db"] {
            let result = try library.run("backup", "--json", place)
            #expect(result.status == 73, "\(place): \(result)")
            #expect(try result.failure()["error"]?["code"] == "cannot_write")
        }
        #expect(try library.isSound())
        #expect(try !names(in: library).contains("aim.db"))
    }

    @Test("a damaged backup is recognized, and nothing is touched", arguments: ["cut", "flipped", "text"])
    func damaged(how: String) throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("backup", "backup.db").status == 0)
        let before = try MovingTests.export(library)
        let url = library.folder.url.appending(path: "backup.db")
        var bytes = try Data(contentsOf: url)
        switch how {
        case "cut": bytes.removeLast(bytes.count / 2)
        case "flipped": for place in stride(from: 5_000, to: bytes.count, by: 997) { bytes[place] ^= 0x55 }
        default: bytes = Data("not a backup at all, but long enough to be one, if one does not look closely\n".utf8)
        }
        try bytes.write(to: url)
        let result = try library.run("restore", "--force", "--json", "backup.db")
        #expect(result.status == 65, "\(result)")
        #expect(try MovingTests.export(library) == before)
        #expect(try library.isSound())
    }

    @Test("a store that is beyond opening is replaced by its backup")
    func beyondOpening() throws {
        let library = try MovingTests.usedLibrary()
        let before = try MovingTests.export(library)
        #expect(try library.run("backup", "backup.db").status == 0)
        try library.folder.write(String(repeating: "noise ", count: 10_000), to: "moonshelf.db")
        #expect(try library.run("doctor").status == 65)
        #expect(try library.run("restore", "backup.db").status == 1)
        let restored = try library.run("restore", "--force", "backup.db")
        #expect(restored.status == 0, "\(restored)")
        #expect(try MovingTests.export(library) == before)
        #expect(try library.isSound())
    }

    @Test("where a backup is checked, a store that breaks its own rules is backed up only on request")
    func unsound() throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("backup", "backup.db").status == 0)
        let good = try Data(contentsOf: library.folder.url.appending(path: "backup.db"))
        let store = try SQLiteStore.open(.file(library.folder.path("moonshelf.db")))
        try store.write { try $0.copies.setStatus(.onLoan, of: 60) }
        try store.close()
        let refused = try library.run("backup", "--check", "--json", "backup.db")
        #expect(refused.status == 1, "\(refused)")
        #expect(try refused.failure()["error"]?["code"] == "unsound")
        #expect(try Data(contentsOf: library.folder.url.appending(path: "backup.db")) == good)
        #expect(try library.run("backup", "--check", "--force", "backup.db").status == 0)
        let unchecked = try library.run("backup", "--json", "other.db")
        #expect(unchecked.status == 0 && unchecked.output.contains("\"checked\":false"), "\(unchecked)")
        #expect(try library.run("restore", "--force", "other.db").status == 1)
    }

    @Test("backups made while others write are each one moment of the store", arguments: StoreChoice.allCases)
    func whileOthersWrite(choice: StoreChoice) throws {
        let library = try SmallLibrary(choice)
        let chore = """
            for round = 1, 1e9 do
                store.transaction(function()
                    local a = assert(loans.checkout{ patron = "clerk", isbn = "\(SmallLibrary.odyssey)" })
                    local b = assert(loans.checkout{ patron = "clerk", isbn = "\(SmallLibrary.odyssey)" })
                    assert(loans.checkin{ loan = a }) assert(loans.checkin{ loan = b })
                end)
                print(round)
            end
            """
        let writer = try library.command.start(["eval", "--allow", "loans.write", chore])
        #expect(writer.output.firstLine() == "1")
        for number in 1...3 {
            let made = try library.run("backup", "backup\(number).db")
            #expect(made.status == 0, "\(made)")
            let store = "sqlite:backup\(number).db"
            let open = try library.run("--store", store, "eval", "return #loans.active{ patron = 'clerk' }")
            #expect(open.output == "0\n", "\(open)")
            #expect(try library.run("--store", store, "doctor").status == 0)
        }
        kill(writer.process.processIdentifier, SIGKILL)
        _ = writer.wait()
        #expect(try library.isSound())
    }

    // MARK: - Kills and signals

    @Test(
        "killed at any write, a command that moves a store leaves all or nothing",
        .enabled(if: CrashTests.canInject, "strace is not here or may not trace"),
        arguments: ["copy sqlite:moonshelf.db sqlite:new.db", "backup backup.db", "restore --force kept.db"])
    func killed(line: String) throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("backup", "kept.db").status == 0)
        let lend = "return loans.checkout{ patron = 'clerk', isbn = '\(SmallLibrary.odyssey)' }.id"
        #expect(try library.run("eval", "--allow", "loans.write", lend).status == 0)
        let before = try MovingTests.export(library)
        let restored = try MovingTests.export(library, "sqlite:kept.db")
        var killed = 0
        for number in [1, 4, 25, 60, 95] {
            let result = try Shell.run(
                "strace -f -o /dev/null -e trace=pwrite64 "
                    + "-e inject=pwrite64:signal=SIGKILL:when=\(number) \"$0\" \(line) </dev/null; exit $?",
                [BuiltCommand.executable.path(percentEncoded: false)], in: library.folder.url)
            if result.status != 0 { killed += 1 }
            let now = try MovingTests.export(library)
            #expect(now == before || now == restored && line.hasPrefix("restore"), "write \(number)")
            #expect(try library.isSound(), "write \(number)")
            for name in ["new.db", "backup.db"] where try names(in: library).contains(name) {
                #expect(try MovingTests.export(library, "sqlite:" + name) == before, "\(name), write \(number)")
                try FileManager.default.removeItem(atPath: library.folder.path(name))
            }
        }
        #expect(killed >= 2, "\(killed) kills")
    }

    @Test(
        "a signal ends a long command in good order, says so, and leaves nothing half done",
        .enabled(if: CrashTests.canInject, "strace is not here or may not trace"),
        arguments: [
            ("import --strict many.csv", "pwrite64", "SIGINT", 130),
            ("import --strict many.csv", "pwrite64", "SIGTERM", 143),
            ("export out.json", "write", "SIGTERM", 143), ("export out.json", "write", "SIGHUP", 129),
            ("copy sqlite:moonshelf.db sqlite:new.db", "pwrite64", "SIGINT", 130),
            ("backup backup.db", "pwrite64", "SIGTERM", 143), ("restore --force kept.db", "pwrite64", "SIGINT", 130),
            ("notices sweep", "pwrite64", "SIGINT", 130),
        ])
    func signals(line: String, call: String, signal: String, status: Int32) throws {
        let library = try MovingTests.usedLibrary()
        #expect(try library.run("backup", "kept.db").status == 0)
        try library.folder.write(StoreFaultTests.manyTitles(3_000), to: "many.csv")
        let before = try (MovingTests.export(library), names(in: library))
        let result = try Shell.run(
            // Who runs the tests in the background may ignore signals, which children inherit.
            "env --default-signal strace -f -o /dev/null -e trace=\(call) "
                + "-e inject=\(call):signal=\(signal):when=3 \"$0\" \(line)",
            [BuiltCommand.executable.path(percentEncoded: false)], in: library.folder.url)
        #expect(result.status == status, "\(result)")
        #expect(result.error.contains("Interrupted"), "\(result)")
        let names = try names(in: library)
        #expect(names == before.1)
        #expect(try MovingTests.export(library) == before.0)
        #expect(try library.isSound())
    }
}
