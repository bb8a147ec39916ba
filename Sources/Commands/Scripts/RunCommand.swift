import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Reports
import Scripting
import Storage

/// `moonshelf run SCRIPT [ARGS]`
struct RunCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a report or a chore.",
        discussion: """
            Options stand before SCRIPT; all after it is the script's: 'moonshelf run scripts/overdue.lua --help' tells \
            what it takes. A report of a plugin is named PLUGIN:NAME. '-' reads the script from standard input. A script says at its top what it needs; what it is \
            not allowed, it is not run with.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var own: CommonOptions<CapturingCommand>
    @OptionGroup var settings: ScriptSettings

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The script, and what it is given.", valueName: "SCRIPT [ARGS]"),
        completion: .file(extensions: ["lua"]))
    var words: [String] = []

    var options: GlobalOptions { own.over(root.options) }
    var answersInJSON: Bool { settings.answer.format == .json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard let path = words.first else { throw CommandFailure.usage("Name a script to run.") }
        guard path == "-" || !path.hasPrefix("-") else {
            // Words before the script are options of the command, so this is not a script.
            if path == "-h" || path == "--help" { throw CleanExit.helpRequest(RunCommand.self) }
            throw CommandFailure.usage("There is no option '\(path)'; see 'moonshelf run --help'.")
        }
        let (run, arguments) = (ScriptRun(settings: settings, workplace: workplace), Array(words.dropFirst()))
        if let part = PluginPart(path), !FileManager.default.fileExists(atPath: path) {
            return try run.run(part, arguments: arguments)
        }
        return try run.run(try ScriptFile(path).source(), arguments: arguments, grantsCountAsDeclared: false)
    }
}

/// `moonshelf eval LUA`
struct EvalCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval", abstract: "Evaluate a line of Lua and print what it returns.",
        discussion: """
            With --format json it prints the value itself: null for none, a list for several. A line that makes a report \
            with report.table and the like gives that, as 'run' does.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions
    @OptionGroup var settings: ScriptSettings

    @Argument(help: ArgumentHelp("An expression or statements.", valueName: "LUA"))
    var text: String

    var answersInJSON: Bool { settings.answer.format == .json }

    /// An expression is evaluated; everything else runs as statements.
    private static func asStatement(_ text: String) -> String {
        let expression = "return \(text)"
        return (try? LuaParser.parse(expression, chunk: "eval")) == nil ? text : expression
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let source = ScriptSource(text: EvalCommand.asStatement(text), name: "eval")
        return try ScriptRun(settings: settings, workplace: workplace, givesValue: true).run(
            source, arguments: [], grantsCountAsDeclared: true)
    }
}
