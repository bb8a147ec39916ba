import ArgumentParser
import Circulation
import Desk
import Plugins
import TextFormats

/// `moonshelf plugin list`
struct PluginListCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "The plugins: what each does, may do and has done, and how far behind it is.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        return try workplace.desk(.reading).read { session in
            let plugins = try PluginStanding.all(in: session)
            if json {
                let entries = plugins.map { standing in
                    var object = PluginWords.json(standing.plugin, standing.manifest)
                    object["behind"] = .integer(Int64(standing.behind))
                    object["failures"] = .integer(standing.failures)
                    object["requests_given_up"] = .integer(standing.unsent)
                    return JSON.object(object)
                }
                console.print(json: .array(entries))
                return .done
            }
            if plugins.isEmpty { console.print(PluginWords.none) }
            for standing in plugins {
                let (plugin, manifest) = (standing.plugin, standing.manifest)
                let most = standing.behind == PluginStanding.mostCounted ? " or more" : ""
                console.print(PluginWords.line(plugin))
                let description = manifest.description.isEmpty ? "(no description)" : manifest.description
                console.print(SafeText.line("    \(description)"))
                for line in PluginWords.lines(manifest) { console.print("    \(line)") }
                console.print(
                    "    \(plugin.progress.handled) handled, \(standing.failures) set aside, \(standing.behind)\(most) behind"
                        + (standing.unsent > 0 ? ", \(standing.unsent) requests given up" : "")
                        + (plugin.progress.retryAt.map { ", tried again at \($0)" } ?? ""))
            }
            return .done
        }
    }
}

/// `moonshelf plugin show NAME`
struct PluginShowCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a plugin that is in force: its rights, its settings, its files.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Flag(help: "Print the files themselves.")
    var source = false

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        return try workplace.desk(.reading).read { session in
            let (plugin, bundle, manifest) = try InForce(name, session).parts
            if source {
                console.print(filesOf: bundle)
            } else if json {
                var object = PluginWords.json(plugin, manifest)
                object["files"] = .array(bundle.files.map { .string($0.name) })
                console.print(json: .object(object))
            } else {
                console.print(PluginWords.line(plugin))
                if !manifest.description.isEmpty { console.print(SafeText.line(manifest.description)) }
                for line in PluginWords.lines(manifest) { console.print(line) }
                for entry in manifest.settings.shown(plugin.settings) {
                    console.print(SafeText.line("\(entry.key) = \(entry.value.text())"))
                }
                console.print("files: \(bundle.files.map(\.name).joined(separator: ", "))")
            }
            return .done
        }
    }
}

/// A plugin that is in force, with its files.
struct InForce {
    let parts: (plugin: Plugin, bundle: PolicyBundle, manifest: PluginManifest)

    /// - Throws: ``CommandFailure`` where there is none of that name.
    init(_ name: String, _ session: DeskSession) throws {
        guard let plugin = try session.plugins.get(name), let bundle = try session.plugins.bundle(plugin.sha256) else {
            let names = try session.plugins.list().map(\.name)
            let hint = NameSuggestion.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
            throw CommandFailure(
                .refused, code: "no_plugin",
                message: "There is no plugin '\(SafeText.line(name))'"
                    + (hint ?? "; 'moonshelf plugin list' lists them."))
        }
        parts = (plugin, bundle, PluginCheck(bundle).manifest)
    }
}

/// `moonshelf plugin history NAME`
struct PluginHistoryCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what was changed of a plugin when, by whom and why.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        return try workplace.desk(.reading).read { session in
            let changes = try session.plugins.history(of: name)
            let entries = try changes.map { change -> (line: String, json: JSONObject) in
                let shown = try PluginManifest(of: change.sha256, in: session).settings.shown(change.settings)
                let actor = try session.events.username(ofActor: change.actor) ?? change.actor
                let note = change.note.isEmpty ? "" : "  \(change.note)"
                let version = "\(change.version)  \(change.sha256.prefix(12))"
                return (
                    SafeText.line("\(change.at)  \(change.action.rawValue)  \(version)  by \(actor)\(note)"),
                    [
                        "at": .string(change.at.description), "action": .string(change.action.rawValue),
                        "version": .string(change.version), "sha256": .string(change.sha256),
                        "rights": .array(change.rights.map { .string($0) }), "settings": .object(shown),
                        "actor": .string(change.actor), "note": .string(change.note),
                    ]
                )
            }
            console.print(
                history: entries, json: json, ifEmpty: "There was never a plugin '\(SafeText.line(name))'.")
            return changes.isEmpty ? .refused : .done
        }
    }
}

/// `moonshelf plugin diff NAME OTHER`
struct PluginDiffCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what differs between the version in force and another one, or a folder.",
        discussion: "Ends with 1 if anything differs.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin.", valueName: "NAME"))
    var name: String

    @Argument(help: ArgumentHelp("The beginning of a version's SHA-256, or a folder.", valueName: "OTHER"))
    var other: String

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        return try workplace.desk(.reading).read { session in
            let before = try InForce(name, session).parts.bundle
            let past = try VersionName.find(other, among: session.plugins.history(of: name).map(\.sha256))
            let after =
                try past.flatMap(session.plugins.bundle)
                ?? PluginFolder(path: other, from: workplace.sources).bundle
            return try console.print(differenceOf: before, after, main: PluginFolder.mainName, json: json)
        }
    }
}
