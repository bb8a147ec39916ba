import Circulation
import LuaSyntax
import Scripting
import Testing

@Suite("Loading policies")
struct PolicyLoadingTests {
    @Test(
        "'has' asks as the conditions of rows do, and says what it was given instead of a list",
        arguments: [
            ("has(case.patron.categories, \"child\")", "yes"), ("has(case.patron.categories, \"toddler\")", "yes"),
            ("has(case.patron.categories, \"adult\")", "no"),
            ("has(case.patron.categories, { \"adult\", \"child\" })", "yes"),
            ("has(case.patron.categories, {})", "no"), ("has({ 1, 2.0, 3 }, 2)", "yes"),
            ("has(case.copy.item_types, case.patron.categories)", "no"), ("has(nil, \"child\")", "no"),
            ("has(case.title.genres, \"novel\")", "no"),
            ("has(case.patron.category, \"child\")", "has: argument 1 must be a list such as case.patron.categories"),
            ("has(case.patron.categories)", "has: argument 2 must be a value or a list of values"),
        ])
    func membership(expression: String, expected: String) throws {
        let source = """
            return policy { rules = { { loan = days(1) } }, checkout = function(case)
                if \(expression) then return deny("yes", "Yes.") end
            end }
            """
        var question = PolicySupport.question()
        question.patron.categories = ["toddler", "child"]
        let decision = try LuaPolicy(PolicySupport.parsed(source)).decide(question)
        if let failure = decision.failure {
            #expect(failure.message.contains(expected))
        } else {
            #expect((decision.answer == .deny ? "yes" : "no") == expected)
        }
    }

    @Test(
        "names in 'fields' that are none are refused",
        arguments: [
            "fields = \"a\"", "fields = { 3 }", "fields = { a = true }", "fields = { \"loan\" }",
            "fields = { \"when\" }",
        ])
    func ownFields(fields: String) throws {
        let parsed = try PolicySupport.parsed("return policy { \(fields), rules = { { loan = days(1) } } }")
        let problems = #expect(throws: PolicyProblems.self) { try LuaPolicy(parsed) }
        #expect(problems?.findings.map(\.code) == ["wrong_type"])
    }

    @Test("a declared field that no row sets reads nil")
    func declaredField() throws {
        let source = """
            return policy { fields = { "mark" }, rules = { { loan = days(1) } }, checkout = function(case, rule)
                if rule.mark == nil then return deny("none", "None.") end
            end }
            """
        #expect(try LuaPolicy(PolicySupport.parsed(source)).decide(PolicySupport.question()).answer == .deny)
    }

    @Test(
        "a wrong policy is refused with line, field and what was expected",
        arguments: [
            (
                "return policy {\n rules = { { loan = 14 } } }",
                "2: rules row 1: loan must be a period such as days(14), not negative, not 14"
            ),
            (
                "return policy {\n limits = {\n { max = -1 } } }",
                "3: limits row 1: max must be a whole number from 0 on, or unlimited, not the number -1"
            ),
            (
                "return policy {\n limits = { { category = 'x' } } }",
                "2: limits row 1 must say max, a number or unlimited"
            ),
            (
                "return policy {\n limits = { { maks = 5, max = 5 } } }",
                "2: rows of 'limits' have no field 'maks' (did you mean 'max'?)"
            ),
            (
                "return policy {\n chekcout = function() end }",
                "2: a policy has no key 'chekcout' (did you mean 'checkout'?)"
            ),
            ("return policy {\n checkout = 5 }", "2: checkout must be a function, not the number 5"),
            (
                "return policy {\n rules = { { category = 5, loan = days(1) } } }",
                "2: rules row 1: category must be a text or a list of texts, not the number 5"
            ),
            ("return policy {\n rules = 'x' }", "2: rules must be a list of rows, not the text \"x\""),
            ("return policy {\n rules = { days(1) } }", "2: rules row 1 must be a table, not days(1)"),
            (
                "return policy {\n rules = { { days(1) } } }",
                "2: rules row 1: every value needs a name, as in max = 5; days(1) has none"
            ),
            ("return policy {\n api = 2 }", "2: api must be 1, not the number 2"),
            (
                "return policy {\n notices = { { stage = 'a', channel = 'email', subject = 's' } } }",
                "2: notices row 1 must say body, a text"
            ),
            (
                "return policy {\n notices = { { stage = 'a', channel = 'email', subject = 's', body = 'b', before = days(1), after = days(1) } } }",
                "2: notices row 1 has either before or after, not both"
            ),
            (
                "return policy {\n match = { 'brunch' } }",
                "2: rows have no condition 'brunch' for match to weigh (did you mean 'branch'?)"
            ),
            ("return policy {\n match = { 'branch', 'branch' } }", "2: match names 'branch' twice"),
            ("return policy {\n match = { 'when' } }", "2: match cannot weigh when"),
            ("return policy {\n match = { 7 } }", "2: match must name conditions, not the number 7"),
            (
                "return policy {\n match = {} }",
                "2: match must name conditions, the most important first, or say whole = true"
            ),
            (
                "return policy {\n match = { 'branch', hole = true } }",
                "2: match has no field 'hole'; it takes conditions and whole = true (did you mean 'whole'?)"
            ),
            (
                "return policy {\n match = { 'branch', whole = 1 } }",
                "2: match.whole must be true or false, not the number 1"
            ),
            (
                "return policy {\n messages = { limit = 5 } }",
                "2: messages.limit must be a text, or texts by language such as { en = \"...\" }, not the number 5"
            ),
            (
                "return policy {\n notices = { { stage = 'a', channel = 'email', subject = 's', body = 'b', digest = 'branch' } } }",
                "2: notices row 1: digest must be \"patron\", not the text \"branch\""
            ),
            (
                "return policy {\n notices = { { stage = 'a', channel = 'email', subject = 's', body = 'b', many = {} } } }",
                "2: notices row 1: many goes with digest = \"patron\""
            ),
            (
                "return policy {\n notices = { { stage = 'a', channel = 'email', subject = 's', body = 'b', digest = 'patron', many = { subject = 's' } } } }",
                "2: notices row 1: many must be { subject = ..., body = ..., line = ... }, texts of which the line may be left out, not a table"
            ),
            (
                "return policy {\n messages = { limit = { deutsch = 'Voll.' } } }",
                "2: messages.limit: 'deutsch' is not a language such as de or de-AT"
            ),
            (
                "return policy {\n notices_from = 3 }",
                "2: notices_from must be a period such as days(3), not the number 3"
            ),
            ("return { rules = {} }", "1: the file must end with: return policy { ... }"),
            ("return policy {\n rules = { { loan = dais(14) } } }", "2: there is no 'dais' (did you mean 'days'?)"),
            (
                "return policy {\n rules = { { fine = money '0.201', loan = days(1) } } }",
                "2: \"0.201\" has more than the 2 decimals of EUR"
            ),
            (
                "return policy {\n rules = { { fine = money(0.2), loan = days(1) } } }",
                "2: money: argument 1 must be a text such as \"0.20\" (a number would not be exact), not number"
            ),
            ("return policy {\n", "2: unexpected symbol near <eof>"),
        ])
    func wrongPolicies(source: String, expected: String) throws {
        #expect(try PolicySupport.complaint(source) == expected)
    }

