import Foundation
import Testing
import TextFormats

@Suite("policy use, show, history, diff and rollback")
struct PolicyVersionCommandTests {
    static let keys = ["policy", "name", "effective_from", "activated_at", "actor", "note"]

    @Test("what is no policy is not put into force: status 1, the findings, and the old one stays")
    func unsound() throws {
        let library = try SmallLibrary()
        try PolicyFiles.write(into: library.folder)
        let history = try library.run("policy", "history", "--json").output
        for file in PolicyFiles.unsound {
            let result = try library.run("policy", "use", "--json", file.name)
            #expect(result.status == 1 && result.signal == nil && result.output.isEmpty, "\(file.name): \(result)")
            let error = try #require(try result.failure()["error"]?.objectValue)
            #expect(error.keys == ["code", "message", "file", "line"] && error["code"] == "check_failed")
            #expect(result.error.contains("(\(file.code))"), "\(result)")
        }
        #expect(try library.run("policy", "history", "--json").output == history)
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
        for entry in history { #expect(entry.objectValue?.keys == PolicyVersionCommandTests.keys) }
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

    @Test("differences are told line by line with status 1, none are status 0")
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
            other.output == """
                --- policy
                +++ policy
                -5:     \(line)
                +5:     \(line.replacing("14", with: "3"))

                """)
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
}
