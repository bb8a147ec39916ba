import Circulation
import ProofAgreement
import Testing
import TextFormats

/// That proofs and the desk say the same of policies written at random, and of those in which they once did not.
@Suite("Proofs and the desk agree")
struct AgreementTests {
    @Test("on policies written at random")
    func random() throws {
        let report = try Agreement(seed: 1, count: 25, casesEach: 20).run()
        #expect(report.findings.isEmpty, "\(report.findings.map(\.words).joined())")
        #expect(report.total.cases >= 25 && report.total.paths > 0)
    }

    @Test("the same number writes the same policy, and another one another")
    func seeds() {
        func policy(_ seed: UInt64) -> String {
            var writer = PolicyWriter(seed: seed)
            return writer.write().policy
        }
        #expect(policy(7) == policy(7) && policy(7) != policy(8))
    }

    /// The function of a point, and what is asked of what it decides, where a proof once was at odds with the desk.
    struct Point: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var point = DecisionPoint.checkout
        var top = ""
        let body: String
        var rows = "{ loan = days(14) }"
        /// What never holds of a decision.
        var test = "decision.code == \"no\""
    }

    private static func refusing(_ what: String, _ condition: String, _ before: String = "", top: String = "") -> Point
    {
        Point(
            testDescription: what, top: top, body: "\(before)\nif \(condition) then return deny(\"no\", \"No.\") end")
    }

    static let points: [Point] = [
        refusing(
            "what a predicate changes outside of it stays changed", "p(case) and t.n > 1",
            "local t = { n = 0 }\nlocal function p(c) t.n = t.n + 2; return c.patron.holds > 2 or c.patron.lost > 2 end"
        ),
        refusing(
            "a predicate that gives a second value", "select(\"#\", p(case)) == 2",
            top: "local function p(case) return case.patron.holds > 1, 2 end"),
        refusing(
            "pairs goes through keys in one order", "first == 1",
            "local first\nfor _, v in pairs(T) do first = first or v end",
            top: "local T = { b = 2, a = 1 }"),
        refusing(
            "ipairs sees what has been added meanwhile", "seen == case.patron.holds",
            "local t, seen = { 1 }, 0\nfor i in ipairs(t) do seen = i; if i < 3 then t[i + 1] = i end end"),
        refusing("a text that is a number is reckoned with", "\"2\" + 1 == case.patron.holds"),
        refusing("a float and what is no number raise", "1.5 + case.patron.fees_owed == 1"),
        refusing("records of the case are tables", "type(case.patron) == \"table\" and case.patron.holds > 1"),
        refusing(
            "what is not a number is no number of itself", "x ~= x",
            "local n = case.patron.holds\nlocal x = (n / 1) * (0 / 0)"),
        refusing("kinds of numbers", "math.type(case.patron.holds / 2) == \"float\""),
        refusing(
            "kinds of fields of the library's own",
            "math.type(case.title.extra.x) == \"float\" or math.type(case.patron.extra.y) == \"integer\""),
        refusing("kinds of what is no number", "math.type(case.patron.fees_owed) ~= nil or math.type(nil) ~= nil"),
        refusing("a number of another base", "tonumber(case.patron.language, 2) == 1"),
        refusing(
            "more captures than one", "a and b",
            "local a, b = string.match(case.patron.language or \"a1\", \"(%a)(%d)\")"),
        refusing(
            "how often a text was changed", "n == 0",
            "local _, n = string.gsub(case.patron.category, \"a\", \"b\")"),
        refusing(
            "places are found before they are set", "t[1] == 5", "local i, t = 1, {}\ni, t[i] = i + 1, 5"),
        refusing("an error's words have its place", "got == \"x\"", "local ok, got = pcall(error, \"x\")"),
        refusing("nothing has no kind", "type(p()) == \"nil\"", top: "local function p() end"),
        refusing("what a proof does not know is no error", "xpcall(type, type, 1)"),
        refusing(
            "a date beyond the calendar",
            "case.patron.expires_on ~= nil and case.patron.expires_on + days(2900000) > case.now"),
        refusing("an amount times a float without fraction", "case.patron.fees_owed * 2.0 > money \"4.00\""),
        Point(testDescription: "a code without letters", body: "return deny(case.patron.language or \"\", \"No.\")"),
        Point(testDescription: "a table that is no list of effects", point: .lost, body: "return { key = 1 }"),
        Point(testDescription: "a part of the case as an answer", point: .lost, body: "return case"),
        Point(
            testDescription: "what the desk would say depends on the way",
            top: "local function none() return standard() == nil end",
            body: "if none() then return deny(\"no\", \"No.\") end",
            rows: "{ category = \"a\", lend = false }, { loan = days(3) }"),
        Point(
            testDescription: "a condition of a row that fails, whatever the row says", point: .fine, body: "",
            rows: "{ when = function(case) return case.patron.age > 1 end, renewals = 2 }, { loan = days(3) }"),
        Point(
            testDescription: "a charge without a key", point: .lost,
            body: "return charge { key = case.patron.language or \"\", amount = money \"1.00\", label = \"L\" }"),
        Point(
            testDescription: "a failure of the due time", point: .due,
            body: "if case.patron.holds > 1 then error(\"no\") end",
            test: "decision.failure ~= nil and decision.failure.code == \"lua_error\""),
        Point(
            testDescription: "the desk's own words",
            body:
                "local s = standard()\nif s and s.message ~= \"The desk's own words.\" then return deny(\"no\", \"No.\") end",
            rows: "{ lend = false, loan = days(3) }"),
        Point(
            testDescription: "one of two reasons of a kind is handed on", body: "return standard()",
            rows: "{ loan = days(1) } }, limits = { { category = \"a\", max = 2 }, { max = 1 }"),
        Point(
            testDescription: "a row of limits with a window tells no open loans apart", body: "",
            rows: "{ loan = days(1) } }, limits = { { item_type = \"book\", within = days(1), max = 4 }"),
        Point(
            testDescription: "what a row's function counts in a list is asked of short ones too", body: "",
            rows: "{ when = function(case) local n = 0 for _, e in ipairs(case.patron.loans) do "
                + "if e.on_site then n = n + 1 end end return n < 2 end, loan = days(3) }"),
        Point(
            testDescription: "a notice of several in one", point: .overdue,
            body:
                "return notice { stage = \"a\", channel = \"email\", subject = \"S\", body = \"B\", digest = \"all\" }"),
        Point(
            testDescription: "a list is within nothing", body: "",
            test: "has(case.patron.categories, \"child\") and not within(case.patron.categories, \"child\")"),
    ]

    @Test("where they once were at odds", arguments: points)
    func point(_ point: Point) throws {
        let name = point.point.rawValue
        let policy =
            "\(point.top)\nreturn policy { api = 1, rules = { \(point.rows) }, \(name) = function(case)\n\(point.body)\nend }"
        let asked = point.point == .due ? DecisionPoint.checkout : point.point
        let properties = "never(\"it\", \"\(asked.rawValue)\", function(case, decision) return \(point.test) end)"
        let trial = try AgreementTrial(.init(policy: policy, properties: properties, point: asked))
        let outcome = trial.outcome(of: trial.questions(25, seed: 3))
        #expect(outcome.cases > 20 && outcome.disagreements.isEmpty, "\(outcome.disagreements.map(\.what))")
    }
}
