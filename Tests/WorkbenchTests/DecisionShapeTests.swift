import Circulation
import Scripting
import Testing
import Workbench

@Suite("What tests of policies expect of a decision")
struct DecisionShapeTests {
    private let policy = """
        return policy {
            fields = { "shelf" }, rules = { { loan = days(14), fine = money "0.20", shelf = "A" } },
            checkout = function(case)
                if case.patron.age < 18 then return deny("young", "Too young.") end
            end,
            publish = function(case)
                if case.listing.price == nil then return deny("no_price", "Please name a price.") end
                return allow()
            end,
        }
        """

    private func report(_ body: String) throws -> PolicyTestReport {
        try PolicyTestRun.run(
            try ParsedPolicy(name: "main.lua", source: policy), tests: "test('t', function()\n\(body)\nend)",
            file: "main_test.lua")
    }

    private static let adult = "given { patron = { age = 20 } }"
    private static let late = "given { point = 'fine', loan = { days_overdue = 3 } }"

    @Test(
        "a name that no decision has is an error with the nearest one, however deep it stands",
        arguments: [
            ("expect(\(late), { fien = none })", "a decision has no field 'fien' (did you mean 'fine'?)"),
            ("expect(\(adult), { where = { tabel = none } })", "'where' of a decision has no field 'tabel'"),
            ("expect(\(adult), { fields = { reneewals = none } })", "'fields' of a decision has no field 'reneewals'"),
            (
                "expect(given { point = 'overdue' }, { notices = { { stge = 'x' } } })",
                "'notices[1]' of a decision has no field 'stge' (did you mean 'stage'?)"
            ),
            ("local d = \(adult)\nexpect(d.anwser, none)", "a decision has no field 'anwser' (did you mean 'answer'?)"),
            ("expect(\(adult).anwser, none)", "a decision has no field 'anwser' (did you mean 'answer'?)"),
            (
                "local function lent() return \(adult) end\nexpect(lent().anwser, none)",
                "a decision has no field 'anwser' (did you mean 'answer'?)"
            ),
            (
                "local d = desk { patrons = { ann = 'x' }, copies = { a = 'book' } }\n"
                    + "expect(d.hold('ann', 'a'), { positon = none })",
                "a decision has no field 'positon' (did you mean 'position'?)"
            ),
        ])
    func unknownNames(body: String, message: String) throws {
        let report = try report(body)
        #expect(report.tests.map(\.status) == [.error])
        #expect(report.tests[0].message?.contains(message) == true, "\(report.text)")
        #expect(report.tests[0].line > 1)
    }

    @Test(
        "names that decisions have, a rule's own fields, and other tables are let pass",
        arguments: [
            "expect(\(adult), { fine = none, where = none, fields = { shelf = 'A', grace = none } })",
            "local d = \(adult)\nd.note = 1\nexpect(d.note, 1)",
            "local d = \(adult)\nd = { anwser = 1 }\nexpect(d.anwser, 1)",
            "expect({ answer = 'yes' }, { fien = none })",
            "local first = \(adult)\nexpect(\(adult), first)",
        ])
    func knownNames(body: String) throws {
        let report = try report(body)
        #expect(report.isOK, "\(report.text)")
    }

    @Test(
        "a decision that failed satisfies nobody who does not expect it, and says where it failed",
        arguments: [
            ("expect(given {}, { fine = none })", "the policy failed at main.lua:4: "),
            ("expect(given {}, { answer = 'allow' })", "the policy failed at main.lua:4: "),
            ("expect(given {}, { failure = none })", "the policy failed at main.lua:4: "),
            ("expect(given {}.fine, none)", "the policy failed at main.lua:4: "),
            (
                "expect(given {}.due, date '2026-01-29')",
                "expected 2026-01-29, got nothing: the policy failed at main.lua:4: "
            ),
        ])
    func failures(body: String, message: String) throws {
        let report = try report(body)
        #expect(report.tests.map(\.status) == [.fail])
        #expect(report.tests[0].message?.hasPrefix(message) == true, "\(report.text)")
    }

    @Test(
        "who expects that the policy fails may say so",
        arguments: [
            "expect(given {}, { answer = 'failed' })", "expect(given {}, { failure = { code = 'lua_error' } })",
            "given {}\nexpect(\(adult), { fine = none })",
        ])
    func expectedFailures(body: String) throws {
        let report = try report(body)
        #expect(report.isOK, "\(report.text)")
    }

    @Test(
        "how late a loan is must fit when it was due",
        arguments: [
            ("days_overdue = 3, due_at = '2026-01-14'", false), ("days_overdue = 3, due_at = '2026-01-12'", true),
            ("days_overdue = 0, due_at = '2026-02-12'", true),
            ("hours_overdue = 3, due_at = '2026-01-15T08:00'", false),
            ("hours_overdue = 4, due_at = '2026-01-15T08:00'", true),
        ])
    func lateness(loan: String, fits: Bool) throws {
        let report = try report("given { point = 'fine', loan = { \(loan) } }")
        #expect(report.isOK == fits, "\(report.text)")
        if !fits { #expect(report.tests[0].message?.contains("3 does not fit due_at, 2026-01-1") == true) }
    }

    @Test("a listing may have no price, in words and as other parts are taken away", arguments: ["none", "false"])
    func noPrice(price: String) throws {
        let report = try report(
            "expect(given { point = 'publish', listing = { price = \(price) } }, { code = 'no_price' })\n"
                + "expect(given { point = 'publish' }, { answer = 'allow' })")
        #expect(report.isOK, "\(report.text)")
    }
}
