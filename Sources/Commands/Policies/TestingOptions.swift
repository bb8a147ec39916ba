import ArgumentParser
import LuaSyntax
import TextFormats
import Workbench

/// How the commands that test policies and plugins run tests, and how they answer.
struct TestingOptions: ParsableArguments {
    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, junit, tap
    }

    @Option(help: ArgumentHelp("Only tests whose name contains it; may be repeated.", valueName: "TEXT"))
    var filter: [String] = []

    @Flag(help: "Say what the tests cover.")
    var coverage = false

    @Option(help: ArgumentHelp("The least coverage, of lines, branches and rows each.", valueName: "PERCENT"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp("Also write a page with the source coloured by what the tests cover.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "Change what is tested in small ways and say which changes no test notices.")
    var mutate = false

    @Option(help: ArgumentHelp("How long proofs about changes that no case tells may take.", valueName: "60s"))
    var proofLimit: String?

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
    }

    func settings() throws -> PolicyTestOptions {
        PolicyTestOptions(
            filters: filter, timeLimit: try timeLimit.map(ScriptSettings.duration) ?? .seconds(10),
            workers: parallel ?? WorkbenchSettings.processors)
    }

    /// What became of small changes, if that is asked for.
    func mutants(of subject: any TestSubject, at file: String, _ console: Console) throws -> MutationReport? {
        guard mutate else { return nil }
        let shown = ProgressLine(console)
        let time = try proofLimit.map(ScriptSettings.duration) ?? .seconds(60)
        return try MutationRun(subject, proofTime: time).report { shown.show("\(file): change \($0) of \($1)") }
    }

    /// Shows what came out, and says how the command ends.
    ///
    /// - Parameters:
    ///   - names: of what was tested, for the title of a page.
    ///   - sources: its files.
    func finish(
        _ report: PolicyTestReport, named names: [String], _ sources: [(name: String, text: SourceText)],
        _ console: Console
    ) throws -> ExitStatus {
        console.endProgress()
        show(report, on: console)
        if let html {
            let page = CoveragePage(name: names.joined(separator: ", "), sources: sources, report: report).html
            try WholeFile.write(page: page, to: html, console)
        }
        if !report.isOK { return .refused }
        guard let threshold, report.coverage.leastPercent < threshold else { return .done }
        console.note("The coverage is below \(threshold)%.")
        return .refused
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
}
