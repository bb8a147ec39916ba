/// A word that the tests of a policy find ready, beside the values' words.
package struct PolicyTestWord: Sendable {
    package let name: String
    package let signature: String
    package let summary: String

    package static let all = [
        PolicyTestWord(
            name: "test", signature: "test(name, function)",
            summary: "A test; it passes if the function raises nothing."),
        PolicyTestWord(
            name: "todo_test", signature: "todo_test(name, function)",
            summary: "A test of what is not there yet; it does not count as failed."),
        PolicyTestWord(
            name: "expect", signature: "expect(value, subset)",
            summary: "Raises with the first difference; of tables only the fields named count, `none` is nothing."),
        PolicyTestWord(
            name: "given",
            signature:
                "given { point =, patron =, title =, copy =, loan =, request =, hold =, listing =, lines =, event =, now = }",
            summary: "The policy's decision on a case, as a table; what is not said has a sensible value."),
    ]
}
