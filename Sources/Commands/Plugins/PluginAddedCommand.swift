import ArgumentParser
import Circulation
import Desk
import Foundation
import Plugins
import Reports
import Scripting
import TextFormats

/// `moonshelf x NAME [ARGUMENTS]`
struct PluginAddedCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "x",
        abstract: "Do what a plugin adds to the command line.",
        discussion: """
            Options stand before NAME; all after it is the command's: 'moonshelf x NAME --help' tells what it takes, and \
            'moonshelf x' lists the commands of the plugins in force. Where two plugins have the same, NAME is PLUGIN:NAME. \
            What is done you do, within the rights of the plugin.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var own: CommonOptions<CapturingCommand>
    @OptionGroup var settings: AnswerSettings

    @Flag(help: "Answer in JSON, as --format json.")
    var json = false

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The command, and what it is given.", valueName: "NAME [ARGUMENTS]"),
        completion: .custom { _, _, _ in PluginAddedCommand.names })
    var words: [String] = []

    var options: GlobalOptions { own.over(root.options) }
    var answersInJSON: Bool { json || settings.format == .json }

    func validate() throws { try settings.check(json) }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = settings.answering(inJSON: json)
        let name = words.first ?? "--help"
        guard !name.hasPrefix("-") else {
            guard ["-h", "--help"].contains(name) else {
                throw CommandFailure.usage("There is no option '\(name)'; see 'moonshelf x --help'.")
            }
            return try list(workplace)
        }
        let call = PluginCall(settings: settings, workplace: workplace)
        let desk = try call.desk()
        let command = try Self.command(name, in: PluginCall.parts(of: .commands, workplace, desk))
        return try call.run(command.plugin, command.entry, of: name, at: desk) { loaded in
            loaded.run(
                command: command.entry, Array(words.dropFirst()), opensFiles: StandardInput.opening(), as: desk.actor,
                isDryRun: settings.dryRun)
        }
    }

    private static func command(
        _ name: String, in commands: [(part: PluginPart, plugin: Plugin, entry: Contribution)]
    ) throws -> (part: PluginPart, plugin: Plugin, entry: Contribution) {
        let found = commands.filter { $0.part.description == name || $0.part.name == name }
        guard found.count <= 1 else {
            let names = found.map(\.part.description).joined(separator: ", ")
            throw CommandFailure(
                .wrongUsage, code: "ambiguous", message: "Several plugins have '\(name)': say which of \(names).")
        }
        guard let command = found.first else {
            let names = commands.flatMap { [$0.part.name, $0.part.description] }
            let hint = NameSuggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            throw CommandFailure(
                .wrongUsage, code: "unknown_command",
                message: "No plugin in force has a command '\(SafeText.line(name))'; "
                    + (hint ?? "'moonshelf x' lists those that there are."))
        }
        return command
    }

    private func list(_ workplace: Workplace) throws -> ExitStatus {
        let commands = try PluginCall.parts(of: .commands, workplace, workplace.desk(.reading))
        if answersInJSON {
            workplace.console.print(
                json: .array(
                    commands.map { command in
                        [
                            "name": .string(command.part.name), "plugin": .string(command.part.plugin),
                            "help": .string(command.entry.text("help") ?? ""),
                            "arguments": .array(command.entry.parameters.map(\.json)),
                        ]
                    }))
            return .done
        }
        if words.first != nil { workplace.console.print(Moonshelf.helpMessage(for: Self.self) + "\n") }
        workplace.console.print(commands.isEmpty ? "No plugin in force has a command." : "Commands of plugins:")
        for command in commands {
            let isAlone = commands.filter { $0.part.name == command.part.name }.count == 1
            let name = isAlone ? command.part.name : command.part.description
            workplace.console.print(SafeText.line("  \(name)  \(command.entry.text("help") ?? "")"))
        }
        return .done
    }

    /// The names of the commands of the plugins in force, for a shell; none where the store cannot be read.
    static var names: [String] {
        guard let options = try? GlobalOptions.parse([]) else { return [] }
        let silent = Console.Stream(isTerminal: false) { _ in true }
        let workplace = Workplace(
            options: options, console: Console(output: silent, error: silent),
            environment: ProcessInfo.processInfo.environment)
        let commands = try? PluginCall.parts(of: .commands, workplace, workplace.desk(.reading))
        return (commands ?? []).map(\.part.name)
    }
}

extension ScriptParameter {
    /// For a program that asks what a command takes.
    fileprivate var json: JSON {
        [
            "name": .string(name), "type": .string(kind.rawValue), "required": .bool(isRequired),
            "choices": choices.map { .array($0.map { .string($0) }) } ?? .null,
            "default": standard.map { .string($0) } ?? .null, "help": .string(help),
        ]
    }
}
