import Circulation
import Prover
import Scripting
import TestSupport
import Testing
import TextFormats

@testable import Workbench

/// `same`: that a policy decides some cases as another one does.
@Suite("Policies that promise to decide as another one does")
struct SamePolicyTests {
    private static let town = """
        return policy {
            api = 1,
            limits = { { max = 5 } },
            rules = { { item_type = "dvd", loan = days(7) }, { loan = days(14), fine = money "0.20" } },
        }
        """
    /// Lends films elsewhere than in the north for three days only.
    private static let own = """
        return policy {
            api = 1,
            limits = { { max = 5 } },
            rules = {
                { branch = "north", item_type = "dvd", loan = days(7) },
                { item_type = "dvd", loan = days(3) },
                { loan = days(14), fine = money "0.20" },
            },
        }
        """

    private static func report(
        _ policy: String, _ tests: String, others: [String: String] = ["town.lua": town],
        codes: ProofDomain.Codes = .init(), time: Duration = .seconds(60)
    ) throws -> ProofReport {
        let parsed = try ParsedPolicy(name: "policy.lua", source: policy)
        var proof = PolicyProof(
            parsed, tests: (tests, "policy_test.lua"), folder: ScriptFolder(files: others), codes: codes, time: time)
        proof.withBuiltIn = false
        return try proof.report()
    }

    private static func same(_ point: String, _ fields: String = "", file: String = "town.lua") -> String {
        "same(\"it\", \"\(point)\", policy_file \"\(file)\"\(fields.isEmpty ? "" : ", \(fields)"))"
    }

    @Test("it is proved where the cases are decided alike, also of some cases alone")
    func proved() throws {
        for (point, fields) in [
            ("checkout", "{ branch = \"north\" }"),
            ("checkout", "{ copy = { item_type = { \"book\" } }, branch = \"north\" }"),
            ("fine", ""), ("checkin", "{ patron = { category = \"child\" } }"),
        ] {
            let result = try #require(try Self.report(Self.own, Self.same(point, fields)).results.first)
            #expect(result.status == .proved && result.kind == "same", "\(point) \(fields): \(result)")
        }
    }

