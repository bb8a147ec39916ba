import Testing
import TextFormats

@Suite("Lines of members")
struct JSONMemberLineTests {
    static let text = """

        {
          "a": 1, "b": {
            "c": [ { "x": "}" }, "\\"{" ],
            "\\u0064": { "e": null
            }
          }, "a.b": 2
        }
        """

    @Test(
        "a member is found by its path, and of a missing one the nearest part",
        arguments: [
            ([], 2), (["a"], 3), (["b"], 3), (["b", "c"], 4), (["b", "d"], 5), (["b", "d", "e"], 5), (["a.b"], 7),
            (["b", "z"], 3), (["z"], 2), (["a", "x"], 3), (["b", "c", "x"], 4),
        ])
    func lines(path: [String], line: Int) {
        #expect(JSONMemberLine.of(path, in: Array(JSONMemberLineTests.text.utf8)) == line)
    }

    @Test("a value that is not an object has no members", arguments: ["", "[1]", "{", "{\"a\":}", "3"])
    func noObject(text: String) {
        #expect(JSONMemberLine.of(["a"], in: Array(text.utf8)) == nil)
    }
}
