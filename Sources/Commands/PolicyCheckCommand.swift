import ArgumentParser
import Reports
import TextFormats
import Workbench

/// `moonshelf policy check FILE...`
struct PolicyCheckCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read policies without running them, and say what is wrong.",
        discussion:
            "Each finding names file, line and column, and what to write instead. Ends with 1 if there are errors.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Policy files.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var files: [String]

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let currency = try workplace.knownCurrency()
        let reports = files.map { PolicyCheck.check(file: $0, currency: currency) }
        let isOK = reports.allSatisfy(\.isOK)
        if json {
            let findings = reports.flatMap { $0.json["findings"]?.arrayValue ?? [] }
            console.print(json: ["ok": .bool(isOK), "findings": .array(findings)])
        } else {
            for (file, report) in zip(files, reports) {
                console.print(report.findings.isEmpty ? "\(file): nothing found." : SafeText.lines(report.text))
            }
        }
        return isOK ? .done : .refused
    }
}
