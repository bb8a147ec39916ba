import ArgumentParser
import Circulation
import Desk
import Foundation
import LuaSyntax
import Reports
import Scripting
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

/// `moonshelf policy explain`
struct PolicyExplainCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Decide a case, and say which row set what and why earlier rows did not.",
        discussion: """
            The case is a JSON file, '-' for standard input. With --policy no store is needed; otherwise the policy in \
            force decides.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(name: .customLong("case"), help: ArgumentHelp("The case.", valueName: "FILE"), completion: .file())
    var file: String

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let question = try question()
        let bundle = try bundle(in: workplace)
        let explanation: PolicyExplanation
        do {
            explanation = try PolicyExplanation(bundle, question: question)
        } catch let problems as PolicyProblems {
            throw problems.failure
        }
        if json {
            workplace.console.print(json: explanation.json)
        } else {
            workplace.console.print(SafeText.lines(explanation.text))
        }
        return explanation.decision.answer == .failed ? .scriptFailed : .done
    }

    private func question() throws -> Case {
        let data =
            file == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: file)
        guard let data else { throw CommandFailure.usage("There is no case \(file).") }
        do {
            let json = try JSONParser.parse(Array(data))
            guard json.objectValue != nil else { throw CaseError(field: "", fault: "expected an object") }
            return try Case(json: json)
        } catch let error as TextError {
            throw CommandFailure(.badData, code: "bad_case", message: error.message, file: file, line: error.line)
        } catch let error as CaseError {
            // `patron.loans[2].due_at` is found by the names of its parts.
            let path = error.field.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
            throw CommandFailure(
                .badData, code: "bad_case", message: error.message, file: file,
                line: JSONMemberLine.of(path, in: Array(data)) ?? 1)
        }
    }

    private func bundle(in workplace: Workplace) throws -> PolicyBundle {
        if let path = workplace.policyFile { return try PolicyBundle(file: path) }
        return try workplace.desk(.reading).read { session in
            guard let found = try PolicyVersions(session: session).find(nil) else {
                throw CommandFailure(.refused, code: "no_policy", message: PolicyVersions.none)
            }
            return found.bundle
        }
    }
}
