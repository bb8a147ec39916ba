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

    @Test("its people borrow, wait, rate and trade as people do")
    func life() throws {
        let place = try place(.file)
        let command = place.command
        let made = try command.run(
            ["init", "--sample", "--data", Self.data, "--history", "2026-09-01..2026-11-30", "--json"])
        let history = try #require(try made.json()["history"], "\(made)")
        func count(_ name: String) -> Int64 { history[name]?.integerValue ?? 0 }
        #expect(count("loans") > 200 && count("returns") > 100, "\(history)")
        #expect(count("holds") > 20 && count("offers") > 8, "\(history)")
        #expect(count("refused") * 10 < count("loans"), "\(history)")
        let asked = """
            local covers, rated, branches, hours = 0, 0, {}, {}
            for title in catalogue.each {} do
                if title.cover then covers = covers + 1 end
                if ratings.summary(title) then rated = rated + 1 end
            end
            for _, part in ipairs(stats.loans_by { group = "branch" }) do branches[#branches + 1] = part.key end
            for _, part in ipairs(stats.by_hour {}) do hours[part.hour] = (hours[part.hour] or 0) + part.loans end
            print(covers, rated > 5, table.concat(branches, " "), (hours[3] or 0) + (hours[20] or 0), hours[11] > hours[9])
            """
        try place.folder.write(asked, to: "asked.lua")
        let answer = try command.run(["run", "asked.lua"])
        #expect(answer.output.hasPrefix("48 true main science harbour 0 true"), "\(answer)")
        let market = try command.run(["run", BuiltCommand.root.appending(path: "scripts/market_activity.lua").path()])
        #expect(market.status == 0 && market.output.contains("sell"), "\(market)")
        #expect(try command.run(["doctor"]).status == 0)
    }

    /// Files of a sample of one's own that are wrong, with what is said of each.
    static let faults = [
        ("habits.json", #"{"reviews": [{"stars": "five", "text": "Good"}]}"#, "reviews.1.stars"),
        ("habits.json", #"{"reviews": [{"stars": 5}]}"#, "reviews.1.text"),
        ("habits.json", "[]", "habits.json"), ("habits.json", "", "habits.json"),
        ("covers/cover.png", "", "A cover is called as the ISBN of its title"),
        ("covers/9780141439587.png", "no picture", "9780141439587.png"),
        ("covers/9780140449136.png", "", "9780140449136.png"),
        ("covers/9780140449136.png", "covers/9780141439587.png", "No title of the sample"),
    ]

    @Test(
        "a sample of one's own needs no covers, copies and habits; what is wrong with them is said", arguments: faults)
    func own(file: String, text: String, words: String) throws {
        let place = try place(.file)
        let command = place.command
        try FileManager.default.createDirectory(
            at: place.folder.url.appending(path: "data/covers"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: BuiltCommand.root.appending(path: "policies"), to: place.folder.url.appending(path: "policies"))
        for name in ["settings.json", "titles.csv", "patrons.csv"] {
            try FileManager.default.copyItem(
                at: URL(filePath: Self.data).appending(path: name), to: place.folder.url.appending(path: "data/\(name)")
            )
        }
        // A cover that is one, of a title that is none of these.
        if text.hasPrefix("covers/") {
            try FileManager.default.copyItem(
                at: URL(filePath: Self.data).appending(path: text), to: place.folder.url.appending(path: "data/\(file)")
            )
        } else {
            try place.folder.write(text, to: "data/\(file)")
        }
        let arguments = ["init", "--sample", "--data", "data", "--history", "2026-10-05..2026-10-09"]
        let refused = try command.run(arguments)
        #expect(refused.status == 65 && refused.error.contains(words), "\(refused)")
        #expect(refused.error.contains(file), "\(refused)")
        try FileManager.default.removeItem(at: place.folder.url.appending(path: "data/\(file)"))
        let made = try command.run(arguments)
        #expect(made.status == 0 && made.output.contains("0 offers on the market"), "\(made)")
    }
}
