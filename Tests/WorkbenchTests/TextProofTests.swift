import Scripting
import Testing
import TextFormats

@testable import Prover
@testable import Workbench

/// Proofs about texts that are taken apart or read as numbers.
@Suite("Proofs about texts that are taken apart")
struct TextProofTests {
    private static let policy = """
        local function text(value) return type(value) == "string" and value or "" end
        return policy {
            api = 1,
            rules = { { loan = weeks(3) } },
            checkout = function(case)
                local place, shelf = text(case.copy and case.copy.location), text(case.title.extra.shelf)
                if place:match("^REF") then return deny("reference", "For use here.") end
                local class = tonumber(shelf:sub(1, 3))
                if class and class >= 900 and class < 910 then return deny("atlas", "Atlases stay.") end
            end,
        }
        """

    private static func never(_ name: String, _ condition: String) -> String {
        """
        never("\(name)", "checkout", function(case, decision)
            local place, shelf = case.copy and case.copy.location, case.title.extra.shelf
            if not place or type(shelf) ~= "string" then return false end
            return \(condition) and decision.answer == "allow"
        end)
        """
    }

    /// What lends something that stands nowhere in the sources, with a case in which it does.
    static let refuted = [
        "place:lower():match(\"^ref%-%d+$\")", "place:find(\"ROOM\", 1, true)", "#shelf == 17", "shelf:byte() == 65",
        "shelf:sub(1, 3) == \"910\"", "tonumber(shelf) == 41", "shelf:match(\"^(%u+) [^0-9]*%d\") == \"QA\"",
        "shelf:upper() == \"MAPS\"", "shelf:reverse() == \"spam\"", "tonumber(shelf) == 0.5",
        "shelf:match(\"^(%d+)%.(%d+)$\") == \"912\"", "shelf:find(\"[aeiou]x\") == 1",
        "math.type(tonumber(shelf)) == \"integer\"", "math.type(tonumber(shelf)) == \"float\"",
    ]

    @Test("a text is found that stands nowhere in the sources", arguments: refuted)
    func found(_ condition: String) throws {
        let report = try ListProofTests.report(Self.policy, Self.never("it", condition))
        #expect(report.results[0].status == .refuted, "\(report.text)")
    }

    @Test("what a text is read as is known of all of them")
    func read() throws {
        let report = try ListProofTests.report(
            Self.policy,
            [
                Self.never("an atlas", "(tonumber(shelf:sub(1, 3)) or 0) == 905"),
                Self.never("neither", "tonumber(shelf) and not math.type(tonumber(shelf))"),
            ].joined(separator: "\n"))
        #expect(report.results.map(\.status) == [.proved, .proved], "\(report.text)")
    }

    @Test("a line is reached by a text that only functions ask for")
    func reached() throws {
        let policy = """
            return policy { api = 1, match = { "category" }, rules = { { loan = weeks(3) } },
                checkout = function(case)
                    local year = tonumber(case.copy and case.copy.location or "")
                    if year and year >= 1400 and year < 1500 then
                        return deny("incunable", "Incunables stay.")
                    end
                end }
            """
        let report = try PolicyProof(try ParsedPolicy(name: "policy.lua", source: policy)).report()
        let reach = report.results.filter { $0.name == "every row and every branch is reached" }
        #expect(!reach.isEmpty)
        #expect(reach.allSatisfy { $0.status == .proved }, "\(report.text)")
    }
}
