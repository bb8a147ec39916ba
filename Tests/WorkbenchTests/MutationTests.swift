import Circulation
import Foundation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

@Suite("Changes that the tests of policies should notice")
struct MutationTests {
    private func report(_ policy: String, _ tests: String) throws -> MutationReport {
        let bundle = try ParsedPolicy(name: "main.lua", source: policy)
        let run = PolicyTestRun(
            bundle, tests: tests, file: "main_test.lua", options: PolicyTestOptions(workers: 2))
        return try MutationRun(run, trials: 1_000).report()
    }

    private func words(_ report: MutationReport) -> [String] {
        report.survived.map { "\($0.mutant.line):\($0.mutant.column) \($0.mutant.from) -> \($0.mutant.to)" }
    }

    @Test("a limit that no test reaches from either side is found with its place, and tests that reach it are enough")
    func limit() throws {
        let policy = "return policy {\n    limits = { { max = 5 } },\n    rules = { { loan = days(14) } },\n}"
        let due = "test('due', function() expect(given {}, { due = date '2026-01-29' }) end)\n"
        let found = try report(policy, due)
        #expect(words(found) == ["2:16 { max = 5 } -> ", "2:24 5 -> 4", "2:24 5 -> 6"])
        let above = due + "test('full', function() expect(given { patron = { loans = 5 } }, { code = 'limit' }) end)"
        #expect(try words(report(policy, above)) == ["2:24 5 -> 4"])
        let both =
            above + "\ntest('room', function() expect(given { patron = { loans = 4 } }, { answer = 'allow' }) end)"
        let noticed = try report(policy, both)
        #expect(noticed.survived.isEmpty && noticed.total == 6)
    }

    @Test("places and flags of searches in texts are not changed where that changes nothing")
    func equivalents() throws {
        let condition = "l:sub(1, 2) == 'de' and not l:find('x', 1, true) and string.find(l, '.', 1, true)"
        let found = try report(
            "return policy {\n checkout = function(case) local l = case.patron.language or ''"
                + " if \(condition) then return deny('a', 'b') end end, rules = { { loan = days(9) } } }", "")
        let changes = (found.survived.map(\.mutant) + found.equivalent + found.unknown.map(\.mutant)).map {
            "\($0.from) -> \($0.to)"
        }
        #expect(!changes.contains("1 -> 0"))
        #expect(changes.count { $0 == "1 -> 2" } == 3 && changes.count { $0 == "true -> false" } == 1, "\(changes)")
    }

    @Test(
        "comparisons, days, amounts, dates, words and conditions are changed each in its way",
        arguments: [
            ("checkout = function(case) if case.patron.holds > 3 then return deny('a', 'b') end end", "2:52 > -> >="),
            ("checkout = function(case) if case.patron.holds > 3 then return deny('a', 'b') end end", "2:54 3 -> 4"),
            (
                "request = function(case) if case.patron.language == 'de' then return deny('a', 'b') end end",
                "2:54 == -> ~="
            ),
            (
                "checkout = function(case) if case.patron.extra.x and case.patron.extra.y then return deny('a', 'b') end end",
                "2:54 and -> or"
            ),
            (
                "checkout = function(case) if case.patron.extra.x then return deny('a', 'b') end end",
                "2:34 case.patron.extra.x -> not (case.patron.extra.x)"
            ),
            ("due = function(case) return case.now + days(3) end", "2:42 + -> -"),
            ("due = function(case) return case.now + days(3) end", "2:49 3 -> 4"),
            ("fine = function(case) return money '0.20' * case.loan.days_overdue end", "2:40 '0.20' -> \"0.21\""),
            (
                "due = function(case) if date(case.now) < date '2026-03-31' then return date '2026-04-01' end end",
                "2:51 '2026-03-31' -> \"2026-04-01\""
            ),
        ])
    func kinds(field: String, change: String) throws {
        let policy = "return policy { rules = { { loan = days(14) } },\n    \(field) }"
        #expect(try words(report(policy, "")).contains(change))
    }

    @Test("rows are taken out and exchanged with the next, and what makes no difference is not reported")
    func rows() throws {
        let policy = """
            return policy {
                rules = {
                    { category = "staff", loan = days(28) },
                    { category = "guest", loan = days(7) },
                    { item_type = "dvd", loan = days(3) },
                },
            }
            """
        let found = try report(policy, "")
        let rows = found.survived.filter { $0.mutant.from.hasPrefix("{") }
        #expect(rows.filter { $0.mutant.to.isEmpty }.map(\.mutant.line) == [3, 4, 5])
        // Guests borrow films; a category that lies below staff and guests no random case has, but a proof.
        #expect(rows.filter { !$0.mutant.to.isEmpty }.map(\.mutant.line).sorted() == [3, 4])
    }

