import Testing

@testable import Prover
@testable import Workbench

/// Proofs about policies of which a part cannot be followed.
@Suite("Proofs where a way cannot be followed")
struct OpenWayTests {
    /// A policy that asks what no proof can follow of all who are not refused before.
    private static let policy = """
        return policy {
            api = 1,
            rules = { { loan = weeks(3) } },
            checkout = function(case)
                if has(case.patron.categories, "child") and case.title.extra.audience == "adults" then
                    return deny("adults", "For adults.")
                end
                local audience = tostring(case.title.extra.audience)
                for word in audience:gmatch("%a+") do
                    if word == "odd" then return deny("odd", "No.") end
                end
            end,
        }
        """

    @Test("what was decided before holds, whatever is decided there")
    func before() throws {
        let properties = """
            never("a child takes what is for adults", "checkout", function(case, decision)
                return has(case.patron.categories, "child") and case.title.extra.audience == "adults"
                    and decision.answer == "allow"
            end)
            never("a child is lent", "checkout", function(case, decision)
                return decision.answer == "allow" and has(case.patron.categories, "child")
            end)
            never("of such a text", "checkout", function(case, decision)
                return decision.answer == "allow" and case.title.extra.audience == "abba"
            end)
            never("refused by a code that there is not", "checkout", function(case, decision)
                return decision.code == "neither"
            end)
            """
        let report = try ListProofTests.report(Self.policy, properties)
        #expect(report.results.map(\.status) == [.proved, .refuted, .refuted, .unknown], "\(report.text)")
        #expect(report.results.last?.because?.line == 9, "\(report.text)")
    }
}