    @Test("all complaints are given at once, in order of place")
    func allComplaints() throws {
        let source = "return policy {\n rules = { { loan = 1 },\n { renewals = 'x' } },\n chekout = 1 }"
        let problems = #expect(throws: PolicyProblems.self) { try PolicySupport.policy(source) }
        #expect(problems?.findings.map(\.position.line) == [2, 3, 4])
    }

    @Test(
        "state between decisions is refused before anything runs",
        arguments: [
            "local n = 0\nreturn policy { checkout = function() n = n + 1 end }",
            "local t = {}\nreturn policy { checkout = function() t.x = 1 end }",
            "local t = {}\nreturn policy { checkout = function() table.insert(t, 1) end }",
            "return policy { checkout = function() counter = 1 end }",
        ])
    func stateful(source: String) throws {
        let problems = #expect(throws: PolicyProblems.self) { try PolicySupport.policy(source) }
        #expect(problems?.failure.code == "stateful")
    }

    @Test(
        "what cannot be seen beforehand fails at run time",
        arguments: [
            "local t = {}\nlocal function f(x) x.n = 1 end\nreturn policy { rules = {{ loan = days(1) }}, checkout = function() f(t) end }",
            "local t = { {} }\nreturn policy { rules = {{ loan = days(1) }}, checkout = function() for _, x in ipairs(t) do x.n = 1 end end }",
            "return policy { rules = {{ loan = days(1) }}, checkout = function(case) local c = case.patron; c.age = 5 end }",
        ])
    func frozen(source: String) throws {
        let decision: Decision
        do {
            decision = try PolicySupport.policy(source).decide(PolicySupport.question())
        } catch let problems as PolicyProblems {
            #expect(["stateful", "writes_case"].contains(problems.failure.code))
            return
        }
        #expect(decision.answer == .failed)
        #expect(decision.failure?.line != nil)
    }

    @Test("a policy reads its modules, and its version covers their names and bytes")
    func modules() throws {
        let source = "local terms = require 'lib.terms'\nreturn policy { rules = { { loan = terms.short } } }"
        let parsed = try PolicySupport.parsed(source, modules: ["lib/terms.lua": "return { short = days(3) }"])
        #expect(parsed.bundle.files.map(\.name) == ["main.lua", "lib/terms.lua"])
        #expect(try LuaPolicy(parsed).decide(PolicySupport.question()).due?.date.description == "2026-01-18")
        let other = try PolicySupport.parsed(source, modules: ["lib/terms.lua": "return { short = days(4) }"])
        #expect(parsed.bundle.sha256 != other.bundle.sha256)
        #expect(parsed.bundle.sha256.count == 64)
    }

    @Test(
        "a module must be named plainly and be there",
        arguments: [
            ("return require '../secret'", "bad_require"), ("return require 'absent'", "bad_require"),
            ("local n = 'a' return require(n)", "require"),
        ])
    func badModules(source: String, code: String) throws {
        do {
            _ = try LuaPolicy(PolicySupport.parsed(source))
            Issue.record("it was loaded")
        } catch let failure as PolicyFailure {
            #expect(failure.code == code)
        } catch let problems as PolicyProblems {
            #expect(["require", "refused_identifier"].contains(problems.failure.code))
        }
    }

    @Test("a file above 1 MB is refused")
    func tooLarge() throws {
        let failure = #expect(throws: PolicyFailure.self) {
            try PolicySupport.parsed("-- " + String(repeating: "x", count: 1 << 20))
        }
        #expect(["too_large", "syntax"].contains(failure?.code))
    }

    @Test("names and bytes are separate in the digest")
    func digest() {
        let one = PolicyBundle.digest(of: [.init(name: "ab", source: "c")])
        let other = PolicyBundle.digest(of: [.init(name: "a", source: "bc")])
        #expect(one != other)
    }
}