    /// Changes that random cases do not tell apart from the policy.
    private static let narrow = """
        return policy {
            notices_from = days(3),
            rules = { { loan = days(14), fine = money "0.20" } },
            checkout = function(case)
                if case.patron.holds == 4711 and (case.patron.age or 0) > 77 then return deny("a", "A.") end
                if case.patron.holds > 5 then return confirm("b", "B.") end
                if case.patron.holds > 6 and case.patron.holds < 6 then return deny("c", "C.") end
            end,
        }
        """

    @Test("a change that no case tells is proved to change nothing, comes with a test, or it is said what it changes")
    func explained() throws {
        let bundle = try ParsedPolicy(name: "main.lua", source: Self.narrow)
        let run = PolicyTestRun(bundle, tests: "", file: "main_test.lua", options: PolicyTestOptions(workers: 1))
        // Few cases are tried, so that the proof has to find them.
        let found = try MutationRun(run, trials: 3).report()
        #expect(found.unknown.isEmpty, "\(found.unknown)")
        let equivalent = found.equivalent.map { "\($0.line) \($0.from) -> \($0.to)" }
        #expect(equivalent.contains("5 0 -> 1") && !equivalent.contains("5 77 -> 78"), "\(equivalent)")
        #expect(equivalent.contains { $0.hasPrefix("7 6 -> ") }, "\(equivalent)")
        for survivor in found.survived {
            guard let test = survivor.test else {
                #expect(survivor.because?.contains("notices_from: ") == true, "\(survivor)")
                continue
            }
            #expect(try PolicyTestRun.run(bundle, tests: test, file: "t.lua").isOK, "\(test)")
            let changed = survivor.mutant.applied(to: bundle)
            #expect(try !PolicyTestRun.run(changed, tests: test, file: "t.lua").isOK, "\(survivor.mutant)\n\(test)")
        }
        // No random case of what is proved to change nothing is decided otherwise.
        for mutant in found.equivalent {
            let pair = try SamenessProof(bundle, mutant.applied(to: bundle))
            var maker = CaseMaker(CaseVocabulary(bundle, tables: try LuaPolicy(bundle).tables), seed: 3)
            for _ in 0..<200 { #expect(pair.change(for: maker.make()) == nil, "\(mutant)") }
        }
    }

    @Test("what is not proved in time is said to be unknown, and why")
    func timeLimit() throws {
        let bundle = try ParsedPolicy(name: "main.lua", source: Self.narrow)
        let run = PolicyTestRun(bundle, tests: "", file: "main_test.lua", options: PolicyTestOptions(workers: 1))
        let found = try MutationRun(run, trials: 3, proofTime: .zero).report()
        #expect(!found.unknown.isEmpty && found.unknown.allSatisfy { $0.because.message == "the time limit" })
        let json = found.json["unknown"]?.arrayValue?.first
        #expect(json?["because"]?["message"] == "the time limit" && json?["from"] != nil)
        #expect(found.text.contains("whether it changes anything is not known"))
    }

    @Test("each change that nothing noticed comes with a test: the policy passes it, the changed one does not")
    func suggestions() throws {
        let policy = """
            return policy {
                limits = { { category = "guest", max = 2 }, { max = 9 } },
                rules = { { item_type = "dvd", loan = days(7), fine = money "0.50" }, { loan = days(14), renewals = 2 } },
                notices = {
                    { stage = "late", after = days(3), channel = "email", subject = "Late", body = "Late." },
                },
                checkout = function(case)
                    if case.patron.fees_owed > money "10.00" then return deny("fees", "Pay first.") end
                end,
            }
            """
        let bundle = try ParsedPolicy(name: "main.lua", source: policy)
        let found = try report(policy, "")
        #expect(found.survived.count > 20)
        for survivor in found.survived {
            let test = try #require(survivor.test)
            let before = try PolicyTestRun.run(bundle, tests: test, file: "t.lua")
            #expect(before.isOK, "\(before.text)\n\(test)")
            var bytes = Array(policy.utf8)
            let range = survivor.mutant.range
            bytes.replaceSubrange(range.start.offset..<range.end.offset, with: Array(survivor.mutant.to.utf8))
            let changed = try ParsedPolicy(name: "main.lua", source: String(decoding: bytes, as: UTF8.self))
            let after = try PolicyTestRun.run(changed, tests: test, file: "t.lua")
            #expect(!after.isOK, "\(survivor.mutant.from) -> \(survivor.mutant.to)\n\(test)")
        }
        // All of them together leave nothing unnoticed.
        let all = found.survived.compactMap(\.test).joined(separator: "\n")
        #expect(try words(report(policy, all)).isEmpty)
    }

    @Test(
        "where tests fail, the change that makes them pass is told with its place",
        arguments: [
            ("max = 6", "2:40 6 -> 5"), ("max = 4", "2:40 4 -> 5"), ("max = 50", "2:40 50 -> 5"),
            ("max = 5, when = function() return false end", nil),
        ])
    func repairs(limit: String, change: String?) throws {
        let policy =
            "return policy {\n    limits = { { category = 'x', \(limit) } },\n    rules = { { loan = days(14) } },\n}"
        let tests = """
            cases("five loans", { { 4, "allow" }, { 5, "deny" } }, function(loans, answer)
                expect(given { patron = { category = "x", loans = loans } }, { answer = answer })
            end)
            """
        let found = try report(policy, tests)
        let repairs = found.survived.filter(\.repairs).map {
            "\($0.mutant.line):\($0.mutant.column) \($0.mutant.from) -> \($0.mutant.to)"
        }
        let other = ["2:68 false -> true", "2:43 when = function() return false end -> "]
        #expect(repairs == (change.map { [$0] } ?? other), "\(found.text)")
        #expect(found.text.contains("the tests that fail would pass (repairs)"))
    }

    @Test(
        "slips of the hand are mended where tests fail: bounds, words, conditions of rows, percentages",
        arguments: [
            (
                "rules = { { loan = days(14) } },\ncheckout = function(case) if #case.patron.loans == 5 then return deny('a', 'b') end end",
                "expect(given { patron = { loans = 6 } }, { answer = 'deny' }) expect(given { patron = { loans = 4 } }, { answer = 'allow' })",
                "2:49 == -> >="
            ),
            (
                "rules = { { item_type = 'DVDs', loan = days(7) }, { loan = days(14) } }",
                "expect(given { copy = { item_type = 'DVD' } }, { due = date '2026-01-22' }) expect(given {}, { due = date '2026-01-29' })",
                "1:41 'DVDs' -> \"DVD\""
            ),
            (
                "rules = { { category = 'senior', loan = days(7) } }",
                "expect(given { patron = { category = 'x' } }, { due = date '2026-01-22' })",
                "1:29 category = 'senior', -> "
            ),
            (
                "rules = { { loan = days(7) } },\nfine = function(case) return percent '0.0662' * money '100.00' end",
                "expect(given { point = 'fine', loan = { days_overdue = 1 } }, { fine = money '6.62' })",
                "2:38 '0.0662' -> \"6.62\""
            ),
        ])
    func slips(fields: String, body: String, change: String) throws {
        let found = try report("return policy { \(fields) }", "test('t', function() \(body) end)")
        #expect(found.survived.first?.repairs == true, "\(found.text)")
        let repairs = found.survived.filter(\.repairs).map {
            "\($0.mutant.line):\($0.mutant.column) \($0.mutant.from) -> \($0.mutant.to)"
        }
        #expect(repairs.contains(change), "\(repairs)")
    }

    @Test("what no test notices while others fail is said to fail no further one; a negated condition is called so")
    func words() throws {
        let policy = """
            return policy {
                rules = { { loan = days(14) } },
                checkout = function(case)
                    if case.patron.extra.something_long and case.patron.extra.something_longer then
                        return deny("a", "b")
                    end
                end,
            }
            """
        let found = try report(policy, "test('t', function() error('always') end)")
        #expect(found.text.contains("negated: no further test fails (survived)"), "\(found.text)")
        #expect(!found.text.contains("exchanged") && !found.text.contains(": no test fails"))
    }

    @Test("a field takes the value it is compared with where only that distinguishes two bounds")
    func bounds() throws {
        let policy = """
            return policy {
                rules = { { loan = days(14), renewals = 3 } },
                renew = function(case)
                    local to = case.calendar.next_open(date(case.loan.due_at) + days(37))
                    if case.patron.expires_on and to > case.patron.expires_on then return deny("a", "b") end
                end,
            }
            """
        let found = try report(policy, "")
        #expect(words(found).contains("5:42 > -> >="), "\(found.text)")
    }

    @Test("words that stand only as keys of tables are among the cases that tell a change from none")
    func keys() throws {
        let policy = """
            local most = { student = 5, bookshop = 200 }
            return policy {
                rules = { { loan = days(14) } },
                publish = function(case)
                    if case.listing.others >= (most[case.patron.category] or 1) then return deny("a", "b") end
                    return allow()
                end,
            }
            """
        let found = try report(policy, "")
        #expect(Set(words(found)).isSuperset(of: ["1:40 200 -> 199", "1:40 200 -> 201"]), "\(found.text)")
    }

    @Test("the report in JSON has the fields that programs rely on, and the text shows line, marker and counts")
    func output() throws {
        let found = try report("return policy { rules = { { loan = days(14) } } }", "")
        let survivor = try #require(found.json["survived"]?.arrayValue?.first { $0["to"] == "13" })
        #expect(survivor["file"] == "main.lua" && survivor["line"] == 1 && survivor["column"] == 41)
        #expect(survivor["from"] == "14")
        #expect(found.json["total"]?.integerValue == Int64(found.total))
        #expect(found.text.contains("main.lua:1:41: warning: 14 changed to 13: no test fails"))
        #expect(found.text.contains("a test that would notice it:"))
    }
}
