import Circulation
import Desk
import Foundation
import Interchange
import Storage
import TextFormats

// `moonshelf import --explain FILE...`
extension ImportCommand {
    /// What was found out about the files, and what an import of them would come to.
    struct Explained {
        var files: [FileExplanation] = []
        /// nil where a file cannot be imported before a mapping file names its columns.
        var trial: ImportReport?

        var json: JSON {
            ["files": .array(files.map(\.json)), "would": trial?.json ?? .null]
        }
    }

    /// Explains files, and writes the mapping file that `--write-mapping` names.
    func explain(_ desk: Desk, _ options: ImportOptions, _ translators: [any TableTranslator], on console: Console)
        throws
    {
        let tally = try RowCounter()
        let explainer = try desk.read {
            try FileExplainer(options, translators: translators, tally: tally, in: $0)
        }
        var explained = Explained()
        for path in try FileExplainer.files(paths) { explained.files.append(try explainer.explain(path)) }
        var trial = (options: options, translators: translators)
        if explained.files.contains(where: { $0.recogniser == .none }) {
            if explained.files.count == 1, let translator = try proposed(explained.files[0], desk, options) {
                let shown = try explainer.rows(of: explained.files[0].file, under: translator)
                explained.files[0].rows = shown.rows
                explained.files[0].problems += shown.problems
                trial.options.translator = translator.name
                trial.translators = [translator]
                explained.trial = try attempt(trial, desk, &explained)
            }
        } else {
            explained.trial = try attempt(trial, desk, &explained)
        }
        try write(explained.files)
        if json {
            console.print(json: explained.json)
        } else {
            show(explained, on: console)
        }
    }

    /// The mapping that is proposed for a file, if it is whole.
    private func proposed(
        _ file: FileExplanation, _ desk: Desk, _ options: ImportOptions
    ) throws -> MappingTranslator? {
        guard let json = file.mapping,
            let mapping = try? RecordMapping(Array(json.text().utf8), file: "the proposal")
        else { return nil }
        return try desk.read { try MappingTranslator(mapping, in: $0, conventions: options.conventions) }
    }

    /// Imports and undoes it; nil where a file cannot be read on, which is then among its problems.
    private func attempt(
        _ trial: (options: ImportOptions, translators: [any TableTranslator]), _ desk: Desk,
        _ explained: inout Explained
    ) throws -> ImportReport? {
        var options = trial.options
        (options.isDryRun, options.isStrict) = (true, false)
        do {
            return try Importer(
                desk: desk, options: options, tally: try RowCounter(), translators: trial.translators
            ).run(paths: paths)
        } catch let problem as ImportProblem {
            guard let index = explained.files.firstIndex(where: { $0.file == problem.file }) else { throw problem }
            if !explained.files[index].problems.contains(problem) { explained.files[index].problems.append(problem) }
            return nil
        }
    }

    private func write(_ files: [FileExplanation]) throws {
        guard let path = writeMapping else { return }
        guard files.count == 1, let file = files.first else {
            throw CommandFailure.usage("--write-mapping goes with one file.")
        }
        guard let mapping = file.mapping else {
            throw CommandFailure.usage(
                self.mapping != nil
                    ? "--write-mapping writes a new mapping file; this import has one already."
                    : "There is no mapping to be written: nothing says what the rows of \(SafeText.line(file.file)) are."
            )
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.usage("There is a file \(SafeText.line(path)) already; name another one.")
        }
        do {
            try Data((mapping.text(pretty: true) + "\n").utf8).write(to: URL(filePath: path))
        } catch {
            throw CommandFailure.usage("The mapping cannot be written to \(SafeText.line(path)): \(error)")
        }
    }

    // MARK: - In words

    private func show(_ explained: Explained, on console: Console) {
        for file in explained.files { show(file, on: console) }
        guard let trial = explained.trial else {
            console.print("It would import nothing as it is: see the problems above.")
            return
        }
        let proposal = explained.files.contains { $0.recogniser == .none } ? " with the proposed mapping" : ""
        console.print(
            "An import\(proposal) would read \(trial.read) records: \(trial.added) added, \(trial.updated) updated,"
                + " \(trial.unchanged) unchanged, \(trial.rejected) rejected. Nothing was changed.")
        for problem in trial.problems.prefix(Self.shownProblems) {
            console.print(
                "  \(problem.severity == .error ? "rejected" : "note"): \(SafeText.line(problem.description))")
        }
        let more = trial.problems.count - Self.shownProblems + trial.omittedProblems
        if more > 0 { console.print("  … and \(more) more; --json lists them.") }
        if let path = writeMapping {
            console.print("The mapping stands in \(path); check it, and import with --mapping \(path).")
        } else if !proposal.isEmpty {
            console.print(
                "--write-mapping FILE writes the proposal, for you to check and to import with --mapping FILE.")
        }
    }

    private func show(_ file: FileExplanation, on console: Console) {
        let name = file.name.map { " '\($0)'" } ?? ""
        console.print("\(SafeText.line(file.file)): \(file.kind), \(words(file.recogniser))\(name): \(file.why).")
        for (index, column) in file.columns.enumerated() {
            let taken = column.fields.isEmpty ? "not taken" : column.fields.joined(separator: ", ")
            let sure = [.likely, .possible].contains(column.confidence) ? "\(column.confidence.rawValue), " : ""
            let samples = column.samples.map { "'\(String($0.prefix(24)))'" }.joined(separator: ", ")
            console.print(
                SafeText.line(
                    "  \(index + 1). \(column.name) -> \(taken) (\(sure)\(column.why))"
                        + (samples.isEmpty ? "" : ": \(samples)")))
            for problem in column.problems { console.print("     ! \(SafeText.line(problem))") }
        }
        if !file.rows.isEmpty { console.print("  The first rows as records:") }
        for row in file.rows {
            let records = row.records.map { $0.text() }.joined(separator: " ")
            console.print("  \(row.line): \(SafeText.line(records.isEmpty ? "no record" : records))")
            for problem in row.problems {
                console.print(
                    "     ! \(SafeText.line(problem.field.map { "\($0): " } ?? ""))\(SafeText.line(problem.message))")
            }
        }
        for problem in file.problems { console.print("  ! \(SafeText.line(problem.description))") }
    }

    private func words(_ recogniser: FileExplanation.Recogniser) -> String {
        switch recogniser {
        case .export: "an export's table"
        case .table: "a table of"
        case .plugin: "read by the plugin's import"
        case .mapping: "read by the mapping"
        case .json: "records in JSON"
        case .marc: "MARC records"
        case .none: "of no known kind"
        }
    }
}
