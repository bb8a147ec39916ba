import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Plugins
import Scripting
import Server
import TextFormats
import Workbench

/// `moonshelf plugin check FOLDER...`
struct PluginCheckCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read plugins without running them, and say what is wrong with them.",
        discussion: "Ends with 1 if there is an error.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Folders of plugins.", valueName: "FOLDER"), completion: .directory)
    var folders: [String]

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        var given: [GivenPlugin] = []
        var unread: PolicyFailure?
        for folder in folders {
            do {
                given.append(try GivenPlugin(folder: folder, workplace))
            } catch var failure as PolicyFailure {
                // The others are read nevertheless.
                failure.file = (folder as NSString).appendingPathComponent(failure.file ?? "")
                if unread != nil { workplace.console.note(CommandFailure(failure).text) }
                unread = unread ?? failure
            }
        }
        for plugin in given where !json {
            let report = plugin.check.report
            let name = report.findings.isEmpty ? "\(plugin.folder): " : ""
            workplace.console.print(SafeText.lines(name + report.named(by: plugin.path("")).text))
        }
        if json {
            workplace.console.print(
                json: .array(
                    given.map { plugin in
                        var object = plugin.check.report.json.objectValue ?? [:]
                        object["folder"] = .string(plugin.folder)
                        return .object(object)
                    }))
        }
        if let unread { throw CommandFailure(unread) }
        return given.allSatisfy(\.check.isOK) ? .done : .refused
    }
}

/// `moonshelf plugin test FOLDER...`
struct PluginTestCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests of plugins: plugin_test.lua beside plugin.lua.",
        discussion: """
            --coverage says which lines and branches of its functions no test runs. --mutate makes small changes to the plugin, \
            one at a time (a number one off, a comparison turned, a condition negated), and lists those that no test \
            notices. Ends with 1 if a test failed, a plugin has faults or no tests, or the coverage is below --threshold.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Folders of plugins.", valueName: "FOLDER"), completion: .directory)
    var folders: [String]

    @OptionGroup var testing: TestingOptions

    var answersInJSON: Bool { testing.answersInJSON }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let settings = try testing.settings()
        var report = PolicyTestReport()
        var sources: [(name: String, text: SourceText)] = []
        for folder in folders {
            let given = try GivenPlugin(folder: folder, workplace)
            try given.requireNoFaults(console)
            guard given.bundle.pluginTests != nil else {
                throw CommandFailure(
                    .refused, code: "no_tests", message: "There is no \(PluginFolder.testName) in it.", file: folder)
            }
            report.append(
                try given.tested(settings) { try testing.mutants(of: $0, at: folder, console) }.renamed(given.path))
            sources += given.bundle.pluginSources.map { (given.path($0.name), SourceText($0.source)) }
        }
        return try testing.finish(report, named: folders, sources, console)
    }
}

/// A plugin in a folder, read once.
struct GivenPlugin {
    let folder: String
    let bundle: PolicyBundle
    let check: PluginCheck

    /// - Throws: ``PolicyFailure`` where it cannot be read.
    init(folder: String, _ workplace: Workplace) throws {
        self.folder = folder
        bundle = try PluginFolder(path: folder, from: workplace.sources).bundle
        let others = try workplace.known { try PluginPaths.taken(in: $0) } ?? []
        check = PluginCheck(bundle, taken: ServedPaths.taken + others, fields: try workplace.knownFields())
    }

    var manifest: PluginManifest { check.manifest }

    /// Shows what the check found.
    ///
    /// - Throws: ``CommandFailure`` where that is an error.
    func requireNoFaults(_ console: Console) throws {
        if !check.report.findings.isEmpty { console.note(SafeText.lines(check.report.named(by: path("")).text)) }
        guard check.isOK else {
            throw CommandFailure(
                .refused, code: "check_failed", message: "The plugin has faults; nothing was changed.", file: folder)
        }
    }

    /// The report of its tests, and of what else is done with them.
    func tested(
        _ options: PolicyTestOptions = .init(), mutants: (PluginTestRun) throws -> MutationReport? = { _ in nil }
    ) throws -> PolicyTestReport {
        let run = PluginTestRun(bundle, manifest: manifest, options: options)
        do {
            var report = try run.run()
            report.mutants = try mutants(run)
            return report
        } catch let fault as PluginFault {
            throw CommandFailure(fault)
        }
    }

    /// A file of its folder.
    func path(_ file: String) -> String { folder + (folder.hasSuffix("/") ? "" : "/") + file }
}
