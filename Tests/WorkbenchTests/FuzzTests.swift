import Circulation
import Foundation
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Searching policies with random cases")
struct FuzzTests {
    private func report(_ source: String, cases: Int = 600, seed: UInt64 = 1) throws -> FuzzReport {
        let bundle = try ParsedPolicy(name: "main.lua", source: source)
        return try PolicyFuzz(bundle, seed: seed, time: .seconds(60), maximumCases: cases).report()
    }

    private static let rules = "rules = { { loan = days(14), renewals = 3, fine = money '0.20' } },"

    @Test("a table of thousands of rows takes more to load than a decision may take, and is searched all the same")
    func manyRows() throws {
        let rows = (0..<4_000).map {
            "{ category = 'c\($0 % 63)', item_type = 't\($0)', loan = days(7), renewals = 1 }"
        }
        let source = "return policy { api = 1, rules = {\n\(rows.joined(separator: ",\n"))\n} }"
        let report = try report(source, cases: 20)
        #expect(report.cases >= 20 && report.findings.isEmpty)
    }

    @Test(
        "a planted fault of each kind is found on its line",
        arguments: [
            ("crash", "checkout = function(case)\nif case.patron.age < 12 then return deny('a', 'b') end\nend", 3),
            (
                "crash",
                "due = function(case)\nif case.copy.item_type == 'dvd' then return case.calendar.next_open(case.now + days(7)) end\nend",
                3
            ),
            ("crash", "request = function(case)\nif case.patron.holds > 7 then\nerror('no')\nend\nend", 4),
            ("too_slow", "checkout = function(case)\nwhile case.patron.holds == 3 do\nend\nend", 3),
            ("non_answer", "checkout = function(case)\nif case.patron.holds > 2 then return 'no' end\nend", 3),
            ("non_answer", "publish = function(case)\nif case.title then return allow() end\nend", 3),
            ("non_answer", "renew = function(case)\nreturn true\nend", 3),
            (
                "unstable",
                "checkout = function(case)\nif next_word() == 'c' then return deny('a', 'b') end\nend", 3
            ),
            (
                "negative_fine",
                "fine = function(case)\nreturn money '0.20' * (case.loan.days_overdue - 3)\nend", 3
            ),
            (
                "falling_fine",
                "fine = function(case)\nif case.loan.days_overdue > 30 then return money '1.00' end\n"
                    + "return money '0.20' * case.loan.days_overdue\nend", 3
            ),
            ("due_before_now", "due = function(case)\nreturn case.now - days(2)\nend", 3),
            ("due_before_now", "due = function(case)\nreturn date '2025-01-01'\nend", 3),
            ("due_before_now", "due = function(case)\nreturn case.now\nend", 3),
            (
                "renew_before_due",
                "renew = function(case)\nreturn allow { due = case.now + days(3) }\nend", 3
            ),
            ("due_on_closed_day", "due = function(case)\nreturn case.now + days(7)\nend", 3),
            (
                "due_beyond_limit",
                "due = function(case)\nreturn case.calendar.next_open(case.now + days(90))\nend", 3
            ),
            (
                "limit_grows_with_debts",
                "checkout = function(case)\nif #case.patron.loans >= 5 and case.patron.fees_owed < money '5.00' then\n"
                    + "return deny('full', 'Full.')\nend\nend", 3
            ),
            (
                "missed_day",
                "overdue = function(case)\nif case.loan.days_overdue == 7 then\nreturn notice { stage = 'first', "
                    + "channel = 'email', subject = 'Late', body = 'Late.' }\nend\nend", 3
            ),
            ("crash", "lost = function(case)\nreturn declare_lost { fee = case.copy.replacement_price * 2 }\nend", 3),
            ("non_answer", "notify = function(case)\nreturn notice { stage = 'x', channel = 'email' }\nend", 3),
            (
                "limit_grows_with_debts",
                "renew = function(case)\nif case.patron.overdue < 2 then return deny('a', 'b') end\nend", 3
            ),
        ])
    func planted(code: String, function: String, line: Int) throws {
        let limit = code == "due_beyond_limit" ? "due_limit = date '2026-02-10'," : ""
        let words = code == "unstable" ? "local next_word = ('a b c d e f'):gmatch('%a')" : ""
        let rules = "rules = { { loan = days(14), renewals = 3, \(limit) fine = money '0.20' } },"
        let source = "\(words) return policy { \(rules)\n\(function) }"
        let report = try report(source)
        let found = report.findings.map { "\($0.code.rawValue) \($0.line)" }
        #expect(found.contains("\(code) \(line)"), "\(report.text)")
        // A date far off the mark may lie on a closed day as well; what has nothing to do with dates has no other name.
        let others = Set(report.findings.map(\.code.rawValue)).subtracting([code])
        #expect(others.isEmpty || (others == ["due_on_closed_day"] && code.contains("due")), "\(report.text)")
        let bundle = try ParsedPolicy(name: "main.lua", source: source)
        for finding in report.findings {
            let tested = try PolicyTestRun.run(bundle, tests: finding.test, file: "t.lua")
            #expect(tested.tests.count == 1 && !tested.isOK, "\(finding.test)")
            let question = try? Case(json: .object(finding.question))
            #expect(question?.point == finding.point)
        }
    }

