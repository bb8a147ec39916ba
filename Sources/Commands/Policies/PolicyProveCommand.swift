import ArgumentParser
import Circulation
import Desk
import Prover
import Reports
import Scripting
import TextFormats
import Workbench

extension DecisionPoint: ExpressibleByArgument {}

/// `moonshelf policy prove FILE`
struct PolicyProveCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove", abstract: "Prove what a policy never or always does.",
        discussion: """
            What is to be proved stands beside the tests, as never(name, point, function(case, decision)), always(...), and \
            same(name, point, policy_file "town.lua", { branch = "north" }), which promises that these cases are decided as \
            another policy beside the tests decides them; besides, what every policy promises: no function raises an error, every answer is one that the desk takes, no \
            amount is below nothing, no loan is due before it begins, no fine falls while lateness grows, what holds for a \
            category holds for those below it, every row and every branch is reached, nothing is lent without a rule, no \
            refusal is without words. Each is proved for every case that there can be, \
            refuted by a case that the desk itself decides so, or unknown, with the line and why. Over a store its own \
            categories, item types and branches are those of the cases; without one any code may lie below any other. \
            Ends with 1 if anything is refuted, with --require-proof also if anything is unknown.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy's file.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String

    @Option(help: ArgumentHelp("Only what is promised at this decision point.", valueName: "POINT"))
    var point: DecisionPoint?

    @Option(help: ArgumentHelp("Only the promises in whose words this stands.", valueName: "WORDS"))
    var promise: String?

    @Option(help: ArgumentHelp("How long it may take.", valueName: "SECONDS"))
    var timeLimit: Double = 60

    @Flag(help: "End with 1 where anything is unknown as well.")
    var requireProof = false

    @Flag(help: "Answer in JSON.") var json = false

    @Option(
        help: ArgumentHelp("Also write a page for those who answer for the library.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    func validate() throws {
        try FileEnding.checkPage(html)
        if !(0...86_400).contains(timeLimit) { throw ValidationError("--time-limit is 0 to 86400.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let policy = try workplace.policy(file: file)
        let tests = try PolicyTests.beside(file, from: workplace.sources)
        var proof = PolicyProof(
            policy, tests: tests.map { ($0.source, $0.path) }, folder: tests?.folder,
            time: .milliseconds(Int64(timeLimit * 1_000)))
        (proof.point, proof.words) = (point, promise)
        let signals = Interruption.count
        proof.isStopped = { Interruption.count != signals }
        let library = try workplace.namesStore() ? try workplace.desk(.reading).read { try $0.settings.library() } : nil
        if let library {
            proof.codes = try workplace.desk(.reading).read { try DeclaredValues(of: $0).codesForProofs }
            proof.currency = library.currency
        }
        let shown = ProgressLine(console)
        let report = try proven(proof) { shown.show($0) }
        console.endProgress()
        if json { console.print(json: report.json) } else { console.print(SafeText.lines(report.text)) }
        if let html {
            let page = ProofPage(
                report, policy: try LuaPolicy(policy, currency: proof.currency).name,
                library: library.map {
                    ProofPage.Library(
                        name: $0.name, currency: $0.currency,
                        hasCodes: [proof.codes.categories, proof.codes.itemTypes, proof.codes.branches].allSatisfy {
                            $0 != nil
                        })
                }, date: (library?.zone ?? .utc).date(of: try workplace.clock().now()))
            try WholeFile.write(page: page.html, to: html, console)
        }
        if report.results.isEmpty, point != nil || promise != nil {
            throw CommandFailure.usage(
                "Nothing of that name is promised there; 'policy prove FILE' lists all promises.")
        }
        if Interruption.count != signals {
            throw CommandFailure(.scriptFailed, code: "interrupted", message: "The proof was interrupted.")
        }
        let isMissed = requireProof && report.count(.unknown) > 0
        return report.isOK && !isMissed ? .done : .refused
    }

    private func proven(_ proof: PolicyProof, _ progress: (String) -> Void) throws -> ProofReport {
        do {
            return try proof.report(progress: progress)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Why nothing is proved, as commands say it.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case let problems as PolicyProblems: problems.failure
        case let error as ProofError: CommandFailure(.unreachable, code: "no_solver", message: error.words)
        case let unsettled as Unsettled:
            CommandFailure(
                .scriptFailed, code: "no_proof", message: unsettled.message, file: unsettled.file, line: unsettled.line)
        default: error
        }
    }
}
