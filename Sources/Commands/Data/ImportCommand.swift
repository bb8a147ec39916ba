import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import Plugins
import Storage
import TextFormats

/// `moonshelf import PATH...`
struct ImportCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring in titles, copies, patrons, loans and settings.",
        discussion: """
            A file is known by what is in it: a table as CSV, .xlsx, .ods, XML of Excel 2003 or HTML, JSON, or MARC records; '-' is standard \
            input. Tables are recognised by their header, or described by a mapping file; JSON files are arrays, one object \
            a line, or a settings document. Of other files plugins in force are asked whether they know them. Each bad record is reported with its file, line, field and why. Importing a \
            file again adds nothing.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp("Files, or folders of files; '-' is standard input.", valueName: "PATH"), completion: .file()
    )
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the files are: auto, json, csv, bitbooks, or what a plugin in force imports, by the plugin's name or the import's.",
            valueName: "FORMAT"))
    var format = ImportOptions.Format.auto.rawValue

    @Option(
        help: ArgumentHelp("A JSON file that says what the columns of a table are.", valueName: "FILE"),
        completion: .file(extensions: ["json"]))
    var mapping: String?

    @OptionGroup(title: "How files are read") var reading: ImportReading

    @Flag(help: "Keep nothing if any record is bad.")
    var strict = false

    @Flag(help: "Do everything, report, and undo it.")
    var dryRun = false

    @Flag(help: "Show what each column is taken for, on ten rows, and what would come of it; change nothing.")
    var explain = false

    @Option(
        help: ArgumentHelp("With --explain: write a mapping file to check and to import with.", valueName: "FILE"),
        completion: .file(extensions: ["json"]))
    var writeMapping: String?

    @Flag(help: "List every field of every kind that a mapping file can name, in Markdown.")
    var fields = false

    @Flag(
        help:
            "Leave out the passwords that the tables of BitBooks have in plain text; otherwise those that the library's rule takes become passwords of accounts that have none."
    )
    var withoutPasswords = false

    @OptionGroup(title: "Moving in") var moving: MovingOptions

    @Flag(help: "Answer in JSON.") var json = false
    var stopsOrderly: Bool { true }

    /// How many problems are printed.
    static let shownProblems = 20

    func validate() throws {
        if paths.isEmpty, !fields { throw ValidationError("Missing expected argument '<PATH> ...'") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        if fields {
            json
                ? workplace.console.print(json: MappingReference.json)
                : workplace.console.write(MappingReference.markdown)
            return .done
        }
        let here = explain || moving.into == nil ? try workplace.desk(.writing) : nil
        for path in paths { try GivenFile.require(path, "file", orFolder: true) }
        if writeMapping != nil, !explain { throw CommandFailure.usage("--write-mapping goes with --explain.") }
        if explain, moving.into != nil || moving.report != nil {
            throw CommandFailure.usage("--explain imports nothing; --into and --report go with an import.")
        }
        let workplace = here == nil ? try moving.place(workplace, self.options) : workplace
        let desk = try here ?? workplace.desk(.writing)
        let console = workplace.console
        var last: Importer.Progress?
        let plugins = try PluginExchange(
            desk: desk, clock: try workplace.clock(), output: ScriptConsole(console, showsLines: false)
        ).translators()
        var (options, translators) = try importOptions(plugins, desk)
        if explain {
            try explain(desk, options, translators, on: console)
            return .done
        }
        options.arrivals = try moving.choice(desk, workplace)
        options.countsStore = moving.report != nil
        try desk.expectBulk()
        // In a store that holds nothing there is no desk that waits.
        if try desk.read({ try $0.isFresh() }) { options.batch *= 10 }
        let importer = Importer(
            desk: desk, options: options, tally: try RowCounter(), translators: translators
        ) {
            last = $0
            console.progress(ImportCommand.line($0))
        }
        let report: ImportReport
        do {
            report = try importer.run(paths: paths)
        } catch {
            console.endProgress()
            if let last, !strict && !dryRun { console.note(ImportCommand.kept(last)) }
            throw error
        }
        console.endProgress()
        let choices = try moving.words(report, options.arrivals, desk) + words(of: report.passwords)
        let sheet = ImportSheet(
            report, library: try desk.read { try $0.settings.library().name }, paths: paths, isTrial: dryRun,
            choices: choices)
        try moving.write(sheet, desk, workplace)
        if json {
            console.print(json: report.json)
        } else {
            show(report, on: console)
            for words in choices { console.print(words) }
            if let into = moving.into {
                console.print(SafeText.line("All of it is in \(into); the store itself is as it was."))
            }
        }
        return report.rejected > 0 ? .badData : .done
    }

    /// What was chosen, and who reads what others alone know: plugins, or the mapping file alone.
    private func importOptions(
        _ translators: [PluginTranslator], _ desk: Desk
    ) throws -> (ImportOptions, [any TableTranslator]) {
        let conventions = Conventions(dates: reading.dates, decimals: reading.decimals)
        var chosen = ImportOptions(
            isStrict: strict, isDryRun: dryRun, encoding: try reading.textEncoding, sheet: reading.sheet,
            headerRows: reading.headerRows, conventions: conventions)
        chosen.repeated = reading.repeated
        chosen.passwords = withoutPasswords ? .leftOut : .taken
        if let known = ImportOptions.Format(rawValue: format) {
            chosen.format = known
            switch try mapping.map(readMapping) {
            case .columns(let mapping): chosen.mapping = mapping
            case .records(let mapping):
                let translator = try desk.read { try MappingTranslator(mapping, in: $0, conventions: conventions) }
                chosen.translator = translator.name
                return (chosen, [translator])
            case nil: break
            }
            return (chosen, translators)
        }
        guard translators.contains(where: { $0.name == format || $0.tables.contains { $0.name == format } }) else {
            throw CommandFailure.noFormat(
                format, among: ImportOptions.Format.allCases.map(\.rawValue), plugins: translators.map(\.name),
                does: "imports")
        }
        if mapping != nil { throw CommandFailure.usage("--mapping goes with tables; the plugin knows its columns.") }
        chosen.translator = format
        return (chosen, translators)
    }

    private func readMapping(_ path: String) throws -> MappingFile {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.usage("There is no mapping file \(path).")
        }
        return try MappingFile(Array(data), file: path)
    }

    private static func line(_ progress: Importer.Progress) -> String {
        let percent = progress.bytesInAll.flatMap { $0 > 0 ? "\(progress.bytesRead * 100 / $0) %" : nil } ?? ""
        return "\(progress.file): \(progress.records) records \(percent)"
    }

    /// The outcome of an interrupted import.
    private static func kept(_ progress: Importer.Progress) -> String {
        let records = progress.records == 1 ? "The first record" : "The first \(progress.records) records"
        let file = SafeText.line(progress.file)
        return "\(records) of \(file) \(progress.records == 1 ? "is" : "are") kept; importing again adds the rest."
    }

    /// What became of passwords, and how those without one get in.
    private func words(of passwords: ArrivedPasswords) -> [String] {
        func line(_ count: Int64, _ one: String, _ deed: (one: String, all: String, trial: String), _ rest: String)
            -> [String]
        {
            if count == 0 { return [] }
            let done = dryRun ? deed.trial : count == 1 ? deed.one : deed.all
            return ["\(count) \(one)\(count == 1 ? "" : "s") \(done) \(rest)"]
        }
        return line(
            passwords.taken, "password", ("was taken over", "were taken over", "would be taken over"),
            "from plain text, so that people log in as before. Delete the file once it is not needed any more.")
            + line(
                passwords.without, "account", ("is without", "are without", "would be without"),
                "the password that the file has: 'moonshelf account invite --all' makes a link for each, by which its holder"
                    + " sets one.")
    }

    private func show(_ report: ImportReport, on console: Console) {
        for file in report.files { console.note(SafeText.line(file.description)) }
        for problem in report.problems.prefix(ImportCommand.shownProblems) {
            let severity = problem.severity == .error ? "rejected" : "note"
            console.note("\(severity): \(SafeText.line(problem.description))")
        }
        let more = report.problems.count - ImportCommand.shownProblems + report.omittedProblems
        if more > 0 { console.note("… and \(more) more; --json lists them.") }
        var parts = ["\(report.read) records read", "\(report.added) added", "\(report.updated) updated"]
        parts += ["\(report.unchanged) unchanged"]
        if report.repaired > 0 { parts.append("\(report.repaired) repaired") }
        parts.append("\(report.rejected) rejected")
        if report.likelyDuplicates > 0 { parts.append("\(report.likelyDuplicates) likely duplicates") }
        console.print(parts.joined(separator: ", ") + (dryRun ? " (tried only, nothing kept)" : "") + ".")
        if strict && report.rejected > 0 { console.print("Nothing was kept, because --strict was given.") }
    }
}

extension CommandFailure {
    /// A format that neither this program has nor a plugin in force.
    ///
    /// - Parameter does: what a plugin would do with it: "imports".
    static func noFormat(_ name: String, among known: [String], plugins: [String], does: String) -> CommandFailure {
        let others = plugins.isEmpty ? "" : "; plugins in force have \(plugins.joined(separator: ", "))"
        return .usage(
            "There is no format '\(SafeText.line(name))', and no plugin in force \(does) it. There are"
                + " \(known.joined(separator: ", "))\(others).")
    }
}
