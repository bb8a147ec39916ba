import ArgumentParser
import Circulation
import Desk
import Plugins
import Scripting
import TextFormats
import Workbench

/// `moonshelf plugin use FOLDER`
struct PluginUseCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Check a plugin, run its tests, and put it into force.",
        discussion: """
            What is checked is what is tested and put into force: each file is read once. Every process on the store uses \
            it from its next event on. If anything fails, nothing changes. A plugin begins with what happens after it came \
            into force; a new version goes on where the one before was. What it needs has to be granted with --allow, and \
            what a version needs more than the one before again.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The plugin's folder.", valueName: "FOLDER"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Allow what the plugin needs, such as loans.write; repeatable, or with commas.", valueName: "CAPABILITY"),
        completion: .list(Capability.grantable.map(\.rawValue)))
    var allow: [String] = []

    @Option(help: ArgumentHelp("Give a setting a value; repeatable.", valueName: "key=value"))
    var set: [String] = []

    @Option(help: ArgumentHelp("Why, for the history.", valueName: "WHY"))
    var note = ""

    @Flag(help: "Refuse a plugin without tests.")
    var requireTests = false

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let desk = try workplace.desk(.writing)
        let given = try GivenPlugin(folder: folder, workplace)
        try given.requireNoFaults(console)
        let tested = try test(given, console)
        let manifest = given.manifest
        let allowed = try PluginWords.capabilities(allow)
        let before = try desk.read { try $0.plugins.get(manifest.name)?.settings } ?? [:]
        let settings = try PluginWords.values(of: manifest, keeping: before, given: set)
        let candidate = PluginCandidate(given.bundle, manifest, settings: settings)
        let plugin = try PluginWords.changing(workplace, desk) { changing in
            try changing.use(candidate, allowing: allowed, note: note)
        }.orFailure(in: folder)
        if json {
            console.print(json: .object(PluginWords.json(plugin, manifest)))
        } else {
            console.print("\(tested)\nIn force: \(PluginWords.line(plugin))")
        }
        return .done
    }

    /// The number of passed tests, in words.
    private func test(_ given: GivenPlugin, _ console: Console) throws -> String {
        guard given.bundle.pluginTests != nil else {
            if requireTests {
                throw CommandFailure(
                    .refused, code: "no_tests", message: "The plugin has no tests; nothing was changed.", file: folder)
            }
            if !json { console.note("warning: there are no tests in \(SafeText.line(folder)).") }
            return "0 tests."
        }
        let report = try given.tested().renamed(given.path)
        guard report.isOK else {
            console.note(SafeText.lines(report.text))
            throw CommandFailure(
                .refused, code: "tests_failed",
                message: "\(report.failed == 1 ? "A test" : "\(report.failed) tests") failed; nothing was changed.",
                file: folder)
        }
        return "\(report.passed) \(report.passed == 1 ? "test" : "tests") passed."
    }
}

/// How plugins are put into words, and what commands on them have in common.
enum PluginWords {
    static let none = "No plugin is in force; put one into force with 'moonshelf plugin use FOLDER'."

    /// What was granted, each name checked.
    static func capabilities(_ texts: [String]) throws -> Set<String> {
        var granted: Set<String> = []
        for name in texts.flatMap({ $0.split(separator: ",") }).map({ String($0) }) where !name.isEmpty {
            do {
                granted.insert(try Capability.named(name).rawValue)
            } catch {
                throw CommandFailure.usage("--allow: \(error.message)")
            }
        }
        return granted
    }

    /// The values of a plugin's settings after `--set key=value`.
    static func values(
        of manifest: PluginManifest, keeping kept: JSONObject, given: [String]
    ) throws -> JSONObject {
        let pairs = try given.map { text -> (name: String, text: String) in
            guard let sign = text.firstIndex(of: "=") else {
                throw CommandFailure.usage("--set: expected key=value, not '\(SafeText.line(text))'.")
            }
            return (String(text[..<sign]), String(text[text.index(after: sign)...]))
        }
        do {
            return try manifest.settings.values(keeping: kept, given: pairs)
        } catch {
            throw CommandFailure(.refused, code: "bad_setting", message: "\(error.message). Nothing was changed.")
        }
    }

    /// Changes what is in force of a plugin, with what its version does about the one before.
    static func changing(
        _ workplace: Workplace, _ desk: Desk, _ body: (PluginChanging) throws -> Outcome<Plugin>
    ) throws -> Outcome<Plugin> {
        let output = ScriptConsole(workplace.console, showsLines: false)
        do {
            return try body(PluginChanging(desk, clock: try workplace.clock(), output: output))
        } catch let fault as PluginFault {
            var failure = CommandFailure(fault)
            failure.message += "; nothing was changed"
            throw failure
        }
    }

    static func line(_ plugin: Plugin) -> String {
        let state = plugin.state == .active ? "" : "  [\(plugin.state.rawValue)]"
        let rights = plugin.rights.isEmpty ? "" : "  may \(plugin.rights.joined(separator: ", "))"
        return SafeText.line("\(plugin.name) \(plugin.version)  \(plugin.sha256.prefix(12))\(rights)\(state)")
    }

    /// What it handles and adds, a line each: `events: loan.made`, `jobs: list`.
    static func lines(_ manifest: PluginManifest) -> [String] {
        PluginStanding.does(manifest).map { SafeText.line("\($0.kind): \($0.names.joined(separator: ", "))") }
    }

    /// The names of what it adds, by kind.
    private static func added(by manifest: PluginManifest) -> JSONObject {
        var added = JSONObject()
        for kind in ContributionKind.all {
            let names = manifest.contributions(of: kind).map { JSON.string($0.name) }
            if !names.isEmpty { added[kind.key] = .array(names) }
        }
        return added
    }

    static func json(_ plugin: Plugin, _ manifest: PluginManifest) -> JSONObject {
        let progress = plugin.progress
        return [
            "name": .string(plugin.name), "version": .string(plugin.version), "sha256": .string(plugin.sha256),
            "description": .string(manifest.description), "state": .string(plugin.state.rawValue),
            "rights": .array(plugin.rights.map { .string($0) }),
            "events": .array(manifest.handlers.map { .string($0.event) }),
            "adds": .object(added(by: manifest)),
            "settings": .object(manifest.settings.shown(plugin.settings)),
            "changed_at": .string(plugin.changedAt.description), "position": .integer(progress.position),
            "handled": .integer(progress.handled), "tries": .integer(progress.tries),
            "retry_at": progress.retryAt.map { .string($0.description) } ?? .null,
            "last_handled_at": progress.lastHandledAt.map { .string($0.description) } ?? .null,
        ]
    }
}

extension CommandFailure {
    /// A fault of a plugin.
    init(_ fault: PluginFault) {
        self.init(
            .scriptFailed, code: fault.code, message: fault.message, file: fault.file, line: fault.line.map { Int($0) },
            details: fault.trace)
    }
}
