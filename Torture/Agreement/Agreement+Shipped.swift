import Circulation
import Prover
import Scripting
import TextFormats
import Workbench

extension Agreement {
    /// Holds proofs about policies in files, with the promises beside them, against the desk: at all points alike.
    ///
    /// - Throws: what is wrong with the files; ``ProofError``.
    package func run(files: [String], found: (String) -> Void) throws -> Report {
        var report = Report()
        for file in files {
            let parsed = try ParsedPolicy(file: file)
            let test = String(file.dropLast(4)) + "_test.lua"
            let source = try? SourceFiles().text(at: test, named: test, maximumSize: PolicyBundle.maximumFileSize)
            let session = try ProofSession(PolicyProof(parsed, tests: source.map { ($0, test) }))
            let matrix = try MatrixTrial(parsed, seed: seed)
            report.policies += 1
            for point in DecisionPoint.allCases {
                let trial = AgreementTrial(
                    session, at: point, records: LibraryCase(parsed.fields), time: .seconds(60), matrix: matrix)
                let each = max(1, count / (files.count * DecisionPoint.allCases.count))
                let result = trial.outcome(of: trial.ownQuestions(each, seed: seed))
                report.total.add(result)
                for disagreement in result.disagreements.prefix(1) {
                    let words =
                        "\(file), \(point.rawValue): \(disagreement.what)\n\(JSON.object(disagreement.question).text())"
                    report.findings.append(
                        Finding(
                            seed: seed, text: .init(policy: "", properties: "", point: point), what: words,
                            question: disagreement.question))
                    found(words)
                }
            }
        }
        return report
    }
}
