import Circulation
import Prover
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Faults planted in promising policies are refuted, each with a case")
struct PlantedPromiseTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        let policy: PromisedPolicy
        let fault: PromisedPolicy.Fault

        var testDescription: String { "\(policy.name): \(fault.new)" }
    }

    static let planted = PromisedPolicy.all.flatMap { policy in
        policy.faults.map { Planted(policy: policy, fault: $0) }
    }

    /// - Parameter promise: the one that is looked at; nil: all of them.
    private static func report(
        _ parsed: ParsedPolicy, _ policy: PromisedPolicy, of promise: String? = nil
    ) throws -> ProofReport {
        var proof = PolicyProof(parsed, tests: (policy.promises, "\(policy.name)_test.lua"))
        proof.withBuiltIn = false
        proof.words = promise
        return try proof.report()
    }

    @Test("what a policy promises is proved, none of it left unknown", arguments: PromisedPolicy.all)
    func sound(policy: PromisedPolicy) throws {
        let report = try Self.report(policy.parsed(), policy)
        #expect(report.results.count >= 4)
        #expect(report.count(.proved) == report.results.count, "\(report.text)")
    }

    @Test("a fault is refuted by a case that the desk decides as the report says", arguments: planted)
    func refuted(planted: Planted) throws {
        let parsed = try planted.policy.parsed(with: planted.fault)
        let report = try Self.report(parsed, planted.policy, of: planted.fault.promise)
        let result = try #require(report.results.first { $0.name == planted.fault.promise }, "\(report.text)")
        #expect(result.status == .refuted, "\(report.text)")
        let object = try #require(result.question)
        let decision = try LuaPolicy(parsed).decide(Case(json: .object(object)))
        #expect(decision.answer.rawValue == result.decision?["answer"]?.stringValue)
    }

    @Test("there are more than thirty of them, and each breaks a promise of its policy")
    func count() {
        #expect(Self.planted.count > 30)
    }
}
