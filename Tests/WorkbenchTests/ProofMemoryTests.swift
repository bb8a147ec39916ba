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
        let text = writer.write()
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
