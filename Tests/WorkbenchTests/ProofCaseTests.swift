import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// The cases that refutations show.
@Suite("Cases of proofs")
struct ProofCaseTests {
    private static func report(
        _ policy: String, _ properties: String = "", withBuiltIn: Bool = false
    ) throws -> ProofReport {
        var proof = PolicyProof(
            try ParsedPolicy(name: "policy.lua", source: policy), tests: (properties, "policy_test.lua"))
        proof.withBuiltIn = withBuiltIn
        return try proof.report()
    }

    private static func lending(_ rows: String, _ more: String) -> String {
        "return policy { api = 1, rules = { \(rows) }, \(more) }"
    }

    @Test("lists within lists are written as they are, so that what looks through blocks has its case")
    func nestedLists() throws {
        let policy = """
            local function is_barred(patron)
                for _, block in ipairs(patron.blocks) do
                    for _, action in ipairs(block.actions) do
                        if action == "hold" then return true end
                    end
                end
                return false
            end

            """
        let barred = Self.lending(
            "{ loan = days(14) }",
            "checkout = function(case) if is_barred(case.patron) then return deny(\"barred\", \"Barred.\") end end")
        for condition in ["decision.answer == \"allow\"", "decision.code == \"barred\""] {
            let report = try Self.report(
                policy + barred, "never(\"it\", \"checkout\", function(case, decision) return \(condition) end)")
            #expect(report.results.map(\.status) == [.refuted], "\(report.text)")
        }
    }

    /// What is asked of a patron's blocks, and whether the desk itself sees to it that it never comes about.
    static let blocks: [(property: String, status: ProofReport.Status)] = [
        ("#case.patron.blocks > 0", .refuted),
        ("stops(case, function(block) return has(block.actions, \"renew\") end)", .refuted),
        ("stops(case, function(block) return block.ends == nil end)", .refuted),
        ("stops(case, function(block) return block.ends == nil and has(block.actions, \"renew\") end)", .proved),
    ]

    @Test("what the desk asks of blocks, policies see of them one by one", arguments: blocks)
    func desksBlocks(_ property: String, _ status: ProofReport.Status) throws {
        let words = """
            local function stops(case, test)
                for _, block in ipairs(case.patron.blocks) do if test(block) then return true end end
                return false
            end
            never("it", "renew", function(case, decision) return decision.answer == "allow" and
            """
        let report = try Self.report(
            "return policy { api = 1, rules = { { loan = days(14), renewals = 3 } } }", "\(words) \(property) end)")
        #expect(report.results.map(\.status) == [status], "\(report.text)")
    }

    @Test("a list of texts has what one of its elements is")
    func textsAndElements() throws {
        let words = """
            local function listed(texts, word)
                for _, text in ipairs(texts) do if text == word then return true end end
                return false
            end
            never("it", "checkout", function(case, decision)
                return listed(case.title.genres, "crime") ~= has(case.title.genres, "crime")
            end)
            never("it is", "checkout", function(case, decision) return listed(case.title.genres, "crime") end)
            """
        let report = try Self.report("return policy { api = 1, rules = { { loan = days(14) } } }", words)
        #expect(report.results.map(\.status) == [.proved, .refuted], "\(report.text)")
    }

    @Test("a list of texts that is gone through has the texts that were looked for")
    func texts() throws {
        let policy = Self.lending(
            "{ loan = days(14) }",
            """
            checkout = function(case)
                local thrillers = 0
                for _, genre in ipairs(case.title.genres) do
                    if genre == "thriller" or genre == "crime" then thrillers = thrillers + 1 end
                end
                if thrillers >= 2 then return deny("dark", "Too dark.") end
            end
            """)
        let report = try Self.report(
            policy, "never(\"it\", \"checkout\", function(case, decision) return decision.code == \"dark\" end)")
        #expect(report.results.map(\.status) == [.refuted], "\(report.text)")
    }

    @Test("of two cases the smaller one stays above the other, and it is said in what they differ")
    func besides() throws {
        let policy = Self.lending(
            "{ category = \"child\", loan = days(7) }, { loan = days(14) }",
            """
            checkout = function(case)
                if case.patron.category == "child" and #case.patron.loans > 2 then return deny("most", "Too many.") end
            end
            """)
        let result = try #require(
            try Self.report(policy, withBuiltIn: true).results.first {
                $0.name == BuiltInProperty.inherits.rawValue && $0.status == .refuted
            })
        #expect(["child", ["child"]].contains(result.question?["patron"]?["category"]))
        #expect(result.beside?["patron"]?["category"]?.arrayValue?.contains("child") == true)
        #expect(result.changeBeside?.aspect == .answer)
    }
}
