import Foundation
import Testing
import TextFormats

@Suite("policy test and policy fuzz, with what they can do")
struct PolicyWorkbenchCommandTests {
    private static let policy = """
        return policy {
            limits = { { max = 2 } },
            rules = { { loan = days(14) } },
            checkout = function(case)
                if case.patron.holds > 9 then
                    return deny("holds", "Too many holds.")
                end
            end,
        }

        """
    private static let tests = """
        test("two loans", function() expect(given { patron = { loans = 2 } }, { code = "limit" }) end)
        test("one loan", function() expect(given { patron = { loans = 1 } }, { due = date "2026-01-29" }) end)

        """

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.policy, to: "small.lua")
        try folder.write(Self.tests, to: "small_test.lua")
        return folder
    }

    @Test("coverage is reported on demand, decides by its threshold, and is drawn as a page")
    func coverage() throws {
        let folder = try folder()
        let plain = try folder.command.run("policy", "test", "small.lua")
        #expect(plain.status == 0 && plain.output == "2 passed, 0 failed, 0 to do\n", "\(plain)")
        let told = try folder.command.run("policy", "test", "small.lua", "--coverage", "--html", "page.html")
        #expect(told.status == 0 && told.error == "The page is in page.html.\n", "\(told)")
        let byTests = try folder.command.run("policy", "test", "small_test.lua")
        #expect(byTests.status == 0 && byTests.output == plain.output, "\(byTests)")
        #expect(told.output.hasPrefix("coverage: lines 66% (2 of 3), branches 50% (1 of 2), rows 100% (2 of 2)\n"))
        #expect(told.output.contains("  small.lua:6: this line runs in no test\n"))
        let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<tr id=\"L6\" class=\"no\">"))
        #expect(try folder.command.run("policy", "test", "small.lua", "--threshold", "50").status == 0)
        let below = try folder.command.run("policy", "test", "small.lua", "--threshold", "51")
        #expect(below.status == 1 && below.error.contains("The coverage is below 51%."), "\(below)")
        let json = try folder.command.run("policy", "test", "small.lua", "--json").json()
        #expect(json.objectValue?.keys == ["passed", "failed", "todo", "tests", "coverage", "mutants"])
        #expect(json["coverage"]?["lines"] == ["covered": 2, "total": 3])
        #expect(json["coverage"]?["uncovered"]?.arrayValue?.first?["kind"] == "branch")
        #expect(json["mutants"]?["survived"] == .array([]))
    }

    @Test("changes that no test notices are listed with file, line, column and what was changed")
    func mutate() throws {
        let folder = try folder()
        let result = try folder.command.run("policy", "test", "small.lua", "--mutate", "--json")
        #expect(result.status == 0, "\(result)")
        let mutants = try #require(try result.json()["mutants"])
        let survived = try #require(mutants["survived"]?.arrayValue)
        #expect(survived.map { $0["line"] } == [5, 5, 5], "\(result)")
        #expect(survived.first?["file"] == "small.lua" && survived.first?["column"] == 30)
        #expect(survived.map { $0["from"]?.stringValue } == [">", "9", "9"])
        let text = try folder.command.run("policy", "test", "small.lua", "--mutate")
        #expect(text.output.contains("small.lua:5:32: warning: 9 changed to 10: no test fails (survived)"), "\(text)")
        #expect(text.output.hasSuffix("\n\n2 passed, 0 failed, 0 to do\n"))
    }

    @Test("JUnit and TAP go to standard output, a filter chooses, and a failure ends with 1")
    func formats() throws {
        let folder = try folder()
        let tap = try folder.command.run("policy", "test", "small.lua", "--format", "tap", "--filter", "TWO")
        #expect(tap.status == 0 && tap.output == "TAP version 13\n1..1\nok 1 - two loans\n", "\(tap)")
        try folder.write("test(\"bad\", function() expect(1, 2) end)\n", to: "small_test.lua")
        let junit = try folder.command.run("policy", "test", "small.lua", "--format", "junit")
        #expect(junit.status == 1 && junit.output.contains("<failure message=\"expected 2, got 1\">"), "\(junit)")
        #expect(try folder.command.run("policy", "test", "small.lua", "--threshold", "101").status == 2)
        #expect(try folder.command.run("policy", "test", "small.lua", "--json", "--format", "tap").status == 2)
        #expect(try folder.command.run("policy", "test", "small.lua", "--time-limit", "soon").status == 2)
    }

    @Test("a search that finds something ends with 1, prints a test and the case that explain reads")
    func fuzz() throws {
        let folder = try folder()
        let sound = try folder.command.run("policy", "fuzz", "small.lua", "--seconds", "1", "--seed", "5")
        #expect(sound.status == 0 && sound.output.hasPrefix("nothing found in "), "\(sound)")
        // A remark may follow where the time sufficed for few cases alone.
        #expect(sound.output.split(separator: "\n").first?.hasSuffix("(--seed 5)") == true, "\(sound)")
        try folder.write(Self.policy.replacing("case.patron.holds > 9", with: "case.patron.age > 9"), to: "bad.lua")
        let found = try folder.command.run("policy", "fuzz", "bad.lua", "--seconds", "2", "--seed", "5", "--json")
        #expect(found.status == 1, "\(found)")
        let report = try found.json()
        let finding = try #require(report["findings"]?.arrayValue?.first)
        #expect(report["seed"] == 5 && finding["code"] == "crash" && finding["line"] == 5)
        #expect(finding["file"] == "bad.lua" && finding["point"] == "checkout")
        let question = try #require(finding["case"])
        try folder.write(question.text(), to: "case.json")
        let explained = try folder.command.run("policy", "explain", "--policy", "bad.lua", "--case", "case.json")
        #expect(explained.status == 3 && explained.output.contains("The policy failed"), "\(explained)")
        try folder.write(try #require(finding["test"]?.stringValue), to: "bad_test.lua")
        #expect(try folder.command.run("policy", "test", "bad.lua").status == 1)
        let missing = try folder.command.run("policy", "fuzz", "none.lua")
        #expect(missing.status == 2, "\(missing)")
    }
}
