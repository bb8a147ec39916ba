import Circulation
import Prover
import Scripting
package import TextFormats
import Workbench

/// Holds proofs about a policy against what the desk decides in many cases.
package struct AgreementTrial {
    let point: DecisionPoint
    private let session: ProofSession
    private let time: Duration
    private let records: LibraryCase
    /// The policy with a small change beside it.
    let changed: ChangedPolicy?
    private let matrix: MatrixTrial

    var deadline: ContinuousClock.Instant { .now + time }

    /// What a trial has found out.
    package struct Result {
        /// Cases that were held against the ways.
        package var cases = 0
        package var paths = 0
        package var proved = 0, refuted = 0, unknown = 0
        /// Cases of which it is certain which way they go.
        package var certain = 0
        package var disagreements: [Disagreement] = []
    }

    /// A case in which a proof and the desk are at odds.
    package struct Disagreement {
        package let what: String
        package let question: JSONObject
    }

    /// - Throws: as ``ProofSession`` does, for a policy that the desk does not take or that a proof cannot follow.
    ///
    /// - Parameter seed: which small change is made to the policy, to be compared with it.
    package init(_ text: PolicyWriter.Text, seed: UInt64 = 1) throws {
        let parsed = try ParsedPolicy(name: "policy.lua", source: text.policy)
        let session = try ProofSession(PolicyProof(parsed, tests: (text.properties, "policy_test.lua")))
        self.init(
            session, at: text.point, records: LibraryCase(parsed.fields), time: .seconds(5),
            matrix: try MatrixTrial(parsed, seed: seed, time: .seconds(5)), ChangedPolicy(parsed, seed: seed))
    }

    /// - Parameter time: how long a proof may take.
    init(
        _ session: ProofSession, at point: DecisionPoint, records: LibraryCase, time: Duration,
        matrix: MatrixTrial, _ changed: ChangedPolicy? = nil
    ) {
        (self.session, self.point, self.records, self.time) = (session, point, records, time)
        (self.matrix, self.changed) = (matrix, changed)
    }

    /// Random cases for it.
    package func questions(_ count: Int, seed: UInt64) -> [JSONObject] {
        var cases = RandomCase(random: SeededGenerator(seed: seed), base: session.cases(seed: seed))
        return (0..<count).map { _ in cases.make(point) }
    }

    /// Random cases of the words that a policy itself names.
    func ownQuestions(_ count: Int, seed: UInt64) -> [JSONObject] {
        let make = session.cases(seed: seed)
        return (0..<count).map { _ in
            var object = make(point)
            object["time_zone"] = nil
            return object
        }
    }

    /// What comes of some cases; a solver that fails is a disagreement too.
    package func outcome(of questions: [JSONObject]) -> Result {
        do {
            return try result(of: questions)
        } catch {
            var result = Result()
            result.cases = questions.count
            result.disagreements = questions.prefix(1).map { .init(what: "the solver: \(error)", question: $0) }
            return result
        }
    }

    private func result(of questions: [JSONObject]) throws -> Result {
        var result = Result()
        let cases = questions.compactMap { object -> Asked? in
            guard let question = try? Case(json: .object(object), records) else { return nil }
            return Asked(
                object: object, question: question, decision: session.decide(question), known: KnownCase(question))
        }
        result.cases = cases.count
        let ways = try session.prover.ways(at: point, records: records, until: deadline)
        result.paths = ways.count
        for asked in cases {
            let verdict = ways.verdict(on: asked.known, asked.decision)
            result.note(verdict, "the decision", asked.object, isComplete: ways.isComplete)
        }
        for property in session.prover.properties where property.point == point {
            try judge(property, cases, &result)
        }
        for property in BuiltInProperty.allCases where session.points(of: property).contains(point) {
            try judge(property, cases, &result)
        }
        try judgeChange(cases.map { ($0.object, $0.question, $0.decision) }, &result)
        for asked in cases {
            guard let what = matrix.disagreement(on: asked.object) else { continue }
            result.disagreements.append(.init(what: "the matrix: \(what)", question: asked.object))
            break
        }
        return result
    }

    /// A case that the desk has decided.
    private struct Asked {
        let object: JSONObject
        let question: Case
        let decision: Decision
        let known: KnownCase
    }

    private func judge(_ property: Property, _ cases: [Asked], _ result: inout Result) throws {
        let ways = try session.prover.ways(at: property.point, breaking: property, records: records, until: deadline)
        let status = try session.prove(property, until: deadline).status
        result.count(status)
        for asked in cases {
            let isBroken = session.breaks(property, asked.object, asked.question, asked.decision)
            if isBroken, status == .proved {
                result.disagreements.append(
                    .init(what: "\(property.name) is proved, and broken", question: asked.object))
            }
            let verdict = ways.verdict(on: asked.known, isBroken: isBroken)
            result.note(verdict, property.name, asked.object, isComplete: ways.isComplete)
        }
    }

    private func judge(_ property: BuiltInProperty, _ cases: [Asked], _ result: inout Result) throws {
        let status = try session.prove(property, at: point, until: deadline).status
        result.count(status)
        guard status == .proved else { return }
        for asked in cases where property.isBroken(by: asked.decision, of: asked.question) {
            result.disagreements.append(
                .init(what: "\(property.rawValue): proved, and broken", question: asked.object))
        }
    }
}

extension AgreementTrial.Result {
    mutating func count(_ status: ProofReport.Status) {
        switch status {
        case .proved: proved += 1
        case .refuted: refuted += 1
        case .unknown: unknown += 1
        }
    }

    fileprivate mutating func note(
        _ verdict: PolicyWays.Verdict, _ name: String, _ object: JSONObject, isComplete: Bool
    ) {
        if verdict.certain == 1 { certain += 1 }
        guard let what = verdict.disagreement, isComplete else { return }
        disagreements.append(.init(what: "\(name): \(what)", question: object))
    }
}
