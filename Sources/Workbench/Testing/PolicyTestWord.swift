import Scripting

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
            name: "cases", signature: "cases(name, rows, function)",
            summary: "A test for each row; a list is handed over as arguments, a row with names as a table."),
        PolicyTestWord(
            name: "expect", signature: "expect(value, subset)",
            summary: "Raises with the first difference; of tables only the fields named count, `none` is nothing."),
        PolicyTestWord(
            name: "given",
            signature:
                "given { point =, patron =, title =, copy =, loan =, request =, hold =, listing =, lines =, event =, now = }",
            summary: "The policy's decision on a case, as a table; what is not said has a sensible value."),
        PolicyTestWord(
            name: "desk", signature: "desk { now =, time_zone =, currency =, calendar =, patrons = {}, copies = {} }",
            summary:
                "A library in memory: `checkout renew checkin hold sweep nights go now owed pay loans notices`; the modules of the Lua API work at it."
        ),
    ]

    /// All that a test may name: the words of tests and values, and the modules of the Lua API.
    package static let known = PolicyWord.names + all.map(\.name) + LuaAPI.modules.map(\.name).filter { !$0.isEmpty }

    /// The same with the members of modules, for the static check.
    package static let paths = PolicyWord.names + all.map(\.name) + LuaAPI.functions.map(\.fullName)
}
