import ArgumentParser
import Circulation
import Desk
import Plugins
import TextFormats

/// `moonshelf plugin rollback NAME`
struct PluginRollbackCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Put the version with the settings into force that was so before the present one.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try ChangedPluginAnswer(workplace, json: json).tell("In force") { try $0.plugins.rollback(name, note: note) }
    }
}

/// `moonshelf plugin disable NAME`
struct PluginDisableCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switch a plugin off; its events wait until it is switched on.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try ChangedPluginAnswer(workplace, json: json).tell("Switched off") { try $0.plugins.disable(name, note: note) }
    }
}

/// `moonshelf plugin enable NAME`
struct PluginEnableCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switch a plugin on again, also one that was paused.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try ChangedPluginAnswer(workplace, json: json).tell("Switched on") { try $0.plugins.enable(name, note: note) }
    }
}

/// `moonshelf plugin remove NAME`
struct PluginRemoveCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a plugin out of force.",
        discussion:
            "What it keeps stays for a plugin of that name that comes into force later, unless --purge is given.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Flag(help: "Take out all that it keeps as well: its state, what it could not handle, the values of its settings.")
    var purge = false

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try ChangedPluginAnswer(workplace, json: json).tell("Removed") {
            try $0.plugins.remove(name, purging: purge, note: note)
        }
    }
}

/// What became of a plugin, as a command says it.
struct ChangedPluginAnswer {
    private let workplace: Workplace
    private let json: Bool

    init(_ workplace: Workplace, json: Bool) {
        self.workplace = workplace
        self.json = json
    }

    /// Makes a change and says what is so now.
    ///
    /// - Throws: ``CommandFailure`` where it is refused.
    func tell(_ word: String, _ change: (DeskSession) throws -> Outcome<Plugin>) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        switch try desk.write(change) {
        case .refused(let refusal):
            throw CommandFailure(.refused, code: refusal.code, message: refusal.message)
        case .done(let plugin):
            if json {
                let manifest = try desk.read { try PluginWords.manifest(plugin.sha256, in: $0) }
                workplace.console.print(json: .object(PluginWords.json(plugin, manifest)))
            } else {
                workplace.console.print("\(word): \(PluginWords.line(plugin))")
            }
            return .done
        }
    }
}
