import Circulation
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Running the tests of policies")
struct PolicyTestRunTests {
    private let policy =
        "return policy { limits = { { max = 2 } }, rules = { { loan = days(14), fine = money '0.20' } } }"

    private func report(_ tests: String, policy: String? = nil) throws -> PolicyTestReport {
        try PolicyTestRun.run(
            try ParsedPolicy(name: "main.lua", source: policy ?? self.policy), tests: tests, file: "main_test.lua")
    }

    @Test("passes, failures, errors, to-dos and endless tests are distinguished, each with its line")
    func statuses() throws {
        let report = try report(
            """
            test("good", function() expect(given {}, { answer = "allow", due = date "2026-01-29" }) end)
            test("wrong", function()
                expect(given {}, { due = date "2026-01-30" })
            end)
            test("broken", function() error("oops") end)
            todo_test("later", function() expect(1, 2) end)
            test("endless", function() while true do end end)
            """)
        #expect(report.tests.map(\.status) == [.pass, .fail, .error, .todo, .timeout])
        #expect(report.tests.map(\.line) == [1, 3, 5, 6, 7])
        #expect(report.tests[1].message == "due: expected 2026-01-30, got 2026-01-29")
        #expect((report.passed, report.failed, report.todo) == (1, 3, 1))
        #expect(!report.isOK)
        #expect(report.text.contains("main_test.lua:3: fail: wrong"))
    }

    @Test("a table brought from a system that weighs conditions is tested in its own terms", arguments: [false, true])
    func match(whole: Bool) throws {
        let policy = """
            return policy {
                match = { "branch", "category", "item_type", whole = \(whole) },
                rules = {
                    { loan = days(1), renewals = 9 },
                    { item_type = "media", loan = days(2) },
                    { item_type = "dvd", loan = days(3) },
                    { category = "staff", item_type = "media", loan = days(4) },
                    { branch = "north", loan = days(5) },
                },
            }
            """
        let tests = """
            local function loan(fields) return given(fields).fields.loan end
            local function copy(...) return { item_types = { ... } } end
            test("the nearest type", function()
                expect(loan { copy = copy("dvd", "media") }, days(3))
                expect(loan { copy = copy("tape", "media") }, days(2))
                expect(loan { copy = copy("book") }, days(1))
            end)
            test("the more important condition", function()
                expect(loan { patron = { category = "staff" }, copy = copy("dvd", "media") }, days(4))
                expect(loan { branch = "north", patron = { category = "staff" }, copy = copy("dvd", "media") }, days(5))
            end)
            test("other groups", function()
                expect(given { copy = copy("dvd", "media") }.fields.renewals, \(whole ? "none" : "9"))
            end)
            """
        let report = try report(tests, policy: policy)
        #expect(report.isOK && report.passed == 3, "\(report.text)")
    }

    @Test("the report in JSON has the fields that programs rely on")
    func json() throws {
        let json = try report("test('a', function() end)").json
        #expect(json.objectValue?.keys == ["passed", "failed", "todo", "tests", "coverage", "mutants"])
        let test = try #require(json["tests"]?.arrayValue?.first)
        #expect(test.objectValue?.keys == ["name", "file", "line", "status", "message"])
        #expect(test["status"] == "pass")
    }

