import ArgumentParser
import Circulation
import Desk
import Foundation
import LineEditing
import Reports
import Scripting
import Storage
import Terminal
import TextFormats

/// `moonshelf repl`
struct ReplCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl", abstract: "Work at the desk interactively.",
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
        let session = try ReplSession(workplace, granted: granted, branch: branch)
        let console = workplace.console
        let isInteractive = console.output.isTerminal && isatty(STDIN_FILENO) == 1
        let screen = ReplScreen(
            width: { console.output.isTerminal ? console.output.width : nil }, usesColour: console.output.usesColour,
            write: { console.write($0) }, complain: { console.note($0) })
        let repl = Repl(
            evaluator: session.evaluator, screen: screen, store: ReplStore(try workplace.location()),
            commands: commands(of: session), views: Desk.documentedViews)
        repl.marks = { session.marks }
        var source: any LineSource = PlainLineSource.standardInput(ask: isInteractive ? console.write : nil)
        if isInteractive,
            let editor = LineEditor(
                historyPath: ReplCommand.historyPath(workplace), usesColour: console.output.usesColour,
                session: repl.editing)
        {
            source = editor
        }
        defer { session.end(repl) }
        let ending = Interruption.during(signals: [SIGINT], isPatient: true) { watch in
            if isInteractive { watch(session.evaluator.interruption) }
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

extension ReplStore {
    /// The name of a file without its extension, or of a database with its server.
    fileprivate init(_ location: StoreLocation) {
        let name: String
        switch location {
        case .memory: name = "memory"
        case .file(let path): name = URL(filePath: path).deletingPathExtension().lastPathComponent
        case .postgres:
            // The description hides the password; user and port say nothing at a prompt.
            let parts = URLComponents(string: location.description)
            let database = parts?.path.split(separator: "/").last.map(String.init) ?? "postgres"
            name = parts?.host.flatMap { $0.isEmpty ? nil : "\(database)@\($0)" } ?? database
        }
        self.init(address: location.description, name: name.isEmpty ? "moonshelf" : name)
    }
}

/// What lines of the session print.
final class ReplOutput: ScriptOutput {
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
