import ArgumentParser
import Circulation
import Desk
import Plugins
import TextFormats

/// `moonshelf plugin settings NAME`
struct PluginSettingsCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings of a plugin, or change them.",
        discussion: """
            What is secret is never shown. --set key= takes a value away. Every process uses the new values from its next \
            event on; 'plugin rollback' brings back those of before.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("Give a setting a value; repeatable.", valueName: "key=value"))
    var set: [String] = []

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let desk = try workplace.desk(set.isEmpty ? .reading : .writing)
        var (plugin, _, manifest) = try desk.read { try InForce(name, $0).parts }
        if !set.isEmpty {
            let values = try PluginWords.values(of: manifest, keeping: plugin.settings, given: set)
            plugin = try desk.write { try $0.plugins.configure(name, values, note: note) }.orFailure()
        }
        let shown = manifest.settings.shown(plugin.settings)
        if json {
            workplace.console.print(
                json: .array(
                    manifest.settings.map { setting in
                        [
                            "name": .string(setting.name), "type": .string(setting.kind.rawValue),
                            "value": shown[setting.name] ?? .null, "help": .string(setting.help),
                            "is_set": .bool(plugin.settings[setting.name] != nil),
                        ]
                    }))
            return .done
        }
        if manifest.settings.isEmpty { workplace.console.print("\(plugin.name) has no settings.") }
        for setting in manifest.settings {
            let value = (shown[setting.name] ?? .null).text()
            workplace.console.print(
                SafeText.line("\(setting.name) = \(value)" + (setting.help.isEmpty ? "" : "  (\(setting.help))")))
        }
        return .done
    }
}
