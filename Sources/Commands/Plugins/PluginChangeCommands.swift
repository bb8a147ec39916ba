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

    @OptionGroup var change: PluginChangeOptions

    var answersInJSON: Bool { change.json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try change.tell("In force", workplace) { desk in
            try PluginWords.changing(workplace, desk) { try $0.rollback(change.name, note: change.note) }
        }
    }
}

/// `moonshelf plugin disable NAME`
struct PluginDisableCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switch a plugin off; its events wait until it is switched on.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @OptionGroup var change: PluginChangeOptions

    var answersInJSON: Bool { change.json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try change.tell("Switched off", workplace) { desk in
            try desk.write { try $0.plugins.disable(change.name, note: change.note) }
        }
    }
}

/// `moonshelf plugin enable NAME`
struct PluginEnableCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switch a plugin on again, also one that was paused.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @OptionGroup var change: PluginChangeOptions

    var answersInJSON: Bool { change.json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try change.tell("Switched on", workplace) { desk in
            try PluginWords.changing(workplace, desk) { try $0.enable(change.name, note: change.note) }
        }
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

    @OptionGroup var change: PluginChangeOptions

    @Flag(help: "Take out all that it keeps as well: its state, what it could not handle, the values of its settings.")
    var purge = false

    var answersInJSON: Bool { change.json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        try change.tell("Removed", workplace) { desk in
            try desk.write { try $0.plugins.remove(change.name, purging: purge, note: change.note) }
        }
    }
}

/// What commands take that change something of one plugin, and how they answer.
struct PluginChangeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    /// Makes a change and says what is so now.
    ///
    /// - Throws: ``CommandFailure`` where it is refused.
    func tell(
        _ word: String, _ workplace: Workplace, _ change: (Desk) throws -> Outcome<Plugin>
    ) throws -> ExitStatus {
        let desk = try workplace.desk(.writing)
        let plugin = try change(desk).orFailure()
        if json {
            let manifest = try desk.read { try PluginManifest(of: plugin.sha256, in: $0) }
            workplace.console.print(json: .object(PluginWords.json(plugin, manifest)))
        } else {
            workplace.console.print("\(word): \(PluginWords.line(plugin))")
        }
        return .done
    }
}
