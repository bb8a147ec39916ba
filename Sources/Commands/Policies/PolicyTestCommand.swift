import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy test FILE...`
struct PolicyTestCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests that stand beside a policy: x_test.lua for x.lua.",
        discussion: """
            --coverage says which lines and branches of its functions and which rows of its tables no test made decide. \
            --mutate makes small changes to the policy, one at a time (a limit one off, a comparison turned, a row taken \
            out or exchanged with the next, a day more or less), and lists those that no test notices, each with a test \
            that would. Ends with 1 if a test failed or the coverage is below --threshold.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, junit, tap
    }

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("Policy files, or the files of their tests.", valueName: "FILE"),
        completion: .file(extensions: ["lua"]))
    var named: [String]

    private var files: [String] { named.map(PolicyTests.policy) }

    @Option(help: ArgumentHelp("Only tests whose name contains it; may be repeated.", valueName: "TEXT"))
    var filter: [String] = []

    @Flag(help: "Say what of the policy the tests cover.")
    var coverage = false

    @Option(help: ArgumentHelp("The least coverage, of lines, branches and rows each.", valueName: "PERCENT"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp("Also write a page with the source coloured by what the tests cover.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "Change the policy in small ways and say which changes no test notices.")
    var mutate = false

    @Flag(help: "Run again whenever the policy or its tests change, until Ctrl-C.")
    var watch = false

    @Option(help: ArgumentHelp("End a test after so much processor time.", valueName: "10s"))
    var timeLimit: String?

    @Option(
        help: ArgumentHelp("How many tests run at once; otherwise as many as there are processors.", valueName: "N"))
    var parallel: Int?

    @Option(help: ArgumentHelp("text, json, junit or tap.", valueName: "FORMAT"))
    var format: Format = .text

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json || format == .json }

    func validate() throws {
        try FileEnding.checkPage(html)
        if let threshold, !(0...100).contains(threshold) { throw ValidationError("--threshold is 0 to 100.") }
        if let parallel, !(1...64).contains(parallel) { throw ValidationError("--parallel is 1 to 64.") }
        if json, format != .text, format != .json { throw ValidationError("Give --json or --format, not both.") }
        if watch && answersInJSON { throw ValidationError("--watch is for people; it has no JSON.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = try testOptions()
        guard watch else { return try once(workplace.console, settings) }
        return try watching(workplace.console, settings)
    }

    private func testOptions() throws -> PolicyTestOptions {
        PolicyTestOptions(
            filters: filter, timeLimit: try timeLimit.map(ScriptSettings.duration) ?? .seconds(10),
            workers: parallel ?? WorkbenchSettings.processors)
    }

    private func once(_ console: Console, _ settings: PolicyTestOptions) throws -> ExitStatus {
        var report = PolicyTestReport()
        var sources: [(name: String, text: SourceText)] = []
        // Each run reads the files again.
        let read = SourceFiles()
        for file in files {
            let policy = try ParsedPolicy(file: file, from: read)
            sources += policy.bundle.files.map { ($0.name, SourceText($0.source)) }
            guard let tests = try PolicyTests.beside(file, from: read) else {
                throw CommandFailure.usage(
                    "There are no tests beside \(file); expected \(PolicyTests.path(for: file)).")
            }
            report.append(try tested(policy, tests, at: file, console, settings))
        }
        console.endProgress()
        show(report, on: console)
        if let html {
            let names = files.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: ", ")
            try WholeFile.write(
                page: CoveragePage(name: names, sources: sources, report: report).html, to: html, console)
        }
        if !report.isOK { return .refused }
        guard let threshold, report.coverage.leastPercent < threshold else { return .done }
        console.note("The coverage is below \(threshold)%.")
        return .refused
    }

    private func tested(
        _ policy: ParsedPolicy, _ tests: PolicyTests, at file: String, _ console: Console,
        _ settings: PolicyTestOptions
    ) throws -> PolicyTestReport {
        var report = try tests.run(policy, options: settings)
        guard mutate else { return report }
        let run = PolicyTestRun(policy, tests: tests.source, file: tests.path, options: settings, folder: tests.folder)
        let shown = ProgressLine(console)
        report.mutants = try MutationRun(run).report { shown.show("\(file): change \($0) of \($1)") }
        return report
    }

    private func show(_ report: PolicyTestReport, on console: Console) {
        switch json ? .json : format {
        case .json: console.print(json: report.json)
        case .junit: console.print(report.junit)
        case .tap: console.print(SafeText.lines(report.tap))
        case .text:
            var parts: [String] = []
            if let mutants = report.mutants { parts.append(mutants.text) }
            if coverage || threshold != nil { parts.append(report.coverage.text) }
            console.print(SafeText.lines((parts + [report.text]).joined(separator: "\n\n")))
        }
    }

    // MARK: - Watching

    /// Looks at the files twice a second. Faults are reported, and the next change is awaited.
    private func watching(_ console: Console, _ settings: PolicyTestOptions) throws -> ExitStatus {
        var seen: [String: Date] = [:]
        while true {
            let now = changes()
            if now != seen {
                seen = now
                if console.output.isTerminal { console.write("\u{1B}[2J\u{1B}[H") }
                do {
                    _ = try once(console, settings)
                } catch {
                    console.note(CommandFailure(error).text)
                }
                console.note("Waiting for a change; Ctrl-C ends it.")
            }
            Thread.sleep(forTimeInterval: 0.5)
        }
    }

    /// When the Lua files beside the policies last changed, required modules included.
    private func changes() -> [String: Date] {
        var dates: [String: Date] = [:]
        for file in files {
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            let names = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            var left = 2_000
            while left > 0, let url = names?.nextObject() as? URL {
                left -= 1
                guard url.pathExtension == "lua" else { continue }
                let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
                dates[url.path] = attributes?[.modificationDate] as? Date
            }
        }
        return dates
    }
}
