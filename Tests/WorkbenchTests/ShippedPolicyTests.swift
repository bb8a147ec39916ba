import Circulation
import Foundation
import Scripting
import Testing
import Workbench

@Suite("The policies that come along")
struct ShippedPolicyTests {
    static let names = ["bitbooks", "university", "public", "textbooks"]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("policies")

    static func path(_ name: String) -> String { folder.appendingPathComponent("\(name).lua").path }

    private func bundle(_ name: String) throws -> ParsedPolicy { try ParsedPolicy(file: Self.path(name)) }

    @Test("each passes the check without a finding", arguments: names)
    func isClean(name: String) throws {
        let report = PolicyCheck.check(try bundle(name))
        #expect(report.text == "No problems found.")
    }

    @Test("each passes its own tests", arguments: names)
    func passesItsTests(name: String) throws {
        let url = Self.folder.appendingPathComponent("\(name)_test.lua")
        let tests = try String(contentsOf: url, encoding: .utf8)
        let report = try PolicyTestRun.run(try bundle(name), tests: tests, file: "\(name)_test.lua")
        #expect(report.isOK, "\(report.text)")
        #expect(report.passed >= 7)
        #expect(report.coverage.uncovered.isEmpty, "\(report.coverage.text)")
    }

    @Test("no small change to the rules of BitBooks goes unnoticed by its tests")
    func holdsItsRules() throws {
        let url = Self.folder.appendingPathComponent("bitbooks_test.lua")
        let tests = try String(contentsOf: url, encoding: .utf8)
        let run = PolicyTestRun(try bundle("bitbooks"), tests: tests, file: "bitbooks_test.lua")
        let report = try MutationRun(run, trials: 200).report()
        #expect(report.survived.isEmpty && report.total > 10, "\(report.text)")
    }

    @Test("the words of BitBooks for a book without copies are a template")
    func bitBooksWording() throws {
        let policy = try LuaPolicy(try bundle("bitbooks"))
        #expect(
            policy.message(for: "no_copies", language: nil) == "No more copies available for the book: {{title.title}}")
        #expect(
            policy.message(for: "unknown_title", language: "it")
                == "No more copies available for the book: Unknown book")
    }

    @Test("a refusal is worded in the patron's language where the policy has it")
    func languages() throws {
        let policy = try LuaPolicy(try bundle("university"))
        #expect(policy.message(for: "no_copies", language: "de-AT")?.hasPrefix("Alle Exemplare") == true)
        #expect(policy.message(for: "no_copies", language: "fr")?.hasPrefix("All copies") == true)
    }
}
