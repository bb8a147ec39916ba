package import Scripting

/// The words that the tests of a policy find ready, beside the values' words.
package enum PolicyTestWord {
    package static let all = [
        PolicyWord(
            "test", "test(name, function)", "A test; it passes if the function raises nothing.",
            [.required("name", .text, ""), .required("body", .function, "")]),
        PolicyWord(
            "todo_test", "todo_test(name, function)",
            "A test of what is not there yet; it does not count as failed.",
            [.required("name", .text, ""), .optional("body", .function, "")]),
        PolicyWord(
            "cases", "cases(name, rows, function)",
            "A test for each row; a list is handed over as arguments, a row with names as a table.",
            [
                .required("name", .text, ""), .required("rows", .list(.record("table")), ""),
                .required("body", .function, ""),
            ]),
        PolicyWord(
            "never", "never(name, point, function(case, decision))",
            "What the policy never does: `policy prove` proves it, or finds a case. Tests pass it over.",
            [.required("name", .text, ""), .required("point", .text, ""), .required("body", .function, "")]),
        PolicyWord(
            "always", "always(name, point, function(case, decision))",
            "What is so of every decision: `policy prove` proves it, or finds a case. Tests pass it over.",
            [.required("name", .text, ""), .required("point", .text, ""), .required("body", .function, "")]),
        PolicyWord(
            "same", "same(name, point, policy_file \"town.lua\", { branch = \"north\" })",
            "What the policy decides as another one does, in all cases or in those whose fields are so: `policy prove` proves"
                + " it, or finds a case. Tests pass it over.",
            [
                .required("name", .text, ""), .required("point", .text, ""),
                .required("other", .record("table"), "what `policy_file` gives"),
                .optional("fields", .record("table"), "fields of the case, each with a value or a list of values"),
            ]),
        PolicyWord(
            "policy_file", "policy_file \"town.lua\"", "For `same`: the policy in a file beside the tests.",
            [.required("file", .text, "")], returns: .value(.record("table"))),
        PolicyWord(
            "within", "within(code, above)",
            "In `never` and `always`: whether a category, item type or branch of the case is another or lies below it.",
            [.optional("code", .any, ""), .required("above", .text, "")], returns: .value(.boolean)),
        PolicyWord(
            "expect", "expect(value, subset)",
            "Raises with the first difference; of tables only the fields named count, `none` is nothing.",
            [.optional("value", .any, "what came"), .optional("subset", .any, "what was expected")]),
        PolicyWord(
            "given",
            "given { point =, patron =, title =, copy =, loan =, request =, hold =, listing =, lines =, event =, now = }",
            "The policy's decision on a case, as a table; what is not said has a sensible value.",
            [.optional("case", .record("table"), "")], returns: .value(.record("table"))),
        PolicyWord(
            "desk", "desk { now =, time_zone =, currency =, calendar =, patrons = {}, copies = {} }",
            "A library in memory: `checkout renew checkin hold sweep nights go now owed pay loans notices`; the modules of"
                + " the Lua API work at it.",
            [.optional("library", .record("table"), "")], returns: .value(.record("table"))),
        PolicyWord(
            "run", "run(argument, ...) or run { argument, ..., files = {} }",
            "Runs the script under test at the desk: `title tables metrics charts texts printed values refusal`.",
            [.optional("arguments", .any, "")], returns: .value(.record("table"))),
    ]

    /// All that a test may name: the words of tests and values, and the modules of the Lua API.
    package static let known = PolicyWord.names + all.map(\.name) + LuaAPI.modules.map(\.name).filter { !$0.isEmpty }

    /// The same with the members of modules, for the static check.
    package static let paths = PolicyWord.names + all.map(\.name) + LuaAPI.functions.map(\.fullName)
}
