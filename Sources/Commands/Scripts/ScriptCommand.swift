import ArgumentParser
import Foundation
import LuaSyntax
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf script`
struct ScriptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "script", abstract: "Check and test reports and chores.",
        subcommands: [ScriptCheckCommand.self, ScriptTestCommand.self])
}

/// `moonshelf script check FILE...`
struct ScriptCheckCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read scripts without running them, and say what is wrong.",
        discussion: """
            Found are names that do not exist, arguments that a function does not take, and capabilities that are not \
            declared, each with file, line and column. Ends with 1 if there are errors.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Scripts.", valueName: "FILE"), completion: .file(extensions: ["lua"]))
    var files: [String]

    @OptionGroup var output: CheckOutput

    var answersInJSON: Bool { output.answersInJSON }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        output.show(
            files.map { ($0, PolicyCheck.check(script: $0, from: workplace.sources)) }, on: workplace.console)
    }
}

/// `moonshelf script test FILE...`
struct ScriptTestCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run the tests that stand beside a script: x_test.lua for x.lua.",
        discussion: """
            A test makes a library in memory with desk { ... }, runs the script there with run(...), and expects what it \
            reported, printed, returned and changed. Whatever the script needs is granted. Ends with 1 if a test failed.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("Scripts, or the files of their tests.", valueName: "FILE"),
        completion: .file(extensions: ["lua"]))
    var named: [String]

    @Option(help: ArgumentHelp("Only tests whose name contains it; may be repeated.", valueName: "TEXT"))
    var filter: [String] = []

    @Option(help: ArgumentHelp("End a test after so much processor time.", valueName: "10s"))
    var timeLimit: String?

    @Option(help: ArgumentHelp("text, json, junit or tap.", valueName: "FORMAT"))
    var format: TestingOptions.Format = .text

    @Flag(help: "Answer in JSON.") var json = false

    var answersInJSON: Bool { json || format == .json }

    func validate() throws {
        if json, format != .text, format != .json { throw ValidationError("Give --json or --format, not both.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = PolicyTestOptions(
            filters: filter, timeLimit: try timeLimit.map(ScriptSettings.duration) ?? .seconds(10),
            workers: WorkbenchSettings.processors)
        var report = PolicyTestReport()
        for file in named.map(PolicyTests.policy) {
            let script = try ScriptFile(file).source()
            guard let tests = try PolicyTests.beside(file, from: workplace.sources) else {
                throw CommandFailure.usage(
                    "There are no tests beside \(file); expected \(PolicyTests.path(for: file)).")
            }
            report.append(
                try PolicyTestRun(script: script, tests: tests.source, file: tests.path, options: settings).run())
        }
        show(report, on: workplace.console)
        return report.isOK ? .done : .refused
    }

    private func show(_ report: PolicyTestReport, on console: Console) {
        switch json ? .json : format {
        case .json: console.print(json: report.json(withCoverage: false))
        case .junit: console.print(report.junit)
        case .tap: console.print(SafeText.lines(report.tap))
        case .text: console.print(SafeText.lines(report.text))
        }
    }
}

/// How the findings of a check are shown, and with which status it ends.
struct CheckOutput: ParsableArguments {
    @Flag(help: "Answer in JSON.") var json = false

    @Flag(help: "Answer in SARIF 2.1.0, for editors and code hosts.")
    var sarif = false

    var answersInJSON: Bool { json || sarif }

    func validate() throws {
        if json && sarif { throw ValidationError("Give --json or --sarif, not both.") }
    }

    func show(_ checked: [(file: String, report: PolicyCheck.Report)], on console: Console) -> ExitStatus {
        let reports = checked.map(\.report)
        let isOK = reports.allSatisfy(\.isOK)
        if sarif {
            console.print(json: PolicyCheck.Report.sarif(reports))
        } else if json {
            let findings = reports.flatMap { $0.json["findings"]?.arrayValue ?? [] }
            console.print(json: ["ok": .bool(isOK), "findings": .array(findings)])
        } else {
            for (file, report) in checked {
                console.print(report.findings.isEmpty ? "\(file): nothing found." : SafeText.lines(report.text))
            }
        }
        // A missing file is a wrong usage, as in every command.
        if reports.contains(where: { $0.findings.contains { $0.code == "not_found" } }) { return .wrongUsage }
        return isOK ? .done : .refused
    }
}