    @Test("what a finding comes from is shown line by line, also where the answer itself is right")
    func linesThatRan() throws {
        let source = """
            local base = 10
            local function length(weight)
                return base - weight * 20
            end
            return policy { \(Self.rules)
                due = function(case)
                    local day = case.now + days(length(1))
                    return case.calendar.next_open(day)
                end
            }
            """
        let report = try report(source)
        let finding = try #require(report.findings.first { $0.code == .dueBeforeNow }, "\(report.text)")
        #expect(finding.line == 8)
        let ran = finding.ran.joined(separator: "\n")
        let line = "main.lua:3 | return base - weight * 20\n             |     base = 10, weight = 1"
        #expect(ran.contains(line), "\(ran)")
        #expect(report.text.contains("    the lines that ran:\n        main.lua:7 | local day"), "\(report.text)")
    }

    @Test(
        "what is as it should be is not found",
        arguments: [
            "",
            "checkout = function(case) if (case.patron.age or 99) < 12 then return deny('a', 'b') end end",
            "due = function(case) return case.calendar.next_open(case.now + days(7)) end",
            "fine = function(case) return money '0.20' * math.max(0, case.loan.days_overdue) end",
            "renew = function(case) return allow { due = case.calendar.next_open(case.loan.due_at + days(7)) } end",
            "checkout = function(case) if case.patron.fees_owed > money '5.00' then return deny('a', 'b') end end",
            "due = function(case, rule) return standard(case, rule) end",
            "renew = function(case) return allow { due = case.calendar.next_open(case.now + days(14)) } end",
            "due = function(case) local ends = case.patron.expires_on\nif ends then return case.calendar.previous_open(ends) end end",
            "hold = function(case) if (case.title.extra.level or 0) > 3 then return deny('a', 'b') end end",
            "hold = function(case) if case.title.extra.shelf then return deny('a', 'At ' .. case.title.extra.shelf) end end",
            "hold = function(case) local x = case.title.extra.until_day if x and case.now > date(x) then return deny('a', 'b') end end",
        ])
    func sound(function: String) throws {
        let report = try report("return policy { \(Self.rules)\n\(function) }", cases: 400)
        #expect(report.findings.isEmpty, "\(report.text)")
        #expect(report.cases == 400)
    }

    @Test(
        "a stage that is answered again, or once and for all, is lost by no missed day",
        arguments: ["late >= 7", "late % 7 == 0 and late > 0", "late >= 7 and late < 10", "late == 0"])
    func stages(condition: String) throws {
        let function = """
            overdue = function(case)
                local late = case.loan.days_overdue
                if \(condition) then
                    return notice { stage = "first", channel = "email", subject = "Late", body = "Late." }
                end
            end
            """
        let report = try report("return policy { \(Self.rules)\n\(function) }", cases: 500)
        #expect(report.findings.isEmpty, "\(report.text)")
    }

    @Test("a missed day is found through a helper, on the condition that decides it")
    func missedDay() throws {
        let report = try report(
            """
            local stages = { { name = "m1", after = 7 }, { name = "m2", after = 14 } }
            local function stage_of(n)
                for _, stage in ipairs(stages) do
                    if n == stage.after then
                        return stage
                    end
                end
            end
            return policy { \(Self.rules)
                overdue = function(case)
                    local stage = stage_of(case.loan.days_overdue)
                    if stage then
                        return notice { stage = stage.name, channel = "email", subject = "Late", body = "Late." }
                    end
                end }
            """)
        #expect(report.findings.map(\.code) == [.missedDay] && report.findings.map(\.line) == [4], "\(report.text)")
        #expect(report.findings.first?.message.contains("it is lost where no sweep runs on that day") == true)
    }

