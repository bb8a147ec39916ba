package import Circulation
import Interchange
import LuaSyntax
package import Scripting
import TextFormats
package import Workbench

/// Reads a plugin without running it, and says what is wrong with it: with file, line and the nearest name.
package struct PluginCheck: Sendable {
    package let report: PolicyCheck.Report
    /// What the plugin says of itself, as far as it could be read.
    package let manifest: PluginManifest

    package var isOK: Bool { report.isOK }

    /// Each file is parsed once.
    ///
    /// - Parameters:
    ///   - taken: the paths at which the library itself answers.
    ///   - fields: those that plugins in force declare, where a store is at hand.
    package init(_ bundle: PolicyBundle, taken: [TakenPath] = [], fields: CustomFields = .none) {
        let parsed = ParsedPolicy(bundle)
        var findings = parsed.faults
        let chunks = parsed.chunks
        let sources = Dictionary(bundle.files.map { ($0.name, SourceText($0.source)) }) { first, _ in first }
        var manifest = PluginManifest()
        var fields = fields
        if let main = chunks.first, main.name == PluginFolder.mainName {
            let reader = PluginManifestReader(main)
            manifest = reader.manifest
            findings += reader.findings
            fields = CustomFields(manifest.fields + fields.all.filter { $0.plugin != manifest.name })
            findings += EventFieldUse.findings(
                of: manifest.handlers.map { EventFieldUse.Handler(event: $0.event, range: $0.range, body: $0.body) },
                in: main, fields: fields)
            findings += Self.fieldUse(of: manifest, fields, in: main)
            findings += manifest.namedFiles.filter { named in !bundle.files.contains { $0.name == named.name } }.map {
                Finding(
                    code: "not_found", file: main.name, range: $0.range,
                    message: "there is no '\(SafeText.line($0.name))' in the plugin's folder")
            }
            findings += PluginPaths.findings(in: manifest, taken: taken, file: main.name)
            findings += Self.rowUse(of: manifest.contributions(of: .imports), in: main)
        }
        let known = PluginWord.known(settings: manifest.settings)
        let needs = Set(manifest.needs).union([.read])
        let scripts = Set(manifest.namedFiles.map(\.name))
        for chunk in chunks where scripts.contains(chunk.name) {
            let known = PluginWord.known(settings: manifest.settings, isReport: true)
            findings += ScriptCheck.findings(in: chunk, known: known, most: needs, fields: fields)
        }
        for chunk in chunks where !scripts.contains(chunk.name) {
            findings += ScriptCheck.wrongArguments(in: chunk, fields: fields)
        }
        for chunk in chunks where chunk.name != PluginFolder.testName && !scripts.contains(chunk.name) {
            findings += GlobalUse(known: known, file: chunk.name).findings(in: chunk)
            let called = chunk.name == PluginFolder.mainName ? manifest.called : []
            findings += Self.lastingWrites(in: chunk, called: called)
            findings += ScriptCapabilities.undeclared(in: chunk, declared: needs)
        }
        for chunk in chunks where chunk.name == PluginFolder.testName {
            let words = KnownNames(paths: PolicyTestWord.paths + PluginWord.ofTests)
            findings += GlobalUse(known: words, file: chunk.name).findings(in: chunk)
        }
        self.manifest = manifest
        report = PolicyCheck.Report(findings: Array(Set(findings)).sorted(), sources: sources)
    }

    /// The plugin of a folder.
    ///
    /// - Throws: ``PolicyFailure`` where it cannot be read.
    package init(folder path: String, from files: SourceFiles = SourceFiles()) throws(PolicyFailure) {
        self.init(try PluginFolder(path: path, from: files).bundle)
    }

    /// Fields that the first arguments of functions do not have: of all that the plugin adds.
    private static func fieldUse(of manifest: PluginManifest, _ own: CustomFields, in chunk: Chunk) -> [Finding] {
        let api = LibraryAPI(own)
        var given: [Int: FieldTree] = [:]
        for kind in ContributionKind.all {
            for entry in manifest.contributions(of: kind) {
                for (name, function) in entry.functions {
                    guard let parameter = function?.parameters.first?.id,
                        let fields = kind.argument(entry, name, api)
                    else { continue }
                    given[parameter] = given[parameter]?.merging(fields) ?? fields
                }
            }
        }
        return FieldUse.findings(in: chunk, given: given, scopes: ScopeAnalysis(chunk), file: chunk.name)
    }

    /// Columns that an import reads and does not declare.
    private static func rowUse(of imports: [Contribution], in chunk: Chunk) -> [Finding] {
        var given: [Int: FieldTree] = [:]
        func give(_ names: [String], to function: String, of entry: Contribution) {
            guard let body = entry.functions[function] ?? nil, let parameter = body.parameters.first?.id else { return }
            let tree = FieldTree(Dictionary(names.map { ($0, FieldTree.leaf) }) { first, _ in first })
            // One function may serve several tables.
            given[parameter] = given[parameter]?.merging(tree) ?? tree
        }
        for entry in imports {
            give(["file", "kind", "columns", "rows", "named"], to: ContributionKind.recognise, of: entry)
            let columns = entry.table.columns.filter { $0.kind != .none && $0.kind != .password }
            if !columns.isEmpty { give(columns.map(\.name), to: ContributionKind.record, of: entry) }
        }
        return FieldUse.findings(in: chunk, given: given, scopes: ScopeAnalysis(chunk), file: chunk.name)
    }

    /// Nothing in a variable lasts from one event to the next, nor from one machine to another.
    ///
    /// - Parameter called: functions that are called anew each time: their variables begin anew.
    private static func lastingWrites(in chunk: Chunk, called: [FunctionBody]) -> [Finding] {
        ScopeAnalysis(chunk).outerAssignments.compactMap { use in
            if case .upvalue(let id) = use.variable.binding,
                called.contains(where: { $0.range.contains(chunk.declarations[id].range.start) })
            {
                return nil
            }
            return Finding(
                code: "stateful", file: chunk.name, range: use.variable.range,
                message: "'\(use.variable.name)' would not last: what a plugin keeps it keeps with state.set")
        }
    }
}
