import Circulation
import Foundation
import LuaSyntax
import Scripting
import Testing
import Workbench

@Suite("Checking and testing scripts")
struct ScriptCheckTests {
    /// The findings of a script as `code line: message`.
    private func findings(_ source: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "s.lua")
        try Data(source.utf8).write(to: file)
        return PolicyCheck.check(script: file.path).findings.map { finding in
            "\(finding.position.line): \(finding.message)\(finding.suggestion.map { " -> \($0)" } ?? "")"
        }
    }

    @Test(
        "arguments that a function does not take are found where they stand",
        arguments: [
            ("loans.active{ patrn = 'ada' }", "1: loans.active: has no argument 'patrn' -> patron"),
            ("loans.active('ada', 2)", "1: loans.active: takes one table of named arguments, got 2 arguments"),
            ("local l = loans\nreturn l.active{ patron = 'ada', limt = 5 }", "2: "),
            ("days('x', 2, 3)", "1: days: takes at most"),
            ("catalogue.get()", "1: catalogue.get: "), ("stats.loans_by{ group = 'mont' }", "-> \"month\""),
            ("stats.loans_by{ group = true }", "'group' must be"),
            ("report.chart{ kind = 'bar', labels = {}, series = { { nam = 'a', values = {} } } }", "'series[1].nam'"),
            ("report.table{ title = 'x' }", "'rows' is missing"), ("report.metric{ value = 1 }", "'name' is missing"),
            ("report.title(nil)", "'title' is missing"), ("report.title{ 'x' }", "must be text, got a table"),
        ])
    func wrong(source: String, expected: String) throws {
        let found = try findings(source)
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test(
        "what may be right is not complained of",
        arguments: [
            "loans.active('ada')", "loans.active{ patron = who }", "local t = {} t.patron = 'ada' loans.active(t)",
            "loans.active(patrons.get('ada'))", "loans.active{ id = 5, username = 'ada' }", "branches.each{}",
            "report.title(...)", "catalogue.get(table.unpack({ 1 }))",
            "loans = { active = print } loans.active(1, 2, 3)",
            "stats.loans_by{ group = args.group }", "fees.owed(5)", "local x = { [key()] = 1 } report.table(x)",
        ])
    func right(source: String) throws {
        #expect(
            try findings(source).filter { !$0.contains("needs the capability") && !$0.contains("there is no") } == [])
    }

    @Test("the scripts that come with the desk have nothing to complain of")
    func shipped() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../scripts").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lua") }
        #expect(names.count > 15)
        for name in names {
            let report = PolicyCheck.check(script: folder.appending(path: name).path)
            #expect(report.findings.isEmpty, "\(report.text)")
        }
    }

    // MARK: - Tests of scripts

    private func report(_ script: String, _ tests: String, modules: [String: String] = [:]) throws -> PolicyTestReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in modules { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let source = ScriptSource(text: script, name: "s.lua", folder: ScriptFolder(path: folder.path))
        return try PolicyTestRun(script: source, tests: tests, file: "s_test.lua").run()
    }

    private let late = """
        needs { "loans.write" }
        report.params { list = { type = "file" }, limit = { type = "integer", default = 9 } }
        local rows = {}
        for loan in loans.each { state = "open" } do
            rows[#rows + 1] = { copy = loan.item_type, due = loan.due_on, one = 1 }
        end
        if args.list then
            for row in args.list.rows() do
                print("returned " .. row.barcode)
                loans.checkin { barcode = row.barcode }
            end
        end
        report.title("Late")
        report.metric { name = "limit", value = args.limit }
        report.table { columns = { "copy", "due", "one" }, rows = rows, total = true }
        return #rows
        """

    @Test("a test runs the script at its desk, and sees what it reported, printed, returned and changed")
    func runs() throws {
        let report = try report(
            late,
            """
            local words = require "words"
            test("reports", function()
                local d = desk { patrons = { ada = "patron" }, copies = { c1 = "book" } }
                d.checkout("ada", "c1")
                local done = run("--limit", 3)
                expect(done, { title = words.title, values = { 1 } })
                expect(done.tables[1].rows[1], { copy = "book", due = date "2026-01-29" })
                expect(done.tables[1].total.one, 1)
                expect(done.metrics.limit, 3)
            end)
            test("changes", function()
                local d = desk { patrons = { ada = "patron" }, copies = { c1 = "book" } }
                d.checkout("ada", "c1")
                local done = run { "--list", "back.csv", files = { ["back.csv"] = "barcode\\nc1\\n" } }
                expect(done.printed, { "returned c1" })
                expect(#d.loans("ada"), 0)
            end)
            test("wrong", function() run("--limt", 3) end)
            test("no file", function() run("--list", "other.csv") end)
            """, modules: ["words.lua": "return { title = 'Late' }"])
        #expect(report.tests.map(\.status) == [.pass, .pass, .error, .error], "\(report.text)")
        #expect(report.tests[2].message?.contains("did you mean --limit?") == true)
        #expect(report.tests[3].message?.contains("the test gives no file 'other.csv'") == true)
    }

    @Test("a script that never ends ends its test, and the next one runs")
    func endless() throws {
        let report = try report(
            "if args[1] then while true do end end return 1",
            "test('a', function() run('x') end) test('b', function() expect(run().values[1], 1) end)")
        #expect(report.tests.map(\.status) == [.error, .pass], "\(report.text)")
    }

    @Test("a script of tests that are a policy's is said to be none")
    func ofPolicies() throws {
        let policy = try ParsedPolicy(name: "p.lua", source: "return policy { rules = { { loan = days(1) } } }")
        let report = try PolicyTestRun.run(policy, tests: "test('a', function() run() end)", file: "p_test.lua")
        #expect(report.tests.first?.message?.contains("moonshelf script test") == true)
    }
}
