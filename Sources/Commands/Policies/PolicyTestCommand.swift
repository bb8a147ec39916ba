import ArgumentParser
import Circulation
import Foundation
import LuaSyntax
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy test FILE...`
struct PolicyTestCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run the tests that stand beside a policy: x_test.lua for x.lua.",
        discussion: """
            --coverage says which lines and branches of its functions and which rows of its tables no test made decide. \
            --mutate makes small changes to the policy, one at a time (a limit one off, a comparison turned, a row taken \
            out or exchanged with the next, a day more or less), and lists those that no test notices, each with a test \
            that would, or with why it is not known whether it changes anything; those that are proved to change no \
            decision are counted. Ends with 1 if a test failed or the coverage is below --threshold.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("Policy files, or the files of their tests.", valueName: "FILE"),
        completion: .file(extensions: ["lua"]))
    var named: [String]

    private var files: [String] { named.map(PolicyTests.policy) }

    @OptionGroup var testing: TestingOptions

    @Flag(help: "Run again whenever the policy or its tests change, until Ctrl-C.")
    var watch = false

    var answersInJSON: Bool { testing.answersInJSON }

    func validate() throws {
        if watch && answersInJSON { throw ValidationError("--watch is for people; it has no JSON.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let settings = try testing.settings()
        guard watch else { return try once(workplace, settings) }
        return try watching(workplace, settings)
    }

    private func once(_ workplace: Workplace, _ settings: PolicyTestOptions) throws -> ExitStatus {
        let console = workplace.console
        var report = PolicyTestReport()
        var sources: [(name: String, text: SourceText)] = []
        // Each run reads the files again.
        let read = SourceFiles()
        for file in files {
            let policy = try workplace.policy(file: file, from: read)
            sources += policy.bundle.files.map { ($0.name, SourceText($0.source)) }
            guard let tests = try PolicyTests.beside(file, from: read) else {
                throw CommandFailure.usage(
                    "There are no tests beside \(file); expected \(PolicyTests.path(for: file)).")
            }
            report.append(try tested(policy, tests, at: file, console, settings))
        }
        let names = files.map { URL(fileURLWithPath: $0).lastPathComponent }
        return try testing.finish(report, named: names, sources, console)
    }

    private func tested(
        _ policy: ParsedPolicy, _ tests: PolicyTests, at file: String, _ console: Console,
        _ settings: PolicyTestOptions
    ) throws -> PolicyTestReport {
        var report = try tests.run(policy, options: settings)
        let run = PolicyTestRun(policy, tests: tests.source, file: tests.path, options: settings, folder: tests.folder)
        report.mutants = try testing.mutants(of: run, at: file, console)
        return report
    }

    // MARK: - Watching

    /// Looks at the files twice a second. Faults are reported, and the next change is awaited.
    private func watching(_ workplace: Workplace, _ settings: PolicyTestOptions) throws -> ExitStatus {
        let console = workplace.console
        var seen: [String: Date] = [:]
        while true {
            let now = changes()
            if now != seen {
                seen = now
                if console.output.isTerminal { console.write("\u{1B}[2J\u{1B}[H") }
                do {
                    _ = try once(workplace, settings)
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
