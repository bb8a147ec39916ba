import Circulation
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("What the tests of policies can do")
struct PolicyTestWordTests {
    private let policy = """
        return policy {
            limits = { { category = "guest", max = 1 }, { max = 2 } },
            rules = { { loan = days(14), renewals = 1, fine = money "0.20", fine_cap = money "5.00" } },
            notices = {
                { stage = "late", after = days(1), channel = "email", subject = "Late", body = "{{title.title}} is late." },
            },
        }
        """

    private func report(_ tests: String, options: PolicyTestOptions = .init()) throws -> PolicyTestReport {
        try PolicyTestRun.run(
            try ParsedPolicy(name: "main.lua", source: policy), tests: tests, file: "main_test.lua", options: options)
    }

    private func expectPassing(_ tests: String, _ place: SourceLocation = #_sourceLocation) throws {
        let report = try report(tests)
        #expect(report.isOK && report.passed > 0, "\(report.text)", sourceLocation: place)
    }

    @Test("a table of cases is a test for each row, named by its number and its first text")
    func cases() throws {
        let report = try report(
            """
            cases("limits", { { "guest", 1, "deny" }, { "other", 1, "allow" }, { "other", 1, "deny" } },
                function(category, loans, answer)
                    expect(given { patron = { category = category, loans = loans } }, { answer = answer })
                end)
            cases("by name", { { name = "three", loans = 3 } }, function(row)
                expect(given { patron = { loans = row.loans } }, { code = "limit" })
            end)
            """)
        #expect(
            report.tests.map(\.name) == [
                "limits (1: guest)", "limits (2: other)", "limits (3: other)", "by name (1: three)",
            ])
        #expect(report.tests.map(\.status) == [.pass, .pass, .fail, .pass])
        #expect(report.tests[2].message == "answer: expected \"deny\", got \"allow\"")
    }

    @Test("a difference in a list or in a missing table is reported with the actual value")
    func differences() throws {
        let report = try report(
            """
            test("list", function() expect({ 1, 2 }, { 1, 2, 3 }) end)
            test("deep", function() expect({ a = { b = { 1, 5 } } }, { a = { b = { 1, 4 } } }) end)
            test("none", function() expect({ a = 1 }, { b = { c = 2 } }) end)
            """)
        #expect(
            report.tests.map(\.message) == [
                "the list: expected 3 elements, got 2", "a.b[2]: expected 4, got 5",
                "b: expected { c = 2 }, got nothing",
            ])
    }

    @Test("several loans follow one another at a desk in memory, where time passes and nights are swept")
    func desk() throws {
        try expectPassing(
            """
            test("a life", function()
                local desk = desk {
                    now = "2026-01-15T10:00",
                    time_zone = "Europe/Berlin",
                    patrons = { ann = "guest", bob = { category = "other", birth_date = "2001-02-03" } },
                    copies = { faust = "book", emma = { item_type = "book" }, dune = "book" },
                }
                expect(desk.checkout("ann", "faust"), { answer = "allow", due = date "2026-01-29" })
                expect(desk.checkout("ann", "emma"), { answer = "deny", code = "limit", where = { row = { row = 1 } } })
                expect(desk.checkout("bob", "emma"), { answer = "allow" })
                expect(#desk.loans("bob"), 1)
                desk.go(days(3))
                expect(desk.renew("faust"), { answer = "allow", due = date "2026-02-01", renewals = 1 })
                expect(desk.renew("faust"), { answer = "deny", code = "renewals" })
                desk.go "2026-02-04T10:00"
                desk.nights(1)
                expect(desk.owed("ann"), money "0.80")
                expect(desk.notices("ann"), { { stage = "late" } })
                expect(desk.checkin("faust"), { answer = "allow" })
                desk.pay("ann", money "0.80")
                expect(desk.owed("ann"), money "0.00")
                expect(desk.hold("ann", "emma"), { answer = "allow" })
                expect(desk.checkout("ann", "dune"), { answer = "allow", due = date "2026-02-19" })
            end)
            """)
    }

    @Test("the Lua API works at the desk, and each test has a library of its own")
    func api() throws {
        try expectPassing(
            """
            test("closing days moves what is due", function()
                local desk = desk {
                    now = "2026-01-15T10:00", patrons = { ann = "other" }, copies = { faust = "book" },
                    calendar = { weekly = { mon = { { "09:00", "17:00" } }, thu = { { "09:00", "17:00" } } } },
                }
                desk.checkout("ann", "faust")
                calendar.close { branch = "main", from = "2026-01-29", move_due = true }
                expect(loans.active { patron = "ann" }[1].due_on, date "2026-02-02")
                expect(patrons.count(), 1)
            end)
            test("afresh", function()
                desk {}
                expect(patrons.count(), 0)
            end)
            """)
    }

    @Test(
        "what is wrong with a desk is said with the nearest name",
        arguments: [
            ("desk { patrns = {} }", "desk has no field 'patrns'; did you mean 'patrons'?"),
            ("desk { now = 'soon' }", "now is a date or a time"),
            ("desk { time_zone = 'Mars' }", "Mars"),
            ("desk { patrons = { 'ann' } }", "patrons are named"),
            ("desk { copies = { faust = { itemtype = 'dvd' } } }", "did you mean 'item_type'?"),
            ("desk {}.go('2020-01-01')", "a desk does not go back"),
            ("desk {}.go('never')", "go: takes a period"),
            ("loans.checkout { patron = 'ann', barcode = 'x' }", "there is no desk yet; make one with desk { ... }"),
        ])
    func wrongDesks(source: String, message: String) throws {
        let report = try report("test('x', function() \(source) end)")
        #expect(report.tests.map(\.status) == [.error])
        #expect(report.tests[0].message?.contains(message) == true, "\(report.text)")
    }

    @Test("a filter runs the tests whose names contain its words, whatever their case")
    func filters() throws {
        let tests = "for _, n in ipairs { 'Limits', 'fines', 'unlimited' } do test(n, function() end) end"
        let report = try report(tests, options: PolicyTestOptions(filters: ["LIMIT"]))
        #expect(report.tests.map(\.name) == ["Limits", "unlimited"])
    }

    @Test("tests that run at once are reported in their order, with the coverage of all", arguments: [1, 4])
    func parallel(workers: Int) throws {
        let tests = """
            for n = 1, 40 do
                test("test " .. n, function()
                    expect(given { patron = { loans = n % 3 } }, { answer = n % 3 == 2 and "deny" or "allow" })
                end)
            end
            """
        let report = try report(tests, options: PolicyTestOptions(workers: workers))
        #expect(report.tests.map(\.name) == (1...40).map { "test \($0)" })
        #expect(report.passed == 40)
        #expect(report.coverage.rows.covered == 2 && report.coverage.rows.total == 4)
    }

    @Test("a test that does not end is stopped, and the others go on")
    func timeouts() throws {
        let report = try report(
            """
            test("endless", function() while true do end end)
            test("short", function() end)
            """, options: PolicyTestOptions(timeLimit: .milliseconds(200)))
        #expect(report.tests.map(\.status) == [.timeout, .pass])
    }

    @Test("JUnit counts failures, errors and what is to do, and escapes names")
    func junit() throws {
        let report = try report(
            """
            test("a < b & \\"c\\"", function() end)
            test("bad", function() expect(1, 2) end)
            test("broken", function() error("no") end)
            todo_test("later", function() error("not yet") end)
            """)
        let xml = report.junit
        #expect(xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>"))
        #expect(
            xml.contains("<testsuite name=\"main_test.lua\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">"))
        #expect(xml.contains("name=\"a &lt; b &amp; &quot;c&quot;\""))
        #expect(xml.contains("<failure message=\"expected 2, got 1\">main_test.lua:2: expected 2, got 1</failure>"))
        #expect(xml.contains("<error type=\"error\" message=\"no\">") && xml.contains("<skipped message="))
    }

    @Test("TAP numbers the tests, marks to-dos and says what failed where")
    func tap() throws {
        let report = try report(
            """
            test("good", function() end)
            test("bad # one", function() expect(1, 2) end)
            todo_test("later", function() error("not yet") end)
            """)
        #expect(
            report.tap == """
                TAP version 13
                1..3
                ok 1 - good
                not ok 2 - bad \\# one
                  ---
                  severity: fail
                  message: "expected 2, got 1"
                  at: "main_test.lua:2"
                  ...
                not ok 3 - later # TODO not yet
                """)
    }

    @Test("the words of tests are known to the check of a test file, and misspelt ones get the nearest name")
    func misspelt() throws {
        let report = try report("tset('x', function() end)")
        #expect(report.tests[0].message == "there is no 'tset' (did you mean 'test'?)")
    }
}
