import Circulation
import LuaSyntax
import Scripting
import Testing
import Workbench

/// Typos that are valid Lua but not what the author meant, beside similar code that is right.
@Suite("Slips in a policy are doubted, and what is meant so is not")
struct PolicyTypoTests {
    private func found(_ source: String) throws -> String {
        let report = PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source))
        return report.findings.filter { $0.code != "unused_local" }.map { "\($0.code) \($0.position.line)" }
            .joined(separator: ", ")
    }

    private func policy(rules: String = "{ loan = days(14) },", _ rest: String = "") -> String {
        "return policy {\nrules = {\n\(rules)\n},\n\(rest)\n}\n"
    }

    @Test(
        "entries of tables that are lost",
        arguments: [
            ("{ loan = days(7), renewals = 1, loan = days(8) },", "duplicate_key 3"),
            ("{ loan = days(7), [\"loan\"] = days(8) },", "duplicate_key 3"),
            ("{ category = { \"a\", nil, \"b\" }, loan = days(7) },", "wrong_type 3, list_hole 3"),
            ("{ category = { \"a\", \"b\" }, loan = days(7) },", ""),
        ])
    func tables(rows: String, expected: String) throws {
        #expect(try found(policy(rules: rows)) == expected)
    }

    @Test("of a key of the policy that is given twice only the last counts")
    func keys() throws {
        let twice = "publish = function(case) return allow() end,\npublish = function(case) return review(\"So.\") end,"
        #expect(try found(policy(twice)) == "duplicate_key 6")
    }

    @Test(
        "statements and branches that are never reached",
        arguments: [
            ("do return nil end\nlocal day = date(case.now)\nreturn day", "unreachable_code 6"),
            (
                "if n > 3 then\nreturn nil\nelse\nreturn nil\nend\nlocal a = n\nreturn case.now + days(a)",
                "unreachable_code 11"
            ),
            ("while true do\nif n > 3 then break end\nend\nreturn case.now + days(1)", ""),
            ("while true do\nif n > 3 then return case.now + days(1) end\nend\nreturn nil", "unreachable_code 9"),
            ("for i = 1, n do\nif i > 3 then goto next end\ndo return case.now + days(1) end\n::next::\nend", ""),
            ("error(\"none\")\nreturn case.now + days(1)", "unreachable_code 6"),
            ("if n >= 4 then\nreturn case.now + days(1)\nelseif n >= 10 then\nreturn nil\nend", "constant_condition 8"),
            ("if n >= 10 then\nreturn case.now + days(1)\nelseif n >= 4 then\nreturn nil\nend", ""),
            (
                "if n >= 4 then\nreturn case.now + days(1)\nend\nif n > 4 and case.copy then\nreturn nil\nend",
                "constant_condition 9"
            ),
            ("local m = n\nif m >= 4 then\nm = m - 4\nend\nif m >= 4 then\nreturn case.now + days(1)\nend", ""),
            ("if n >= 4 then\nn = n + 1\nend\nif n >= 4 then\nreturn case.now + days(1)\nend", ""),
            (
                "local c = case.patron.category\nif c == \"a\" then\nreturn nil\nelseif c == \"a\" then\nreturn case.now + days(1)\nend",
                "constant_condition 9"
            ),
            (
                "local c = case.patron.category\nif c ~= \"a\" then\nreturn nil\nelseif c == \"b\" then\nreturn case.now + days(1)\nend",
                "constant_condition 9"
            ),
            ("local late = n > 3 and false or true\nreturn late and case.now or nil", "constant_condition 6"),
            (
                "local c = case.patron.category\nlocal by = 1\nif c == \"a\" then\nby = 2\nelseif n >= 4 then\nreturn nil\n"
                    + "end\nif n >= 5 then\nreturn case.now + days(by)\nend", ""
            ),
            ("if n >= 4 then goto out end\ndo return nil end\n::out::\nif n >= 5 then return date(case.now) end", ""),
            ("local t = { n = n }\nif t.n >= 4 then return nil end\nt.n = 9\nif t.n >= 5 then return nil end", ""),
            ("local late = n > 3 and 0 or 7\nreturn case.now + days(late)", ""),
        ])
    func reach(body: String, expected: String) throws {
        let function = "due = function(case, rule) local n = case.title.holds_waiting\n\(body)\nend,"
        #expect(try found(policy(function)) == expected)
    }

    @Test("a function that is not called is found behind 'not' as well")
    func uncalled() throws {
        let source =
            "local function adult(patron) return (patron.age or 0) >= 18 end\n"
            + policy("request = function(case)\nif not adult then return deny(\"age\", \"Adults only.\") end\nend,")
        #expect(try found(source) == "constant_condition 7")
        #expect(try found(source.replacing("not adult then", with: "not adult(case.patron) then")) == "")
    }

    @Test(
        "steps of fines, caps, hours and loans that are refused",
        arguments: [
            (
                "{ from = days(1), to = days(3), fine = money \"1.00\" },\n{ from = days(4), fine = money \"2.00\" }",
                "", ""
            ),
            (
                "{ from = days(1), to = days(3), fine = money \"1.00\" },\n{ from = days(3), fine = money \"2.00\" }",
                "", "fine_steps 4"
            ),
            (
                "{ from = days(1), fine = money \"1.00\" },\n{ from = days(4), fine = money \"2.00\" }", "",
                "fine_steps 4"
            ),
            (
                "{ from = days(1), to = days(3), fine = money \"1.00\" },\n{ from = days(6), fine = money \"2.00\" }",
                "", "fine_steps 4"
            ),
            ("{ from = days(1), fine = money \"1.00\" }", "fine_cap = money \"0.50\",", "wrong_type 3"),
            ("{ from = days(1), fine = money \"1.00\" }", "lost_after = hours(14),", "doubtful_value 3"),
            ("{ from = days(1), fine = money \"1.00\" }", "lost_after = hours(72),", ""),
        ])
    func steps(steps: String, rest: String, expected: String) throws {
        #expect(try found(policy(rules: "{ loan = days(7), \(rest) fine_steps = { \(steps) } },")) == expected)
    }

    @Test(
        "a loan that another row refuses, and fields of other rows",
        arguments: [
            (
                "{ item_type = \"set\", category = \"t\", loan = days(7) },\n{ item_type = \"set\", lend = false },\n{ loan = days(1) },",
                "unreachable_field 3"
            ),
            (
                "{ item_type = \"set\", category = \"t\", lend = true, loan = days(7) },\n{ item_type = \"set\", lend = false },",
                ""
            ),
            ("{ item_type = \"set\", loan = days(7) },\n{ category = \"t\", lend = false },", ""),
            ("{ loan = hours(4), hold_shelf = hours(2) },", ""),
            ("{ loan = days(4), hold_shelf = hours(2) },", "doubtful_value 3"),
            ("{ loan = days(4), max = 3 },", "unknown_rule_field 3"),
            ("{ loan = days(4), note_of_ours = 3 },", "unknown_rule_field 3"),
        ])
    func rows(rows: String, expected: String) throws {
        #expect(try found(policy(rules: rows)) == expected)
    }

    @Test("a field of other rows is the library's own where a function reads it")
    func ownField() throws {
        let reader =
            "request = function(case)\nend,\ncheckout = function(case, rule)\n"
            + "if #case.patron.loans > (rule.max or 9) then return deny(\"max\", \"Enough.\") end\nend,"
        #expect(
            try found(policy(rules: "{ loan = days(4), max = 3 },", reader)).contains("unknown_rule_field") == false)
    }

    @Test(
        "stages of notices stand in the order in which they are reached",
        arguments: [
            ("days(3)", "days(2)", "stage_order 7"), ("days(3)", "days(9)", ""), ("days(3)", "open_days(2)", ""),
        ])
    func stages(first: String, second: String, expected: String) throws {
        let rows = [("one", first), ("two", second)].map { stage, after in
            "{ stage = \"\(stage)\", after = \(after), channel = \"email\", subject = \"S\", body = \"B\" },"
        }
        #expect(try found(policy("notices = {\n\(rows.joined(separator: "\n"))\n},")) == expected)
    }

    @Test(
        "one exact day is a slip where a sweep may miss it, and later than the first days anywhere",
        arguments: [
            ("overdue", "1", "missed_day 6"), ("fine", "1", ""), ("fine", "30", "missed_day 6"), ("checkin", "2", ""),
        ])
    func exactDays(point: String, day: String, expected: String) throws {
        let answers = [
            "overdue": "notice { stage = \"a\", channel = \"email\", subject = \"S\", body = \"B\" }",
            "fine": "money \"0.00\"", "checkin": "suspend(days(3))",
        ]
        let helper = "local function is_day(case) return case.loan.days_overdue == \(day) end\n"
        let answer = try #require(answers[point])
        let direct = policy(
            "\(point) = function(case)\nif case.loan.days_overdue == \(day) then return \(answer) end\nend,")
        let called = helper + policy("\(point) = function(case)\nif is_day(case) then return \(answer) end\nend,")
        #expect(try found(direct) == expected)
        #expect(try found(called) == expected.replacing(" 6", with: " 1"))
    }

    @Test(
        "values that are written in another form, with what is meant",
        arguments: [
            ("percent \"0.0662\"", "6.62"), ("money \"0,50\"", "0.50"), ("money \"0.10 $\"", "0.10"),
            ("date \"20.07.2026\"", "2026-07-20"), ("date \"2026-7-2\"", "2026-07-02"),
        ])
    func forms(value: String, meant: String) throws {
        let source = policy("due = function(case, rule)\nlocal value = \(value)\nreturn value and case.now\nend,")
        let report = PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source))
        #expect(report.findings.map(\.suggestion) == [meant], "\(report.text)")
    }

    @Test("a day that there is not has no day instead of it")
    func noSuchDay() throws {
        let source = policy("due = function(case, rule)\nreturn date \"2027-06-31\"\nend,")
        let report = PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source))
        #expect(report.findings.map(\.message) == ["'2027-06-31' is not a date: there is no such day"])
        #expect(report.findings.map(\.suggestion) == [nil])
    }

    @Test(
        "fields of templates with a brace too few",
        arguments: [
            ("{{title.title}} is late", ""), ("{title.title} is late", "template_field 6"),
            ("{{title.title} is late", "template_field 6"), ("a set {of} braces", ""),
        ])
    func braces(text: String, expected: String) throws {
        let row = "{ stage = \"a\", after = days(1), channel = \"email\", subject = \"S\", body = \"\(text)\" },"
        #expect(try found(policy("notices = {\n\(row)\n},")) == expected)
    }
}
