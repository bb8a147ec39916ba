import ArgumentParser
import Circulation
import Foundation
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy fuzz FILE`
struct PolicyFuzzCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz", abstract: "Ask a policy random cases and look for answers that no policy should give.",
        discussion: """
            Found are errors, answers that are none, one case answered in two ways, negative and falling fines, due dates \
            before now, before the loan's own, on closed days or beyond the rule's limit, stages of notices that a missed \
            day loses, and loans that are allowed only to who owes more. Lines that no case reached are listed. Each \
            finding is printed as a test to paste beside the policy, made as small as it goes. Ends with 1 \
            if anything was found.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The policy's file.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var file: String

    @Option(help: ArgumentHelp("Repeats a search.", valueName: "N"))
    var seed: Int64?

    @Option(help: ArgumentHelp("How long to search.", valueName: "SECONDS"))
    var seconds: Double = 20

    @Option(help: ArgumentHelp("How many search at once; otherwise as many as there are processors.", valueName: "N"))
    var parallel: Int?

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if !(0...86_400).contains(seconds) { throw ValidationError("--seconds is 0 to 86400.") }
        if let parallel, !(1...64).contains(parallel) { throw ValidationError("--parallel is 1 to 64.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let policy = try workplace.policy(file: file)
        let chosen = seed.map(UInt64.init(bitPattern:)) ?? UInt64.random(in: 0...999_999_999)
        let fuzz = PolicyFuzz(
            policy, seed: chosen, time: .milliseconds(Int64(seconds * 1_000)),
            workers: parallel ?? WorkbenchSettings.processors)
        let shown = ProgressLine(console)
        let report: FuzzReport
        do {
            report = try fuzz.report { shown.show("\($0) cases, \($1) found") }
        } catch let problems as PolicyProblems {
            throw problems.failure
        }
        console.endProgress()
        if json { console.print(json: report.json) } else { console.print(SafeText.lines(report.text)) }
        return report.findings.isEmpty ? .done : .refused
    }
}
