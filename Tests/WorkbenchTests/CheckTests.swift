import Circulation
import Foundation
import LuaSyntax
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Checking policies")
struct CheckTests {
    private func report(_ source: String) throws -> PolicyCheck.Report {
        PolicyCheck.check(try ParsedPolicy(name: "main.lua", source: source))
    }

    @Test("what Lua alone can tell, such as too many registers, is found with its line")
    func leftToLua() throws {
        let numbers = (1...300).map(String.init).joined(separator: ", ")
        let report = try report("local function many(f)\n  return f(\(numbers))\nend\nreturn policy {}")
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1 && finding.code == "syntax" && finding.position.line == 2)
        #expect(finding.message.contains("too many registers"))
    }

    @Test(
        "each kind of mistake is found with its place and the nearest name",
        arguments: [
            ("return policy { rules = { { loan = dais(14) } } }", "unknown_global 1:36 days"),
            ("return policy { checkout = function(case) return string.fromat('x') end }", "unknown_api 1:57 format"),
            (
                "return policy { checkout = function(case) return case.patron.catgory end }",
                "unknown_field 1:62 category"
            ),
            (
                "return policy { checkout = function(case, rule) return rule.renewal end }",
                "unknown_field 1:61 renewals"
            ),
            ("return policy { limits = { { catgory = 'x', max = 1 } } }", "unknown_rule_field 1:30 category"),
            ("return policy { rules = { { loan = days(1), renewal = 2 } } }", "unknown_rule_field 1:45 renewals"),
            ("return policy { chekcout = function() end }", "unknown_point 1:17 checkout"),
            ("local n = 0\nreturn policy { checkout = function() n = n + 1 end }", "stateful 2:39 -"),
            ("return policy { checkout = function() return os.time() end }", "refused_identifier 1:46 -"),
            ("return policy { checkout = function(case) case.patron.age = 5 end }", "writes_case 1:43 -"),
            ("return policy { messages = { limit = '{{patron.nmae}}' } }", "template_field 1:38 patron.name"),
            ("return policy { rules = { { loan = 14 } } }", "wrong_type 1:36 days(14)"),
            (
                "return policy { publish = function(case) if case.title then return allow() end end }",
                "missing_answer 1:27 -"
            ),
            (
                "return policy { publish = function(case) if case.title then return end return allow() end }",
                "missing_answer 1:61 -"
            ),
            ("local function f() return nil end\nreturn policy { publish = f }", "missing_answer 1:20 -"),
            (
                "return policy { publish = function() for i = 1, 2 do return allow() end end }",
                "missing_answer 1:27 -"
            ),
            (
                "return policy { notices = { { stage = 'a', channel = 'email', subject = 'x', body = '{{reason.count}}' } } }",
                "template_field 1:85 -"
            ),
            (
                "return policy { notices = { { stage = 'a', channel = 'email', subject = 's', body = 'b', digest = 'patron', many = { subject = '{{title.title}}', body = '{{list}}', line = '{{title.title}}' } } } }",
                "template_field 1:128 -"
            ),
            ("return policy { messages = { no_copis = 'None.' } }", "unknown_value 1:30 no_copies"),
            ("return policy { messages = { whatever = 'None.' } }", "unknown_value 1:30 -"),
            ("return policy { match = { 'branch', 'categry' } }", "unknown_rule_field 1:37 category"),
            (
                "return policy { rules = { { loan = days(1) }, { category = 'x', loan = days(2) } } }",
                "unreachable_row 1:47 -"
            ),
            (
                "return policy { rules = { { fine = none }, { loan = days(2), grace = days(1) } } }",
                "unreachable_field 1:62 -"
            ),
            (
                "return policy { match = { 'branch' }, rules = { { loan = days(1) }, { category = 'x', loan = days(2) } } }",
                "unreachable_row 1:69 -"
            ),
            ("return policy { limits = { { max = unlimited }, { max = 2 } } }", "unreachable_row 1:49 -"),
            ("return policy { rules = { { loan = days(0) } } }", "no_length 1:36 -"),
            ("local n = 3\nreturn policy { rules = { { loan = hours(n - 3) } } }", "no_length 2:36 -"),
            (
                "return policy { rules = { { loan = days(9), renewals = 1, renewal_period = weeks(0) } } }",
                "no_length 1:76 -"
            ),
            ("return policy { rules = { { loan = days(-1) } } }", "wrong_type 1:36 -"),
            ("return policy { due = function(case) return case.now end }", "no_length 1:45 case.now + days(1)"),
            (
                "return policy { due = function(c)\nlocal now = c.now\nif c.title then return now - days(2) end end }",
                "no_length 3:24 case.now + days(1)"
            ),
            (
                "return policy { due = function(c) return exact(c.now + hours(0)) end }",
                "no_length 1:42 case.now + days(1)"
            ),
            (
                "return policy { renew = function(case) return allow { due = case.now } end }",
                "no_length 1:61 case.now + days(1)"
            ),
            (
                "return policy { rules = { { suspension = days(9), suspension_cap = days(3), loan = days(1) } } }",
                "wrong_type 1:51 -"
            ),
            (
                "return policy { checkout = function(case) return #case.patron.age > 3 and nil end }",
                "wrong_type 1:50 case.patron.age"
            ),
            (
                "return policy { checkout = function(case) return 2 - case.request.granted > 3 and nil end }",
                "wrong_type 1:50 #case.request.granted"
            ),
        ])
    func findings(source: String, expected: String) throws {
        let report = try report(source)
        let found = report.findings.map {
            "\($0.code) \($0.position.line):\($0.position.column) \($0.suggestion ?? "-")"
        }
        #expect(found == [expected], "\(report.text)")
    }

    @Test(
        "bounds that leave nothing between them are found, others are not",
        arguments: [
            ("day <= last and day >= last + days(7)", true), ("day >= last + weeks(1) and day < last + days(7)", true),
            ("day > last and day < last - days(1)", true), ("day <= last and day >= last - days(7)", false),
            ("day >= last + days(1) and day <= last + hours(40)", false), ("day >= last and day <= last", false),
            ("owed > money '5.00' and owed < money '4.99'", true), ("owed > money '5.00' and owed < money '9'", false),
            ("owed > money '5.00' or owed < money '4.00'", false), ("day > last and last < day", false),
        ])
    func bounds(condition: String, isFound: Bool) throws {
        let locals = "local day, last, owed = date(case.now), case.patron.expires_on, case.patron.fees_owed"
        let body = "\(locals) if last and \(condition) then return deny('a', 'b') end"
        let report = try report("return policy { checkout = function(case) \(body) end }")
        let found = report.findings.map(\.code).filter { $0 != "unused_local" }
        #expect(found == (isFound ? ["constant_condition"] : []), "\(report.text)")
    }

    @Test("of two spellings that are equally rare either may be the slip")
    func spellings() throws {
        let rows =
            "{ item_type = 'bluray', loan = days(2) },\n{ item_type = 'blueray', fine = none }, { loan = days(9) }"
        let report = try report("return policy { rules = {\n\(rows) } }")
        let found = report.findings.map { "\($0.code) \($0.position.line) \($0.suggestion ?? "-")" }
        #expect(found == ["unknown_value 2 blueray", "unknown_value 3 bluray"], "\(report.text)")
    }

    @Test(
        "a function publish that answers on every path is sound",
        arguments: [
            "return review()", "do return allow() end", "if a then return allow() else return review() end",
            "if a then return allow() elseif case.title then error('no') else return deny('a', 'b') end",
            "while true do return allow() end", "repeat return allow() until true",
            "for i = 1, 2 do if i > 1 then return allow() end end return review()",
        ])
    func answersAlways(body: String) throws {
        let report = try report("local a = true\nreturn policy { publish = function(case) \(body) end }")
        #expect(report.findings.isEmpty, "\(report.text)")
    }

    @Test(
        "codes of the desk and of the policy's own functions are known, and their templates may say the reason",
        arguments: [
            "messages = { limit = '{{reason.count}} of {{reason.limit}}', not_on_loan = { de = 'Nicht verliehen.' } }",
            "messages = { mood = 'Not today.' }, checkout = function() return deny('mood', 'No.') end",
            "messages = { mood = 'Sure?' }, hold = function() return confirm('mood', 'Sure?') end",
            "messages = { my_own = 'No.' }, renew = function(case) return deny('my_' .. 'own', 'No.') end",
        ])
    func messages(body: String) throws {
        #expect(try report("return policy { \(body) }").findings.isEmpty)
    }

    @Test("a row that can never win is a warning that names the row before it and its line")
    func unreachable() throws {
        let report = try report(
            "return policy { rules = {\n{ loan = days(1) },\n{ category = 'x', loan = days(2) } } }")
        #expect(report.isOK)
        #expect(
            report.findings.map(\.message) == [
                "rules row 2 can never win: row 1, line 2, matches all that it would match and goes before it"
            ])
        let weighed =
            "return policy { match = { 'category' }, rules = {\n{ loan = days(1) },\n{ category = 'x', loan = days(2) } } }"
        #expect(try self.report(weighed).findings.isEmpty)
    }

    @Test("a file that is not Lua is a finding, with its line of source")
    func syntax() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("bad.lua")
        try "return policy {\n  rules = { loan = = 1 },\n}\n".write(to: file, atomically: true, encoding: .utf8)
        let report = PolicyCheck.check(file: file.path)
        #expect(report.findings.map(\.code) == ["syntax"])
        #expect(report.findings.first?.position.line == 2)
        #expect(report.text.contains("rules = { loan = = 1 }"))
        #expect(report.text.contains("^"))
        let missing = PolicyCheck.check(file: folder.appendingPathComponent("none.lua").path)
        #expect(missing.findings.map(\.code) == ["not_found"])
    }

    @Test("the report in JSON has the fields that programs rely on")
    func json() throws {
        let json = try report("return policy { rules = { { loan = 14 } } }").json
        #expect(json["ok"] == .bool(false))
        let finding = try #require(json["findings"]?.arrayValue?.first)
        #expect(finding.objectValue?.keys == ["code", "severity", "file", "line", "column", "message", "suggestion"])
        #expect(finding["suggestion"] == .string("days(14)"))
        #expect(try report("return policy { rules = { { loan = days(14) } } }").json["ok"] == .bool(true))
    }

    @Test("the text shows the line of source, a marker and the counts")
    func text() throws {
        let text = try report("return policy { chekcout = function() end }").text
        #expect(text.contains("main.lua:1:17: error: a policy has no key 'chekcout' (unknown_point)"))
        #expect(text.contains("^~~~~~~~ did you mean 'checkout'?"))
        #expect(text.hasSuffix("1 error, 0 warnings."))
    }

    @Test(
        "a field that nothing declares refuses the policy; one that a function reads of its rule may only look misspelt"
    )
    func undeclared() throws {
        let rules = "rules = { { loan = days(1), renewal = 2 } }"
        let refused = try report("return policy { \(rules) }")
        #expect(!refused.isOK && refused.findings.map(\.suggestion) == ["renewals"])
        let declared = try report("return policy { fields = { \"renewal\" }, \(rules) }")
        #expect(declared.text == "No problems found.")
        let read = try report(
            "return policy { \(rules), due = function(case, rule) return case.now + days(rule.renewal or 1) end }")
        #expect(read.isOK && read.findings.map(\.code) == ["unknown_rule_field"])
    }
}
