import Circulation
import ProofAgreement
import Testing

@testable import Prover
@testable import Scripting
@testable import Workbench

/// That nothing of a proof is kept when it has ended: a server makes many.
@Suite("What is left of a proof")
struct ProofMemoryTests {
    /// A solver, for as long as something else keeps it.
    private final class Witness {
        weak var solver: Solver?
    }

    @Test("the solver goes with the proof, also of ways that are broken off", arguments: UInt64(1)...12)
    func proofs(_ seed: UInt64) throws {
        let witness = Witness()
        try prove(seed, witness)
        #expect(witness.solver == nil)
    }

    private func prove(_ seed: UInt64, _ witness: Witness) throws {
        var writer = PolicyWriter(seed: seed)
        try prove(writer.write(), witness)
    }

    @Test("it goes also where a policy puts lists together")
    func lists() throws {
        let policy = """
            return policy { rules = { { loan = days(14) } }, price = function(case)
                local lines, sum = {}, money "0.00"
                for i, line in ipairs(case.lines or {}) do
                    lines[#lines + 1] = { label = line.label, amount = line.amount }
                    sum = sum + line.amount
                end
                return lines
            end }
            """
        let property = """
            always("it", "price", function(case, decision) return (decision.total or money "0.00") >= money "0.00" end)
            """
        let witness = Witness()
        try prove(.init(policy: policy, properties: property, point: .price), witness)
        #expect(witness.solver == nil)
    }

    private func prove(_ text: PolicyWriter.Text, _ witness: Witness) throws {
        guard let parsed = try? ParsedPolicy(name: "policy.lua", source: text.policy),
            let session = try? ProofSession(PolicyProof(parsed, tests: (text.properties, "policy_test.lua")))
        else { return }
        witness.solver = session.prover.solver
        for property in session.prover.properties { _ = try session.prove(property, until: .now + .seconds(5)) }
        for point in DecisionPoint.allCases { _ = session.prover.outcomes(at: point, until: .now + .seconds(1)) }
        _ = try session.prover.ways(at: text.point, until: .now + .seconds(5))
        #expect(witness.solver != nil)
    }
}
