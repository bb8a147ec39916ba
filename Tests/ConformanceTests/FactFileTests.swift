import ForeignFacts
import Testing
import TextFormats

@Suite("Files of facts")
struct FactFileTests {
    private static let good =
        #"{"id": "A", "source": "here", "area": "a", "given": {}, "when": {"op": "checkout"}, "expect": {"allowed": true}}"#

    @Test("facts are read line by line, blank lines left out")
    func reading() throws {
        let facts = try Fact.reading(Array("\n\(Self.good)\r\n\n".utf8))
        let fact = try #require(facts.first)
        #expect(facts.count == 1 && fact.line == 2 && fact.operation == "checkout" && fact.expect["allowed"] == true)
    }

    @Test(
        "a line that is no fact is named with what is wrong",
        arguments: [
            ("{", "line 2: column"), ("[]", "line 2: a fact needs the text \"id\""),
            (
                #"{"id": "B", "area": "a", "when": {"op": "x"}, "expect": {"y": 1}}"#,
                "line 2: a fact needs the object \"given\""
            ),
            (
                #"{"id": "B", "area": "a", "given": {}, "when": {}, "expect": {"y": 1}}"#,
                "line 2: a fact needs the text \"op\""
            ),
            (#"{"id": "B", "area": "a", "given": {}, "when": {"op": "x"}, "expect": {}}"#, "expects nothing"),
            (good, "line 2: the id A stands in line 1 already"),
        ])
    func malformed(line: String, complaint: String) {
        do {
            _ = try Fact.reading(Array("\(Self.good)\n\(line)".utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains(complaint), "\(error)")
        }
    }
}