    @Test("it is refuted by a small case that the desk decides both ways, with a test that the other policy passes")
    func refuted() throws {
        let report = try Self.report(Self.own, Self.same("checkout", "{ branch = \"south\" }"))
        let result = try #require(report.results.first)
        #expect(result.status == .refuted)
        let question = try Case(json: .object(#require(result.question)))
        #expect(question.branches.contains("south"), "a case of the branch")
        let (own, town) = try (LuaPolicy(Self.parsed(Self.own)), LuaPolicy(Self.parsed(Self.town)))
        #expect(own.decide(question).due != town.decide(question).due)
        let other = try #require(result.other)
        #expect(other.file == "town.lua" && other.change.aspect == .due)
        #expect(other.decision == town.decide(question).json())
        let test = try #require(result.test)
        #expect(try PolicyTestRun.run(Self.parsed(Self.town), tests: test, file: "t.lua").isOK, "\(test)")
        #expect(try !PolicyTestRun.run(Self.parsed(Self.own), tests: test, file: "t.lua").isOK)
        let json = try #require(report.json["properties"]?.arrayValue?.first)
        #expect(json["other"]?["file"] == "town.lua" && json["other"]?["aspect"] == "due")
        #expect(report.json["held_against"]?.arrayValue?.first?["file"] == "town.lua")
        #expect(report.text.contains("by town.lua: allow") && report.text.contains("due: "))
    }

    private static func parsed(_ source: String) throws -> ParsedPolicy {
        try ParsedPolicy(name: source == town ? "town.lua" : "policy.lua", source: source)
    }

    @Test("what lies below a branch is of it: with the store's branches only what they allow")
    func codes() throws {
        let property = Self.same("checkout", "{ branch = \"east\" }")
        #expect(try Self.report(Self.own, property).results.map(\.status) == [.refuted])
        #expect(throws: Unsettled.self) {
            try Self.report(Self.own, property, codes: ProofDomain.Codes(branches: ["north": [], "south": []]))
        }
        let below = ProofDomain.Codes(branches: ["east": ["north"], "north": [], "south": []])
        #expect(try Self.report(Self.own, property, codes: below).results.map(\.status) == [.proved])
    }

    @Test("functions are part of it, and what they cannot be followed in is unknown with its line")
    func functions() throws {
        let loop = """
            checkout = function(case)
                local here = 0
                for _, loan in ipairs(case.patron.loans) do
                    if loan.on_site then here = here + 1 end
                end
                if here > 6 then return deny("here", "Seven are enough.") end
            end,
            """
        func report(_ loop: String) throws -> ProofReport.Result {
            let policy = Self.own.replacing("api = 1,", with: "api = 1,\n\(loop)")
            return try #require(
                try Self.report(policy, Self.same("checkout", "{ branch = \"north\" }")).results.first)
        }
        let counted = try report(loop)
        #expect(
            counted.status == .refuted && counted.question?["patron"]?["loans"]?.arrayValue?.count == 7, "\(counted)")
        let doubled = try report(
            loop.replacing("here = here + 1", with: "here = here * 2 + 1").replacing("here > 6", with: "here > 600"))
        #expect(doubled.status == .unknown && doubled.because?.line == 5, "\(doubled)")
        let age = Self.own.replacing(
            "api = 1,",
            with:
                "api = 1, checkout = function(case) if (case.patron.age or 0) > 130 then return deny('a', 'b') end end,"
        )
        let refuted = try #require(try Self.report(age, Self.same("checkout", "{ branch = \"north\" }")).results.first)
        #expect(refuted.status == .refuted && refuted.question?["patron"]?["age"] == 131, "\(refuted)")
    }

    @Test("the cases are those whose fields are so: flags, numbers, amounts, texts and fields of the library's own")
    func fields() throws {
        let policy = Self.town.replacing(
            "api = 1,",
            with: """
                api = 1, checkout = function(case)
                    if case.patron.holds == 3 or case.patron.fees_owed == money "2.00" or case.title.extra.mark == "red"
                        or case.patron.language == "de" or case.actor.channel == "web" then return deny("a", "b") end
                end,
                """)
        for (fields, status) in [
            (
                "{ patron = { holds = 2, fees_owed = money \"1.00\", language = \"fr\" }, title = { extra = { mark = \"blue\" } }, "
                    + "actor = { channel = \"desk\" } }", ProofReport.Status.proved
            ),
            ("{ patron = { holds = { 2, 3 } } }", .refuted), ("{ patron = { fees_owed = money \"2.00\" } }", .refuted),
            ("{ title = { extra = { mark = \"red\" } } }", .refuted), ("{ actor = { channel = \"web\" } }", .refuted),
        ] {
            let report = try Self.report(policy, Self.same("checkout", fields))
            #expect(report.results.map(\.status) == [status], "\(fields)")
        }
    }

    @Test("a condition of a row that fails is another decision at every point, whatever the row says")
    func failingConditions() throws {
        let other = Self.town.replacing(
            "rules = { ", with: "rules = { { when = function(case) return case.patron.age > 1 end, renewals = 2 }, ")
        let result = try #require(
            try Self.report(Self.town, Self.same("fine"), others: ["town.lua": other]).results.first)
        #expect(result.status == .refuted && result.other?.change.before.words == "fails (lua_error)")
    }

    @Test("tables of many rows are compared row by row")
    func manyRows() throws {
        func policy(_ last: Int) -> String {
            let rows = (1...100).map { "{ category = \"c\($0)\", loan = days(\($0 == 100 ? last : $0)) }" }
            return "return policy { api = 1, rules = { \(rows.joined(separator: ", ")), { loan = days(200) } } }"
        }
        let others = [
            "town.lua": policy(7), "same.lua": policy(100).replacing("api = 1,", with: "api = 1, limits = {},"),
        ]
        let refuted = try Self.report(policy(100), Self.same("checkout"), others: others)
        #expect(refuted.results.map(\.status) == [.refuted])
        let proved = try Self.report(policy(100), Self.same("checkout", file: "same.lua"), others: others)
        #expect(proved.results.map(\.status) == [.proved])
    }

    @Test(
        "wrong arguments are told with what was meant",
        arguments: [
            (
                "same(\"it\", \"chekout\", policy_file \"town.lua\")",
                "there is no decision point 'chekout' (did you mean 'checkout'?)"
            ),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { brunch = \"north\" })",
                "the case has no 'brunch' (did you mean 'branch'?)"
            ),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { category = \"child\" })",
                "did you mean 'patron.category'?"
            ),
            ("same(\"it\", \"fine\", policy_file \"town.lua\", { branch = 3 })", "'branch' is a text, not 3"),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { patron = { holds = \"3\" } })",
                "'patron.holds' is a whole number"
            ),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { patron = { loans = 3 } })",
                "of 'patron.loans' nothing can be said here"
            ),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { patron = \"ada\" })",
                "'patron' is a part of the case"
            ),
            (
                "same(\"it\", \"fine\", policy_file \"town.lua\", { actor = { channel = \"wbe\" } })",
                "did you mean 'web'?"
            ),
            ("same(\"it\", \"fine\", \"town.lua\")", "same: arguments are a name, a decision point, policy_file"),
            (
                "same(\"it\", \"fine\", policy_file \"../town.lua\")",
                "policy_file: argument 1 must be the name of a file"
            ),
            ("same(\"it\", \"fine\", policy_file \"village.lua\")", "there is no village.lua beside the tests"),
        ])
    func faults(_ source: String, _ words: String) throws {
        do {
            _ = try Self.report(Self.own, source)
            Issue.record("\(source) is taken")
        } catch let unsettled as Unsettled {
            #expect(unsettled.message.contains(words) && unsettled.file == "policy_test.lua" && unsettled.line == 1)
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test("tests pass it over, and say what is wrong with its arguments")
    func tests() throws {
        let source = Self.same("checkout", "{ branch = \"north\" }") + "\ntest(\"t\", function() end)"
        #expect(try PolicyTestRun.run(Self.parsed(Self.own), tests: source, file: "t.lua").isOK)
        let wrong = try PolicyTestRun.run(
            Self.parsed(Self.own), tests: Self.same("checkout", "{ brunch = 1 }"), file: "t.lua")
        #expect(!wrong.isOK && wrong.text.contains("did you mean 'branch'?"))
    }

    @Test("another policy in a folder finds what it requires there")
    func folders() throws {
        let others = [
            "lib/town.lua": "local days_of = require \"terms\"\n"
                + Self.town.replacing("days(7)", with: "days_of.film"),
            "lib/terms.lua": "return { film = days(7) }",
        ]
        let property = Self.same("checkout", "{ branch = \"north\" }", file: "lib/town.lua")
        #expect(try Self.report(Self.own, property, others: others).results.map(\.status) == [.proved])
    }

    @Test("the page has what either policy decides")
    func page() throws {
        let report = try Self.report(Self.own, Self.same("checkout", "{ branch = \"south\" }"))
        let page = ProofPage(report, policy: "own", library: nil, date: try CivilDate(parsing: "2026-01-15")).html
        for part in ["<h2>Broken: The same: it.</h2>", "town.lua decides otherwise (due: "] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(TableMarkup.faults(in: page) == [])
    }
}
