import ArgumentParser
import ProofAgreement

/// `make agreement`: written policies, of which proofs and the desk must say the same.
@main
struct AgreementCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreement",
        abstract: "Hold proofs about written policies against what the desk decides.",
        discussion:
            "Exits with 1 where they are at odds; each such policy is printed as small as it goes, with the case.")

    @Option(help: "Where the policies begin; the same number writes the same ones.")
    var seed: UInt64 = 1

    @Option(help: "How many pairs of a policy and a case.")
    var count = 1_000_000

    @Option(help: "How many cases each policy is asked.")
    var cases = 250

    @Flag(help: "Print each policy as it is written, and nothing else.")
    var show = false

    @Option(help: "End after so many disagreements.")
    var most = 20

    @Argument(help: "Files of policies; without any they are written at random.")
    var files: [String] = []

    func run() throws {
        guard files.isEmpty else {
            return try end(Agreement(seed: seed, count: count).run(files: files) { print($0) })
        }
        if show {
            var writer = PolicyWriter(seed: seed)
            let text = writer.write()
            return print(text.policy + text.properties)
        }
        var found = 0
        let report = try Agreement(seed: seed, count: count, casesEach: cases).run(until: { found >= most }) {
            finding in
            found += 1
            print(finding.words)
        }
        try end(report)
    }

    private func end(_ report: Agreement.Report) throws {
        print("seed \(seed)\n\(report.words)")
        if !report.findings.isEmpty { throw ExitCode(1) }
    }
}
