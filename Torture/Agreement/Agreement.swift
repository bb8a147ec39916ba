import Circulation
import Prover
package import TextFormats

/// Holds proofs against the desk in many written policies.
package struct Agreement {
    package var seed: UInt64
    /// How many pairs of a policy and a case.
    package var count: Int
    /// How many cases each policy is asked.
    package var casesEach: Int

    package init(seed: UInt64 = 1, count: Int = 1_000, casesEach: Int = 250) {
        (self.seed, self.count, self.casesEach) = (seed, count, casesEach)
    }

    /// What a run has found.
    package struct Report {
        package var policies = 0, refused = 0
        /// Policies of which all cases of a small domain were asked.
        package var enumerated = 0
        package var total = AgreementTrial.Result()
        package var findings: [Finding] = []
    }

    /// A policy, as small as it goes, and a case in which a proof and the desk are at odds.
    package struct Finding {
        package let seed: UInt64
        package let text: PolicyWriter.Text
        package let what: String
        package let question: JSONObject

        package var words: String {
            "seed \(seed), \(text.point.rawValue): \(what)\n\(text.policy)\(text.properties)\(JSON.object(question).text())\n"
        }
    }

    /// - Parameter progress: is handed each finding.
    /// - Throws: ``ProofError``.
    package func run(until isDone: () -> Bool = { false }, found: (Finding) -> Void = { _ in }) throws -> Report {
        var report = Report()
        var seed = seed
        while report.total.cases < count, !isDone() {
            var writer = PolicyWriter(seed: seed)
            let text = writer.write()
            defer { seed += 1 }
            guard let trial = try Self.trial(text, seed) else {
                report.refused += 1
                continue
            }
            let small = SmallDomain(text).cases
            if !small.isEmpty { report.enumerated += 1 }
            let result = trial.outcome(of: small + trial.questions(min(casesEach, count), seed: seed))
            report.policies += 1
            report.total.add(result)
            // One finding for each policy: the others have mostly the same cause.
            guard let first = result.disagreements.first else { continue }
            let finding = Self.finding(text, first, seed)
            report.findings.append(finding)
            found(finding)
        }
        return report
    }

    /// nil where the desk does not take a policy, or a proof cannot follow its file.
    private static func trial(_ text: PolicyWriter.Text, _ seed: UInt64) throws -> AgreementTrial? {
        do {
            return try AgreementTrial(text, seed: seed)
        } catch let error as ProofError {
            throw error
        } catch {
            return nil
        }
    }

    private static func disagreement(
        _ text: PolicyWriter.Text, _ question: JSONObject, _ seed: UInt64
    ) -> AgreementTrial.Disagreement? {
        guard let trial = try? Self.trial(text, seed) else { return nil }
        return trial.outcome(of: [question]).disagreements.first
    }

    private static func finding(
        _ text: PolicyWriter.Text, _ disagreement: AgreementTrial.Disagreement, _ seed: UInt64
    ) -> Finding {
        let question = disagreement.question
        let small = PolicyShrinker.shrunk(text) { candidate in
            guard let found = Self.disagreement(candidate, question, seed) else { return false }
            return found.what.prefix { $0 != ":" } == disagreement.what.prefix { $0 != ":" }
        }
        let last = Self.disagreement(small, question, seed)
        return Finding(seed: seed, text: small, what: last?.what ?? disagreement.what, question: question)
    }
}

extension AgreementTrial.Result {
    mutating func add(_ other: Self) {
        cases += other.cases
        paths += other.paths
        proved += other.proved
        refuted += other.refuted
        unknown += other.unknown
        certain += other.certain
        disagreements += other.disagreements.prefix(1)
    }
}

extension Agreement.Report {
    package var words: String {
        """
        \(policies) policies (\(refused) the desk does not take; \(enumerated) asked all cases of few values), \(total.cases) pairs, \(total.paths) paths; \
        the way was certain in \(total.certain)
        properties: \(total.proved) proved, \(total.refuted) refuted, \(total.unknown) unknown
        \(findings.count) disagreements
        """
    }
}
