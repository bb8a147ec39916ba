import Foundation
import Testing
import TextFormats

@testable import Storage

@Suite("policy use, show, history, diff and rollback")
struct PolicyVersionCommandTests {
    static let keys = [
        "policy", "name", "effective_from", "activated_at", "actor", "note", "retroactive", "withdrawn_at",
    ]

    @Test("a file that is not a policy is not put into force: the status, the findings, and the old one stays")
    func unsound() throws {
        let library = try SmallLibrary()
        try PolicyFiles.write(into: library.folder)
        let history = try library.run("policy", "history", "--json").output
        for file in PolicyFiles.unsound {
            let result = try library.run("policy", "use", "--json", file.name)
            // What cannot be read is wrong usage, as for every command that takes a file.
            let isRead = file.code != "not_found"
            #expect(result.status == (isRead ? 1 : 2) && result.signal == nil, "\(file.name): \(result)")
            #expect(result.output.isEmpty, "\(file.name): \(result)")
            let error = try #require(try result.failure()["error"]?.objectValue)
            #expect(error.keys == ["code", "message", "file", "line"])
            #expect(error["code"] == (isRead ? "check_failed" : "not_found"))
            if isRead { #expect(result.error.contains("(\(file.code))"), "\(result)") }
        }
        #expect(try library.run("policy", "history", "--json").output == history)
    }

    @Test("a person who put a policy into force is listed by the present username, and by the key after removal")
    func person() throws {
        let library = try SmallLibrary()
        let found = try library.eval("return patrons.get('p1').id")
        let actor = "patron:\(found)"
        let store = try SQLiteStore.open(.file(library.folder.path("moonshelf.db")))
        try store.write { try $0.connection().execute(script: "UPDATE policy_activations SET actor = '\(actor)'") }
        try store.close()
        #expect(try library.run("policy", "history").output.contains("  by p1"))
        let entry = try #require(try library.run("policy", "history", "--json").json().arrayValue?.first)
        #expect(entry["actor"]?.stringValue == actor && entry["actor_username"] == "p1")
        let change = "patrons.update('p1', { username = 'anna' })"
        #expect(try library.run("eval", "--allow", "patrons.write", change).status == 0)
        #expect(try library.run("policy", "history").output.contains("  by anna"))
        #expect(try library.run("eval", "--allow", "patrons.write", "patrons.remove('anna')").status == 0)
        #expect(try library.run("policy", "history").output.contains("  by \(actor)"))
        let removed = try #require(try library.run("policy", "history", "--json").json().arrayValue?.first)
        #expect(removed["actor"]?.stringValue == actor && removed["actor_username"] == .null)
    }

    @Test("a version is named by its SHA-256, shown with its files and source, and listed with the others")
    func useShowHistory() throws {
        let library = try SmallLibrary(now: "2026-01-01T08:00:00Z")
        try library.folder.write(PolicyFiles.sound, to: "sound.lua")
        let used = try library.run(
            "--now", "2026-02-01T08:00:00Z", "policy", "use", "--json", "--note", "Trial", "sound.lua")
        #expect(used.status == 0, "\(used)")
        let version = try used.json()
        #expect(version.objectValue?.keys == PolicyVersionCommandTests.keys + ["files"])
        let sha = try #require(version["policy"]?.stringValue)
        #expect(sha.count == 64 && sha.allSatisfy(\.isHexDigit))
        #expect(
            version["effective_from"] == "2026-02-01T08:00:00Z" && version["activated_at"] == "2026-02-01T08:00:00Z")
        #expect(version["name"] == "sound" && version["note"] == "Trial" && version["files"] == ["sound.lua"])
        #expect(try library.run("policy", "show", "--json").json() == version)
        #expect(try library.run("policy", "show", String(sha.prefix(8)), "--json").json() == version)
        let source = try library.run("policy", "show", "--source")
        #expect(source.output == "-- sound.lua\n\(PolicyFiles.sound)\n", "\(source)")
        let shown = try library.run("policy", "show")
        #expect(
            shown.output == """
                \(sha.prefix(12))  sound  from 2026-02-01T08:00:00Z  by desk  Trial
                files: sound.lua

                """)
        let history = try #require(try library.run("policy", "history", "--json").json().arrayValue)
        #expect(history.count == 2)
        for entry in history {
            #expect(entry.objectValue?.keys == PolicyVersionCommandTests.keys + ["state", "actor_username"])
        }
        #expect(history.map { $0["state"] } == ["in_force", "past"])
        #expect(history[0]["policy"]?.stringValue == sha)
        #expect(try library.run("policy", "history").output.split(separator: "\n").count == 2)
    }

    @Test("a version comes into force on the day it is given, not before")
    func future() throws {
        let library = try SmallLibrary(now: "2026-01-01T08:00:00Z")
        try library.folder.write(PolicyFiles.sound, to: "sound.lua")
        let used = try library.run(
            "--now", "2026-02-01T08:00:00Z", "policy", "use", "--from", "2026-03-01", "sound.lua", "--json")
        // The beginning of the day in Berlin.
        #expect(try used.json()["effective_from"] == "2026-02-28T23:00:00Z", "\(used)")
        for (now, name) in [("2026-02-28T22:59:59Z", "small"), ("2026-02-28T23:00:00Z", "sound")] {
            #expect(try library.run("--now", now, "policy", "show", "--json").json()["name"]?.stringValue == name)
        }
    }

    @Test("tests that fail keep a policy out of force, and none are enough only if none are asked for")
    func tested() throws {
        let library = try SmallLibrary()
        try library.folder.write(PolicyFiles.sound, to: "sound.lua")
        let without = try library.run("policy", "use", "--require-tests", "--json", "sound.lua")
        #expect(without.status == 1)
        #expect(try without.failure()["error"]?["code"] == "no_tests")
        try library.folder.write(PolicyFiles.tests, to: "sound_test.lua")
        let failed = try library.run("policy", "use", "--json", "sound.lua")
        #expect(failed.status == 1)
        #expect(try failed.failure()["error"]?["code"] == "tests_failed", "\(failed)")
        #expect(try library.run("policy", "show", "--json").json()["name"] == "small")
    }

    @Test("a policy that works near the limit in a test is kept out of force, with the place of the function")
    func laborious() throws {
        let library = try SmallLibrary()
        let source = """
            return policy {
                rules = { { loan = days(14) } },
                request = function(case)
                    local sum = 0
                    for index = 1, STEPS do
                        sum = sum + index
                    end
                end,
            }
            """
        try library.folder.write("test(\"x\", function() given { point = \"request\" } end)\n", to: "slow_test.lua")
        try library.folder.write(source.replacing("STEPS", with: "1000000"), to: "slow.lua")
        let refused = try library.run("policy", "use", "--json", "slow.lua")
        let error = try #require(try refused.failure()["error"])
        #expect(refused.status == 1 && error["code"] == "too_much_work", "\(refused)")
        #expect(error["line"] == 3 && error["file"] == "slow.lua")
        #expect(try library.run("policy", "show", "--json").json()["name"] == "small")
        try library.folder.write(source.replacing("STEPS", with: "20000"), to: "slow.lua")
        #expect(try library.run("policy", "use", "slow.lua").status == 0)
    }

    @Test("differences are shown line by line with status 1, none have status 0")
    func diff() throws {
        let library = try SmallLibrary()
        try library.folder.write(SmallLibrary.policy, to: "same.lua")
        try library.folder.write(SmallLibrary.policy.replacing("days(14)", with: "days(3)"), to: "other.lua")
        let same = try library.run("policy", "diff", "same.lua")
        #expect(same.status == 0 && same.output.isEmpty, "\(same)")
        let other = try library.run("policy", "diff", "other.lua")
        let line = "rules = { { loan = days(14), renewals = 2, fine = money \"0.20\", per = days(1) } },"
        #expect(other.status == 1)
        #expect(
            other.output.hasPrefix(
                """
                --- policy
                +++ policy
                -5:     \(line)
                +5:     \(line.replacing("14", with: "3"))

                checkout:
                """))
        #expect(other.output.contains("due: 2026-"))
    }

    @Test("a rollback puts the version before into force; without one before it is refused")
    func rollback() throws {
        let library = try SmallLibrary()
        let refused = try library.run("policy", "rollback", "--json")
        #expect(refused.status == 1, "\(refused)")
        #expect(try refused.failure()["error"]?["code"]?.stringValue?.isEmpty == false)
        try library.folder.write(PolicyFiles.sound, to: "sound.lua")
        #expect(try library.run("policy", "use", "sound.lua").status == 0)
        let back = try library.run("policy", "rollback", "--note", "Complaints", "--json")
        #expect(back.status == 0, "\(back)")
        let version = try back.json()
        #expect(version.objectValue?.keys == PolicyVersionCommandTests.keys)
        #expect(version["name"] == "small" && version["note"] == "Complaints")
        #expect(try library.run("policy", "history", "--json").json().arrayValue?.count == 3)
    }

    @Test(
        "what is asked wrongly ends with 2 and changes nothing",
        arguments: [
            ["use"], ["use", "a.lua", "b.lua"], ["use", "sound.lua", "--from", "soon"],
            ["use", "--nonsense", "sound.lua"],
            ["show", "ffff"], ["show", "sound"], ["diff"], ["diff", "missing.lua"], ["diff", "folder.lua"],
            ["diff", "--from", "ffff", "sound.lua"], ["rollback", "now"], ["history", "all"], ["check"], ["test"],
            ["explain"], ["explain", "--case", "missing.json"], ["explain", "--case", "folder.lua"], ["nonsense"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let library = try SmallLibrary()
        try PolicyFiles.write(into: library.folder)
        let result = try library.command.run(["policy"] + arguments)
        #expect(result.status == 2 && result.output.isEmpty && !result.error.isEmpty, "\(result)")
        #expect(try library.run("policy", "history", "--json").json().arrayValue?.count == 1)
    }

    @Test("a store without a policy says so with status 1")
    func none() throws {
        let folder = try TemporaryFolder()
        try folder.write(PolicyFiles.sound, to: "sound.lua")
        try folder.write(PolicyFiles.checkout, to: "case.json")
        #expect(try folder.command.run("init").status == 0)
        let shown = try folder.command.run("policy", "show", "--json")
        #expect(shown.status == 1 && shown.output == "null\n", "\(shown)")
        #expect(try folder.command.run("policy", "history", "--json").output == "[]\n")
        #expect(try folder.command.run("policy", "diff", "sound.lua").status == 2)
        let explained = try folder.command.run("policy", "explain", "--case", "case.json", "--json")
        #expect(explained.status == 1)
        #expect(try explained.failure()["error"]?["code"] == "no_policy")
    }

    @Test("what is to come is shown, seen at its day, taken back once, and never begins then")
    func cancel() throws {
        let library = try SmallLibrary(now: "2026-01-01T08:00:00Z")
        try library.folder.write(PolicyFiles.sound, to: "sound.lua")
        func run(_ arguments: String...) throws -> BuiltCommand.Result {
            try library.command.run(["--now", "2026-02-01T08:00:00Z", "policy"] + arguments)
        }
        let used = try run("use", "--from", "2026-03-01", "sound.lua")
        #expect(used.output.contains("To come into force: "), "\(used)")
        #expect(try run("history").output.contains("[to come]"))
        #expect(try run("show", "--at", "2026-03-01", "--json").json()["name"] == "sound")
        #expect(try run("show", "--at", "2026-02-28", "--json").json()["name"] == "small")
        try library.folder.write(PolicyFiles.sound.replacing("sound", with: "now"), to: "now.lua")
        #expect(try run("use", "now.lua").error.contains("moonshelf policy cancel"))
        let cancelled = try run("cancel", "--json")
        #expect(cancelled.status == 0, "\(cancelled)")
        #expect(try cancelled.json()["withdrawn_at"] == "2026-02-01T08:00:00Z")
        let again = try run("cancel", "--json")
        #expect(again.status == 1)
        #expect(try again.failure()["error"]?["code"] == "not_scheduled")
        #expect(try run("show", "--at", "2026-03-02", "--json").json()["name"] == "now")
        #expect(
            try run("history", "--json").json().arrayValue?.map { $0["state"] } == ["in_force", "withdrawn", "past"])
    }

    @Test("a policy that reaches back says what that concerns, and needs a yes")
    func retroactive() throws {
        let library = try SmallLibrary(now: "2026-01-01T08:00:00Z")
        let lend = "return loans.checkout { patron = 'p1', isbn = '\(SmallLibrary.emma)' }"
        let lent = try library.run("--now", "2026-01-02T09:00:00Z", "eval", "--allow", "loans.write", lend)
        #expect(lent.status == 0, "\(lent)")
        try library.folder.write(SmallLibrary.policy.replacing("0.20", with: "0.50"), to: "dear.lua")
        let arguments = ["--now", "2026-01-26T12:00:00Z", "policy", "use", "--retroactive", "--json", "dear.lua"]
        let refused = try library.command.run(arguments)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.error.contains("1 open loan would be decided by this version"))
        #expect(try refused.failure()["error"]?["code"] == "not_confirmed")
        #expect(try library.run("policy", "history", "--json").json().arrayValue?.count == 1)
        let used = try library.command.run(arguments + ["--yes"])
        #expect(used.status == 0, "\(used)")
        let effect = try used.json()["retroactive_effect"]
        #expect(effect?["loans"] == 1 && effect?["fined"] == 1)
        #expect(effect?["fees"] == ["before": "2.00 EUR", "after": "5.00 EUR"])
        #expect(try used.json()["retroactive"] == true)
        let swept = try library.run("--now", "2026-01-26T12:00:00Z", "notices", "sweep", "--json")
        #expect(try swept.json()["charged"] == "5.00 EUR", "\(swept)")
        #expect(try library.run("policy", "history").output.contains("retroactive"))
    }

    @Test(
        "a new policy is a copy of one that comes along or of one in the store, with tests that pass, and overwrites nothing"
    )
    func new() throws {
        let library = try SmallLibrary()
        let made = try library.run("policy", "new", "--json")
        #expect(made.status == 0, "\(made)")
        let files = try #require(try made.json()["files"]?.arrayValue?.compactMap(\.stringValue))
        #expect(files == ["university.lua", "university_test.lua"])
        #expect(
            try String(contentsOfFile: library.folder.path("university.lua"), encoding: .utf8) == SmallLibrary.policy)
        let again = try library.run("policy", "new", "--json")
        #expect(again.status == 1)
        #expect(try again.failure()["error"]?["code"] == "exists")
        let shipped = try library.run("policy", "new", "--from", "public", "mine/rules.lua")
        #expect(shipped.status == 0 && shipped.output == "mine/rules.lua\nmine/rules_test.lua\n", "\(shipped)")
        for file in ["university.lua", "mine/rules.lua"] {
            let tested = try library.run("policy", "test", file)
            #expect(tested.status == 0, "\(tested)")
            #expect(try library.run("policy", "check", file).status == 0)
        }
        let unknown = try library.run("policy", "new", "--from", "nonsense")
        #expect(unknown.status == 2 && unknown.error.contains("'public'"), "\(unknown)")
    }

    @Test("differences in JSON name both versions")
    func diffInJSON() throws {
        let library = try SmallLibrary()
        try library.folder.write(SmallLibrary.policy.replacing("days(14)", with: "days(3)"), to: "other.lua")
        let result = try library.run("policy", "diff", "--json", "other.lua")
        #expect(result.status == 1)
        #expect(try result.json().objectValue?.keys == ["before", "after", "lines", "decisions"])
        #expect(try result.json()["lines"]?.arrayValue?.count == 4)
    }

    @Test("a notice is previewed before its time, and what is merged with others too")
    func preview() throws {
        let policy = SmallLibrary.policy.replacing(
            "body = \"Please return it.\"",
            with:
                "body = \"Please return it.\", digest = \"patron\", many = { subject = \"{{count}} late\", body = \"{{list}}\" }"
        )
        let library = try SmallLibrary(policy: policy, now: "2026-01-01T08:00:00Z")
        let isbns = "{ '\(SmallLibrary.emma)', '\(SmallLibrary.odyssey)' }"
        let lend = "return #loans.checkout { patron = 'p1', isbns = \(isbns) }"
        let lent = try library.run("--now", "2026-01-02T09:00:00Z", "eval", "--allow", "loans.write", lend)
        #expect(lent.status == 0, "\(lent)")
        let arguments = ["--now", "2026-01-03T09:00:00Z", "notices", "preview", "--loan", "1", "--stage"]
        let shown = try library.command.run(arguments + ["first", "--json"])
        #expect(shown.status == 0, "\(shown)")
        #expect(try shown.json()["subject"] == "Overdue")
        #expect(try shown.json()["digest"]?["subject"] == "2 late")
        #expect(try library.command.run(arguments + ["first"]).output.contains("- Emma (2026-01-16)"))
        let none = try library.command.run(arguments + ["last", "--json"])
        #expect(none.status == 1)
        #expect(try none.failure()["error"]?["code"] == "unknown_stage")
        #expect(try library.run("notices", "list", "--json").output == "[]\n")
    }
}