    @Test(
        "a stage that a function answers on one day is found beside rows of notices and beside other stages",
        arguments: [
            ("if not (late < 7 or late > 7) then return say(\"x\") end", true),
            ("if late - 7 == 0 then return say(\"x\") end\nif late > 0 then return say(\"a\") end", true),
            ("if late // 1 == 7 then return say(\"x\") end\nif late // 1 == 8 then return say(\"y\") end", true),
            ("if late >= 7 then return say(\"x\") end", false),
            ("if late >= 14 then return say(\"y\") end\nif late >= 7 then return say(\"x\") end", false),
            ("if late > 0 then return say(\"day\" .. late) end", false),
            ("if late > 0 and late % 7 == 0 then return say(\"x\") end", false),
        ])
    func stages(body: String, isLost: Bool) throws {
        let report = try report(
            """
            local function say(stage)
                return notice { stage = stage, channel = "email", subject = "Late", body = "Late." }
            end
            return policy { \(Self.rules)
                notices = {
                    { stage = "first", after = days(1), channel = "email", subject = "S", body = "B" },
                    { stage = "then", after = days(3), every = days(2), channel = "email", subject = "S", body = "B" },
                },
                overdue = function(case)
                    local late = case.loan.days_overdue
                    \(body)
                end }
            """)
        #expect(report.findings.contains { $0.code == .missedDay } == isLost, "\(report.text)")
    }

    @Test(
        "words that stand only as keys of tables which a field of the case is looked up in are tried",
        arguments: [
            "local limit = most[case.patron.category]",
            "local category = case.patron.category local limit = most[category]",
            "local limit = rates.most[case.patron.category or 'x']", "local limit = limit_of(case.patron.category)",
        ])
    func keys(lookup: String) throws {
        let report = try report(
            """
            local most = { adult = 10, child = 5 }
            local rates = { most = most, other = { most = { adult = 10 } } }
            local function limit_of(category) return most[category] end
            return policy { \(Self.rules)
                checkout = function(case)
                    \(lookup)
                    if limit then error("x") end
                end }
            """)
        #expect(report.findings.map(\.line) == [7], "\(report.text)")
    }

    @Test("lines that no case reached are listed with their source, in JSON too, and few cases are called few")
    func unreached() throws {
        let source = """
            return policy { \(Self.rules)
                checkout = function(case)
                    if case.patron.age and case.patron.age < 0 then
                        return deny("a", "b")
                    end
                end }
            """
        let report = try report(source)
        #expect(report.text.contains("lines that no case reached:\n  main.lua:4 | return deny(\"a\", \"b\")\n"))
        #expect(report.json["unreached"] == [["file": "main.lua", "line": 4, "source": "return deny(\"a\", \"b\")"]])
        #expect(report.text.contains("nothing found in 600 cases"))
        let few = try self.report(source, cases: 50)
        #expect(few.text.contains("nothing found in only 50 cases"))
        #expect(few.text.contains("So few cases show little"))
    }

    @Test("a day on which the branch is closed is kept where the rule keeps it")
    func kept() throws {
        let rules = "rules = { { loan = days(14), closed = 'keep' } },"
        let report = try report(
            "return policy { \(rules) due = function(case) return case.now + days(7) end }", cases: 400)
        #expect(report.findings.isEmpty, "\(report.text)")
    }

    @Test("a case is made as small as it goes")
    func shrunk() throws {
        let report = try report(
            "return policy { \(Self.rules)\ncheckout = function(case) if #case.patron.loans > 3 then error('x') end end }"
        )
        let finding = try #require(report.findings.first)
        #expect(finding.question == ["point": "checkout", "patron": ["loans": 4]])
        #expect(
            finding.test == """
                test("checkout: answers without an error", function()
                    expect(given { point = "checkout", patron = { loans = 4 } }, { failure = none })
                end)
                """)
    }

    @Test("the library's own fields and the words they are looked up by are tried")
    func extras() throws {
        let report = try report(
            """
            local adult = { ["18"] = true, grown = true }
            return policy { \(Self.rules)
                hold = function(case)
                    if case.patron.category == "child" and adult[case.title.extra.audience] then error("x") end
                end }
            """)
        #expect(report.findings.map(\.line) == [4], "\(report.text)")
    }

    @Test("a seed repeats a search, and the report in JSON has the fields that programs rely on")
    func repeats() throws {
        let source = "return policy { \(Self.rules)\ncheckout = function(case) return case.patron.age + 1 end }"
        let (one, other) = (try report(source, cases: 200, seed: 7), try report(source, cases: 200, seed: 7))
        #expect(one.findings == other.findings && !one.findings.isEmpty)
        let json = one.json
        #expect(json["seed"] == 7)
        let finding = try #require(json["findings"]?.arrayValue?.first)
        for key in ["code", "point", "file", "line", "case", "test"] { #expect(finding[key] != nil) }
    }

    @Test(
        "nothing is found in the policies that come with the desk",
        arguments: ["bitbooks", "public", "textbooks", "university"])
    func shipped(name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let bundle = try ParsedPolicy(file: folder.appendingPathComponent("policies/\(name).lua").path)
        let report = try PolicyFuzz(bundle, seed: 3, time: .seconds(20), maximumCases: 500).report()
        #expect(report.findings.isEmpty, "\(report.text)")
        #expect(report.coverage.lines.percent >= 95, "\(report.coverage.text)")
    }
}
