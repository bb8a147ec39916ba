import ArgumentParser
import Circulation
import Desk
import Foundation
import Reports
import Scripting
import Storage
import Terminal

/// `moonshelf repl`
struct ReplCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract: "Work at the desk interactively.",
        discussion: """
            Read-only unless --write or --allow is given. Statements may span lines; Tab completes names; ':help' tells \
            more. From a pipe it runs statement by statement and stops at the first error.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Allow everything that changes the store.")
    var write = false

    @Option(help: ArgumentHelp("Allow this alone, such as loans.write; repeatable.", valueName: "CAPABILITY"))
    var allow: [String] = []

    @Option(help: ArgumentHelp("The branch to work at, instead of the first.", valueName: "BRANCH"))
    var branch: String?

    func perform(in workplace: Workplace) throws -> ExitStatus {
        var settings = ScriptSettings()
        settings.allow = allow
        let granted = write ? Set(Capability.grantable) : try settings.capabilities()
        try workplace.refuseTrial(whenKept: granted.writes)
        let desk = try workplace.desk(granted.writes ? .writing : .reading, branch: branch, onTrial: true)
        let console = workplace.console
        let evaluator = try ScriptEvaluator(
            desk: desk, clock: try workplace.clock().now, output: ReplOutput(console), granted: granted)
        evaluator.allowRequire(from: ScriptFolder(path: FileManager.default.currentDirectoryPath))
        let isInteractive = console.output.isTerminal && isatty(STDIN_FILENO) == 1
        let screen = ReplScreen(
            width: { console.output.isTerminal ? console.output.width : nil }, usesColour: console.output.usesColour,
            write: { console.write($0) }, complain: { console.note($0) })
        let repl = Repl(
            evaluator: evaluator, screen: screen, storeName: try workplace.location().description,
            commands: commands(granted, in: workplace))
        let source: any LineSource
        if isInteractive,
            let editor = LineEditor(historyPath: ReplCommand.historyPath(workplace), complete: repl.complete)
        {
            source = editor
        } else {
            source = PlainLineSource.standardInput
        }
        let ending = Interruption.during(signals: [SIGINT], isPatient: true) { watch in
            if isInteractive { watch(evaluator.interruption) }
            return repl.run(lines: source, isInteractive: isInteractive)
        }
        if let ending {
            var failure = CommandFailure(script: ending)
            if let line = repl.inputLine(of: ending) {
                failure.file = "standard input"
                failure.line = line
            }
            throw failure
        }
        return .done
    }

    /// `$MOONSHELF_HISTORY`, else in the folder that the XDG base directory specification names.
    private static func historyPath(_ workplace: Workplace) -> String? {
        if let path = workplace.environment["MOONSHELF_HISTORY"] { return path.isEmpty ? nil : path }
        guard let home = workplace.environment["HOME"] else { return nil }
        let folder = (workplace.environment["XDG_STATE_HOME"] ?? home + "/.local/state") + "/moonshelf"
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder + "/history"
    }
}

/// What lines of the session print.
private final class ReplOutput: ScriptOutput {
    private let console: Console
    let showsLines = true

    init(_ console: Console) {
        self.console = console
    }

    func print(_ line: String) {
        console.print(SafeText.lines(line))
    }

    func log(_ level: ScriptLogLevel, _ line: String) {
        console.note("\(level.rawValue): \(line)")
    }

    func progress(_ done: Int64, of total: Int64?) {
        console.progress(total.map { "\(done) of \($0)" } ?? "\(done)")
    }
}
