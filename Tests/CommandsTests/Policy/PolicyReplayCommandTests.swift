import Circulation
import Foundation
import Storage
import Testing
import TextFormats

@Suite("policy replay")
struct PolicyReplayCommandTests {
    /// The sample's two years, made once; each test has a copy.
    private static let sample = Result { () throws -> TemporaryFolderKeeper in
        let keeper = try TemporaryFolderKeeper()
        let data = BuiltCommand.root.appending(path: "data").path(percentEncoded: false)
        let made = try keeper.command.run(
            "--store", "sqlite:library.db", "init", "--sample", "--data", data, "--history", "2024-10-01..2026-09-30")
        #expect(made.status == 0, "\(made)")
        return keeper
    }

    /// A folder that lives as long as the tests.
    private final class TemporaryFolderKeeper: Sendable {
        let folder: TemporaryFolder
        let command: BuiltCommand

        init() throws {
            folder = try TemporaryFolder()
            command = folder.command
        }
    }

    private func library() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let made = try Self.sample.get().command.run(
            "--store", "sqlite:library.db", "backup", folder.path("library.db"))
        #expect(made.status == 0, "\(made)")
        return folder
    }

    private func replay(_ folder: borrowing TemporaryFolder, _ options: String...) throws -> BuiltCommand.Result {
        try folder.command.run(["--store", "sqlite:library.db", "policy", "replay"] + options)
    }

    private func shipped() throws -> String {
        try String(contentsOf: BuiltCommand.root.appending(path: "policies/university.lua"), encoding: .utf8)
    }

    @Test("under the policy in force the sample's two years come out as they were")
    func nothingChanges() throws {
        let folder = try library()
        let result = try replay(folder, "--candidate", "current", "--json", "--fail-on-difference")
        #expect(result.status == 0, "\(result)")
        let report = try result.json()
        #expect(report["differences"]?.arrayValue?.isEmpty == true)
        #expect(report["contradiction_count"]?.integerValue == 0)
        #expect((report["requests"]?.integerValue ?? 0) > 2_000)
        #expect(report["void"]?.integerValue == 0)
        #expect(report["notices"]?["added"]?.integerValue == 0)
        #expect(report["notices"]?["dropped"]?.integerValue == 0)
        #expect(report["notices"]?["changed"]?.integerValue == 0)
        #expect(report["fees"]?["before"] == report["fees"]?["after"])
        #expect((report["notices"]?["same"]?.integerValue ?? 0) > 100)
    }

    @Test("it also leads to the same two years when they happen once more")
    func happensAgain() throws {
        let folder = try library()
        let result = try replay(
            folder, "--candidate", "current", "--mode", "candidate", "--json", "--fail-on-difference")
        #expect(result.status == 0, "\(result)")
        let report = try result.json()
        #expect(report["differences"]?.arrayValue?.isEmpty == true)
        #expect(report["fees"]?["before"] == report["fees"]?["after"])
        #expect((report["requests"]?.integerValue ?? 0) > 2_000)
    }

    @Test("under a lower limit the loans that would be refused are those that a count of the recorded cases gives")
    func lowerLimit() throws {
        let folder = try library()
        let lower = try shipped().replacing("item_type = \"book\", max = 10", with: "item_type = \"book\", max = 2")
        try folder.write(lower, to: "lower.lua")
        let result = try replay(folder, "--candidate", "lower.lua", "--json")
        #expect(result.status == 0, "\(result)")
        let differences = try #require(try result.json()["differences"]?.arrayValue)
        let found = differences.filter { $0["kind"]?.stringValue == "loan.made" }
        let expected = try Self.beyond(2, folder.path("library.db"))
        #expect(expected.count > 20)
        #expect(Set(found.compactMap { $0["event"]?.integerValue }) == expected)
        #expect(found.allSatisfy { $0["before"]?["answer"]?.stringValue == "allow" })
        #expect(found.allSatisfy { $0["after"]?["code"]?.stringValue == "limit" })
        #expect(found.allSatisfy { $0["after"]?["due"] == .null })
        let failing = try replay(folder, "--candidate", "lower.lua", "--json", "--fail-on-difference")
        #expect(failing.status == 1)
    }

    /// The events of loans of books to undergraduates who had so many of them already, counted by hand.
    private static func beyond(_ limit: Int, _ path: String) throws -> Set<Int64> {
        let store = try SQLiteStore.open(.file(path), mode: .readOnly)
        defer { try? store.close() }
        var events: Set<Int64> = []
        func isBook(_ record: JSON?) -> Bool {
            guard let type = record?["item_type"] else { return false }
            return type.stringValue == "book" || type.arrayValue?.contains("book") == true
        }
        try store.read { transaction in
            try transaction.decisions.forEach { record in
                guard record.point == "checkout", record.answer == "allow",
                    let event = try transaction.events.get(record.event), event.kind == "loan.made"
                else { return true }
                let question = try JSONParser.parse(record.caseJSON)
                guard question["patron"]?["category"]?.stringValue == "undergraduate", isBook(question["copy"]) else {
                    return true
                }
                let open = question["patron"]?["loans"]?.arrayValue?.count(where: isBook) ?? 0
                let granted = question["request"]?["granted"]?.arrayValue?.count(where: isBook) ?? 0
                if open + granted >= limit { events.insert(record.event) }
                return true
            }
        }
        return events
    }

    @Test("an altered answer in the store is seen under the policy in force")
    func altered() throws {
        let folder = try library()
        let store = try SQLiteStore.open(.file(folder.path("library.db")))
        var altered: Int64?
        try store.write { transaction in
            try transaction.decisions.forEach { record in
                guard record.point == "checkout", record.answer == "allow", record.event > 2_000,
                    try transaction.events.get(record.event)?.kind == "loan.made"
                else { return true }
                var record = record
                record.decisionJSON = record.decisionJSON.replacing(
                    "\"answer\":\"allow\"", with: "\"answer\":\"deny\"")
                altered = record.event
                try transaction.decisions.replaceTexts(by: record)
                return false
            }
        }
        try store.close()
        let result = try replay(folder, "--candidate", "current", "--json", "--fail-on-difference")
        #expect(result.status == 1)
        let differences = try #require(try result.json()["differences"]?.arrayValue)
        #expect(differences.map { $0["event"]?.integerValue } == [altered])
        #expect((try result.json()["contradiction_count"]?.integerValue ?? 0) > 0)
    }

    @Test("a person reads sentences and tables, and a page with drawn charts that needs nothing else")
    func words() throws {
        let folder = try library()
        let other = try shipped().replacing("loan = weeks(4)", with: "loan = weeks(3)")
            .replacing("fine = money \"0.20\"", with: "fine = money \"0.35\"")
        try folder.write(other, to: "other.lua")
        let result = try replay(
            folder, "--candidate", "other.lua", "--from", "2025-01-01", "--to", "2025-12-31", "--html", "page.html")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("would be due earlier"))
        #expect(result.output.contains("from: 2025-01-01, to: 2025-12-"))
        #expect(result.output.contains("by how many days they move"))
        #expect(result.output.contains("with --mode candidate they follow from these answers"))
        let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && page.contains("</html>"))
        #expect(!page.contains("http://") && !page.contains("https://"))
        // Its one script sorts the tables.
        #expect(page.components(separatedBy: "<script").count == 2 && page.contains("script-src 'sha256-"))
    }

    /// Changes of the shipped policy, each with of how many requests in a hundred it may be asked at most, and how the report
    /// is asked for.
    private static let changes: [(old: String, new: String, most: Int64, options: [String])] = [
        ("item_type = \"laptop\", max = 1", "item_type = \"laptop\", max = 2", 1, ["--json"]),
        ("item_type = \"book\", max = 10", "item_type = \"book\", max = 4", 10, ["--json"]),
        ("charge = money \"2.15\"", "charge = money \"3.15\"", 1, ["--from", "2025-03-01", "--to", "2026-02-28"]),
        ("after = open_days(10)", "after = open_days(12)", 1, ["--json"]),
        ("fine = money \"0.20\"", "fine = money \"0.35\"", 100, ["--sample", "300", "--json"]),
        ("case.title.holds_waiting > 3", "case.title.holds_waiting > 2", 100, ["--json"]),
    ]

    @Test(
        "asking only what can change gives the report of asking everything, byte for byte", arguments: 0..<changes.count
    )
    func selected(place: Int) throws {
        let change = Self.changes[place]
        let folder = try library()
        let changed = try shipped().replacing(change.old, with: change.new)
        #expect(try changed != shipped())
        try folder.write(changed, to: "changed.lua")
        let options =
            ["--store", "sqlite:library.db", "policy", "replay", "--candidate", "changed.lua"] + change.options
        let whole = try folder.command.run(options + ["--ask-all"])
        let selected = try folder.command.run(options)
        #expect(whole.status == 0 && selected.status == 0, "\(selected)")
        #expect(Self.report(selected.output) == Self.report(whole.output), "\(change.new)")
        #expect(!whole.error.contains("note: "))
        if change.options.contains("--json") {
            let (asked, all) = try Self.requests(whole.output)
            #expect(asked == all && all > 0)
            #expect(try Self.requests(selected.output).all == all)
        }
        guard change.most < 100 else { return }
        let effort = try #require(
            selected.error.firstMatch(of: /asked about ([0-9]+) of ([0-9]+) requests/), "\(selected.error)")
        let (asked, all) = (try #require(Int64(effort.1)), try #require(Int64(effort.2)))
        #expect(all > 500 && asked * 100 <= all * change.most, "\(change.new): \(selected.error)")
    }

    /// A report without what it says of its own making, which is its end.
    private static func report(_ output: String) -> Substring {
        output.firstRange(of: ",\"effort\":").map { output[..<$0.lowerBound] } ?? output[...]
    }

    private static func requests(_ output: String) throws -> (asked: Int64?, all: Int64) {
        let requests = try JSONParser.parse(output)["effort"]?["requests"]
        return (requests?["asked"]?.integerValue, try #require(requests?["all"]?.integerValue))
    }

    @Test("what cannot be compared is asked, and a replay says so")
    func unknown() throws {
        let folder = try library()
        // A loop over what nobody bounds, in what decides.
        let changed = try shipped().replacing(
            "    request = function(case)\n",
            with: """
                    request = function(case)
                        local letters = 0
                        for _ in string.gmatch(case.patron.language or "", "%a") do letters = letters + 1 end
                        if letters > 4 then return deny("letters", "Too many letters.") end

                """)
        #expect(try changed != shipped())
        try folder.write(changed, to: "changed.lua")
        let whole = try replay(folder, "--candidate", "changed.lua", "--json", "--ask-all")
        let selected = try replay(folder, "--candidate", "changed.lua", "--json")
        #expect(Self.report(selected.output) == Self.report(whole.output))
        let unknown = try selected.json()["effort"]?["unknown"]?.arrayValue ?? []
        let message = try #require(unknown.first { $0["point"]?.stringValue == "request" }?["message"]?.stringValue)
        #expect(message.contains("changed.lua:"), "\(message)")
        #expect(selected.error.contains("note: it is not known what differs from what"))
        #expect(selected.error.contains(message))
        let (asked, all) = try Self.requests(selected.output)
        // Each checkout asks it, and neither returns nor holds do.
        let kinds = try selected.json()["kinds"]?.arrayValue ?? []
        let checkouts = kinds.first { $0["kind"]?.stringValue == "loan.made" }?["requests"]?.integerValue
        #expect(try #require(asked) >= #require(checkouts) && #require(asked) < all)
        #expect(try whole.json()["effort"]?["unknown"]?.arrayValue == [])
    }

    @Test("a sample asks as many requests as it says")
    func sample() throws {
        let folder = try library()
        let result = try replay(folder, "--candidate", "current", "--sample", "100", "--seed", "7", "--json")
        let requests = try #require(try result.json()["requests"]?.integerValue)
        #expect(requests == 100)
    }

    @Test("what was pruned is not asked again, the report says so, and the store is sound")
    func pruned() throws {
        let folder = try library()
        let pruned = try folder.command.run(
            "--store", "sqlite:library.db", "policy", "prune", "--before", "2025-10-01", "--json")
        #expect(pruned.status == 0, "\(pruned)")
        #expect((try pruned.json()["decisions"]?.integerValue ?? 0) > 500)
        let doctor = try folder.command.run("--store", "sqlite:library.db", "doctor")
        #expect(doctor.status == 0, "\(doctor)")
        let result = try replay(folder, "--candidate", "current", "--fail-on-difference")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("it answers from 2025-10-01 on"))
    }

    @Test(
        "what cannot be replayed ends with the status that says why",
        arguments: [
            (["--candidate", "missing.lua"], 2), (["--candidate", "broken.lua"], 3),
            (["--candidate", "current", "--from", "yesterday"], 2),
            (["--candidate", "current", "--from", "2026-01-01", "--to", "2025-01-01"], 2),
            (["--candidate", "current", "--sample", "0"], 2), ([], 2),
            (["--candidate", "current", "--sample", "9", "--mode", "candidate"], 2),
            (["--candidate", "current", "--mode", "both"], 2),
        ] as [([String], Int32)])
    func faults(options: [String], status: Int32) throws {
        let library = try SmallLibrary()
        try library.folder.write("return policy { api = 1, name = ", to: "broken.lua")
        let result = try library.command.run(["policy", "replay"] + options)
        #expect(result.status == status, "\(result)")
        #expect(result.output.isEmpty)
    }

    @Test("the past over a database answers like the past in a file", arguments: StoreChoice.allCases)
    func stores(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        for patron in ["p1", "p2", "p1"] {
            let lent = try library.run(
                "--now", "2026-02-02T10:00:00Z", "eval", "--allow", "loans.write",
                "loans.checkout{ patron = '\(patron)', isbn = '\(SmallLibrary.odyssey)' }")
            #expect(lent.status == 0, "\(lent)")
        }
        try library.folder.write(SmallLibrary.policy.replacing("max = 5", with: "max = 1"), to: "one.lua")
        let result = try library.run("policy", "replay", "--candidate", "one.lua", "--json")
        #expect(try result.json()["requests"]?.integerValue == 3, "\(result)")
        #expect(try result.json()["differences"]?.arrayValue?.count == 1)
    }
}
