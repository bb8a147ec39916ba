import Circulation
import Scripting
import Testing
import Workbench

@Suite("The examples of the words of policies")
struct PolicyExampleTests {
    /// Puts the example's case to its policy and compares the decision.
    private func report(_ example: PolicyExample) throws -> PolicyTestReport {
        try PolicyTestRun.run(
            try ParsedPolicy(name: "main.lua", source: example.source),
            tests: "test(\"example\", function() expect(given \(example.question), \(example.decision)) end)",
            file: "main_test.lua")
    }

    @Test(
        "every word has an example that uses it, and whose decision is what it says",
        arguments: PolicyWord.all.map(\.name))
    func examples(name: String) throws {
        let word = try #require(PolicyWord.all.first { $0.name == name })
        let example = try #require(word.example)
        #expect(example.source.contains("\(name)(") || example.source.contains("\(name) {"))
        #expect(example.decision != "{}")
        let report = try report(example)
        #expect(report.passed == 1, "\(report.text)")
    }

    @Test("an example that says something else does not pass")
    func wrong() throws {
        let example = PolicyExample("limits = { { max = 0 } }", given: "{}", "{ answer = \"allow\" }")
        #expect(try report(example).failed == 1)
    }

    @Test(
        "every name of the language of policies can be asked for",
        arguments: PolicyReference.names(testWords: PolicyTestWord.all))
    func names(name: String) throws {
        let text = try #require(PolicyReference.about(name, testWords: PolicyTestWord.all))
        #expect(text.hasPrefix(name))
        #expect(text.split(separator: "\n").count > 1)
    }

    @Test("a name with several meanings has all of them")
    func meanings() throws {
        let text = try #require(PolicyReference.about("fine", testWords: []))
        #expect(text.contains("fine: a decision point\n"))
        #expect(text.contains("fine: a field of rules\n"))
        #expect(PolicyReference.about("nonsense", testWords: []) == nil)
    }
}