    @Test(
        "expect names the first path that differs",
        arguments: [
            ("expect({ a = { b = 1 } }, { a = { b = 2 } })", "a.b: expected 2, got 1"),
            ("expect({ l = { 1, 2 } }, { l = { 1 } })", "l: expected 1 elements, got 2"),
            ("expect({ l = { { s = 'x' } } }, { l = { { s = 'y' } } })", "l[1].s: expected \"y\", got \"x\""),
            ("expect({}, { a = 1 })", "a: expected 1, got nothing"),
            ("expect({ a = 1 }, { a = none })", "a: expected nothing, got 1"),
            ("expect(5, 6)", "expected 6, got 5"),
            ("expect({ p = days(2) }, { p = days(3) })", "p: expected 3 days, got 2 days"),
            ("expect({ m = money '1.00' }, { m = 1 })", "m: expected 1, got 1.00 EUR"),
            ("expect({ l = {} }, { l = { 1 } })", "l: expected 1 elements, got 0"),
            ("expect({ l = { 1 } }, { l = {} })", "l: expected 0 elements, got 1"),
        ])
    func differences(call: String, message: String) throws {
        let report = try report("test('t', function() \(call) end)")
        #expect(report.tests.first?.status == .fail)
        #expect(report.tests.first?.message == message)
    }

    @Test(
        "expect lets equal values and unnamed fields pass",
        arguments: [
            "expect({ a = 1, b = 2 }, { a = 1 })", "expect({ a = 1 }, { b = none })", "expect(1, 1.0)",
            "expect({ d = date '2026-01-01' }, { d = '2026-01-01' })", "expect({ l = {} }, { l = {} })",
            "expect(money '1.00', '1.00 EUR')",
        ])
    func equal(call: String) throws {
        #expect(try report("test('t', function() \(call) end)").isOK)
    }

    @Test(
        "given takes short forms and complains about what it does not know",
        arguments: [
            ("given { patron = { loans = 2 } }", "deny"), ("given { patron = { loans = 1 } }", "allow"),
            ("given { request = { granted = 2 } }", "deny"),
            ("given { point = 'fine', loan = { days_overdue = 3 } }", "allow"),
        ])
    func shortForms(call: String, answer: String) throws {
        let report = try report("test('t', function() expect(\(call), { answer = '\(answer)' }) end)")
        #expect(report.isOK, "\(report.text)")
    }

    @Test(
        "a misspelt or wrong part of a case is an error of the test",
        arguments: [
            ("given { patrn = {} }", "patrn: there is no such field; did you mean \"patron\"?"),
            (
                "given { patron = { catgory = 'x' } }",
                "patron.catgory: there is no such field; did you mean \"category\"?"
            ),
            (
                "given { patron = { fees_owed = true } }",
                "patron.fees_owed: expected an amount such as \"5.00\", found true"
            ),
            ("given { point = 'chekout' }", "point: expected one of"),
            ("given { now = 'soon' }", "now: "),
        ])
    func wrongCases(call: String, message: String) throws {
        let report = try report("test('t', function() \(call) end)")
        #expect(report.tests.first?.status == .error)
        #expect(report.tests.first?.message?.contains(message) == true, "\(report.text)")
    }

    @Test("a decision has the fine, the notices and the place that decided")
    func decisions() throws {
        let report = try report(
            """
            test("fine", function()
                expect(given { point = "fine", loan = { days_overdue = 3 } }, { fine = money "0.60" })
            end)
            test("place", function()
                expect(given { patron = { loans = 2 } }, {
                    code = "limit", where = { table = "limits", row = 1, file = "main.lua", line = 1 }, reasons = { "limit" },
                })
            end)
            test("fields", function()
                expect(given {}, { fields = { loan = days(14), fine = money "0.20", renewals = none } })
            end)
            """)
        #expect(report.isOK, "\(report.text)")
    }

    @Test("a test file that is not Lua is one failed test")
    func brokenFile() throws {
        let report = try report("test(")
        #expect(report.failed == 1)
        #expect(report.tests.first?.file == "main_test.lua")
    }

    @Test("the messages of the policy word its refusals")
    func wording() throws {
        let source =
            "return policy { limits = { { max = 0 } }, rules = { { loan = days(1) } }, messages = { limit = { en = 'Full.', de = 'Voll.' } } }"
        let report = try report(
            "test('t', function() expect(given { patron = { language = 'de' } }, { message = 'Voll.' }) end)",
            policy: source)
        #expect(report.isOK, "\(report.text)")
    }
}
