import ArgumentParser
import Circulation
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
        let checks = try folders.map { try GivenPlugin(folder: $0, workplace).check }
        for (folder, check) in zip(folders, checks) where !json {
            workplace.console.print(SafeText.lines("\(folder): \(check.report.text)"))
        }
        if json {
            workplace.console.print(
                json: .array(
                    zip(folders, checks).map { folder, check in
                        var object = check.report.json.objectValue ?? [:]
                        object["folder"] = .string(folder)
                        return .object(object)
                    }))
        }
        return checks.allSatisfy(\.isOK) ? .done : .refused
    }
}

/// `moonshelf plugin test FOLDER...`
struct PluginTestCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests of plugins: plugin_test.lua beside plugin.lua.",
        discussion: "Ends with 1 if a test failed, or a plugin has faults or no tests.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(help: ArgumentHelp("Folders of plugins.", valueName: "FOLDER"), completion: .directory)
    var folders: [String]

    @Option(help: ArgumentHelp("Only tests whose name contains it; may be repeated.", valueName: "TEXT"))
    var filter: [String] = []

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        var report = PolicyTestReport()
        for folder in folders {
            let given = try GivenPlugin(folder: folder, workplace)
            try given.requireNoFaults(workplace.console)
            guard given.bundle.pluginTests != nil else {
                throw CommandFailure(
                    .refused, code: "no_tests", message: "There is no \(PluginFolder.testName) in it.", file: folder)
            }
            report.append(try given.tested(PolicyTestOptions(filters: filter), in: folder))
        }
        if json {
            var object = report.json.objectValue ?? [:]
            object["coverage"] = nil
            object["mutants"] = nil
            workplace.console.print(json: .object(object))
        } else {
            workplace.console.print(SafeText.lines(report.text))
        }
        return report.isOK ? .done : .refused
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
        check = PluginCheck(bundle, taken: ServedPaths.taken)
    }

    var manifest: PluginManifest { check.manifest }

    /// Shows what the check found.
    ///
    /// - Throws: ``CommandFailure`` where that is an error.
    func requireNoFaults(_ console: Console) throws {
        if !check.report.findings.isEmpty { console.note(SafeText.lines(check.report.text)) }
        guard check.isOK else {
            throw CommandFailure(
                .refused, code: "check_failed", message: "The plugin has faults; nothing was changed.", file: folder)
        }
    }

    /// The report of its tests, with the folder in front of their file.
    func tested(_ options: PolicyTestOptions = .init(), in folder: String? = nil) throws -> PolicyTestReport {
        var report = try PluginTestRun(bundle, manifest: manifest, options: options).run()
        guard let folder else { return report }
        report.tests = report.tests.map { test in
            PolicyTestReport.Test(
                name: test.name, file: folder + (folder.hasSuffix("/") ? "" : "/") + test.file, line: test.line,
                status: test.status, message: test.message)
        }
        return report
    }
}
