import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("The sample library")
struct SampleTests {
    /// Each makes a library that is not as `init` leaves it.
    static let uses = [
        ["import", "library.json"], ["import", "own.csv"],
        ["eval", "--allow", "patrons.write", "patrons.add{ username = 'own' }"],
        ["eval", "--allow", "catalogue.write", "catalogue.add{ title = 'Own' }"],
        ["eval", "--allow", "settings.write", "branches.add{ code = 'own', name = 'Own' }"],
        ["eval", "--allow", "settings.write", "calendar.close{ branch = 'main', from = date '2026-12-24' }"],
        ["policy", "use", "own.lua"],
    ]

    /// A folder with files of a library, and the command in it.
    private struct Place: ~Copyable {
        let folder: TemporaryFolder
        let command: BuiltCommand
    }

    private func place(_ store: StoreChoice) throws -> Place {
        let folder = try TemporaryFolder()
        var command = folder.command
        if let address = try store.address() { command.environment["MOONSHELF_STORE"] = address }
        try folder.write(#"{"library":{"name":"Own","zone":"Europe/Berlin","currency":"USD"}}"#, to: "library.json")
        try folder.write("isbn,title,authors\n9780140449136,Odyssey,Homer\n", to: "own.csv")
        try folder.write(SmallLibrary.policy, to: "own.lua")
        return Place(folder: folder, command: command)
    }

    private static var data: String { BuiltCommand.root.appending(path: "data").path(percentEncoded: false) }

    private func words(_ command: BuiltCommand) throws -> String {
        let exported = try command.run(["export", "-"])
        try #require(exported.status == 0, "\(exported)")
        return exported.output
    }

    @Test("it is refused by a library in use, which stays as it is", arguments: StoreChoice.allCases, uses)
    func refused(store: StoreChoice, use: [String]) throws {
        let place = try place(store)
        let command = place.command
        #expect(try command.run(["init"]).status == 0)
        let used = try command.run(use)
        #expect(used.status == 0, "\(used)")
        let before = try words(command)
        for options in [[], ["--history", "2026-10-01..2026-10-09"]] {
            let result = try command.run(["init", "--sample", "--data", Self.data] + options)
            #expect(result.status == 1 && result.output.isEmpty, "\(result)")
            #expect(result.error.contains("the sample was not put into it"))
        }
        let json = try command.run(["init", "--sample", "--data", Self.data, "--json"])
        #expect(json.status == 1 && json.error.contains(#""code":"not_empty""#), "\(json)")
        #expect(try command.run(["init"]).status == 0)
        #expect(try words(command) == before)
    }

    @Test("it fills a store that init has just made, and no second time", arguments: StoreChoice.allCases)
    func fills(store: StoreChoice) throws {
        let place = try place(store)
        let command = place.command
        #expect(try command.run(["init"]).status == 0)
        #expect(try command.run(["init"]).status == 0)
        let made = try command.run(["init", "--sample", "--data", Self.data, "--json"])
        #expect(try made.status == 0 && made.json()["sample"]?["library"]?.stringValue == "Brambleford Library")
        let before = try words(command)
        #expect(try command.run(["init", "--sample", "--data", Self.data]).status == 1)
        #expect(try words(command) == before)
        #expect(try command.run(["doctor"]).status == 0)
    }

    @Test("of two that fill a store at once, one does and one is refused", arguments: StoreChoice.allCases)
    func race(store: StoreChoice) async throws {
        let place = try place(store)
        let command = place.command
        #expect(try command.run(["init"]).status == 0)
        let results = try await withThrowingTaskGroup(of: BuiltCommand.Result.self) { group in
            for _ in 0..<2 {
                group.addTask { try command.run(["init", "--sample", "--data", Self.data]) }
            }
            return try await group.reduce(into: [BuiltCommand.Result]()) { $0.append($1) }
        }
        // On a busy machine the second may have waited for the lock as long as it does, and says 75: try again.
        let statuses = results.map(\.status).sorted()
        #expect(statuses == [0, 1] || statuses == [0, 75], "\(results)")
        #expect(try command.run(["init", "--sample", "--data", Self.data]).status == 1)
        #expect(try command.run(["eval", "patrons.count{}"]).output == "60\n")
    }

    @Test("where its files are not, no store is made, and nothing says that one is ready")
    func withoutFiles() throws {
        let place = try place(.file)
        let command = place.command
        let result = try command.run(["init", "--sample", "--data", "nowhere"])
        #expect(result.status == 2 && result.output.isEmpty, "\(result)")
        #expect(!FileManager.default.fileExists(atPath: place.folder.url.appending(path: "moonshelf.db").path()))
    }
}
