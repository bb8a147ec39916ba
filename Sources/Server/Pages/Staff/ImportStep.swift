import Circulation
import Desk
import Foundation
import Interchange
import Languages
import Plugins
import Scripting
import Storage
import TextFormats

/// One step of an import in the browser: a file, what its columns are taken for, and what came of it. Everything is read and imported
/// as `moonshelf import` does it.
struct ImportStep {
    let call: PageCall
    let file: ImportShelf.File
    /// The word by which the shelf has it.
    let token: String
    /// Whether the file came with this form.
    let isNew: Bool
    /// The mapping file of the form; nil: there is none, or it is one for other files.
    private(set) var mapping: ImportMapping?

    private(set) var explanation: FileExplanation?
    /// What is chosen for the columns; nil where the file has none to choose for.
    private(set) var draft: MappingDraft?
    /// Whether the file is read as the draft says, and not as what it was recognised to be.
    private(set) var isMapped = false
    /// What stands in columns that hold codes, by their names.
    private(set) var words: [ImportWords] = []
    private(set) var report: ImportReport?
    private(set) var isTrial = true
    private(set) var refused = RefusedRows()
    /// Whether the shelf has the refused rows.
    private(set) var hasRefusedFile = false
    /// What keeps the file from being imported.
    private(set) var wrong: String?
    /// The plugin that comes with the program and would read the file, with its page.
    private(set) var reader: [String: Any]?
    /// Whether it was tried in place of being imported: a proposal imports nothing before a person has seen it.
    private(set) var isHeld = false

    /// What is done with the file.
    enum Deed {
        case explained, tried, imported
    }

    init(_ call: PageCall, _ file: ImportShelf.File, token: String, isNew: Bool, mapping: ImportMapping?) {
        self.call = call
        self.file = file
        self.token = token
        self.isNew = isNew
        self.mapping = mapping
    }

    /// Reads the file, and tries or imports it.
    mutating func run(_ deed: Deed) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        // Readers take files: what was sent is one as long as it is read. Only the ending of its name is taken over.
        let ending = (file.name.split(separator: ".").last ?? "").lowercased()
        let isPlain = (1...10).contains(ending.utf8.count) && ending.allSatisfy { $0.isASCII && $0.isLetter }
        let path = folder.appending(path: isPlain ? "rows.\(ending)" : "rows")
        try Data(file.bytes).write(to: path)
        do {
            try run(deed, path.path(percentEncoded: false))
        } catch let problem as ImportProblem {
            try note(problem, path.path(percentEncoded: false))
            wrong = wrong ?? Self.words(of: problem)
        }
    }

    /// Notes the plugin that comes with the program and would read what nothing in force reads.
    private mutating func note(_ problem: ImportProblem, _ path: String) throws {
        guard let unread = try UnreadUpload(problem, at: path, Self.options(call), call) else { return }
        wrong = unread.words
        reader = unread.reader
    }

    private mutating func run(_ deed: Deed, _ path: String) throws {
        let desk = call.services.desk.acting(as: call.caller.actor)
        var translators: [any TableTranslator] = try PluginExchange(
            desk: desk, clock: call.services.clock, output: PluginNotes(call.services.teller)
        ).translators()
        var options = Self.options(call)
        switch mapping?.content {
        case .columns(let mapping)?: options.mapping = mapping
        // Its names of columns are those of such a header.
        case .records(let mapping, _)?: options.headerRows = options.headerRows ?? mapping.headerRows
        case nil: break
        }
        let tally = try RowCounter()
        var explainer = try desk.read { try FileExplainer(options, translators: translators, tally: tally, in: $0) }
        let explained = try explainer.explain(path)
        explanation = explained
        if explained.recogniser == .none, mapping == nil, isNew {
            options.isDryRun = true
            do {
                _ = try Importer(desk: desk, options: options, tally: tally, translators: translators)
                    .run(paths: [path])
            } catch let problem as ImportProblem {
                try note(problem, path)
            }
        }
        try choose(explained, explainer, path)
        guard wrong == nil, deed != .explained else { return }
        if isMapped, let draft {
            if let lack = Self.lack(draft) {
                wrong = lack
                return
            }
            let mapping = try RecordMapping(Array(draft.json.text().utf8), file: Self.name(of: draft))
            let translator = try desk.read {
                try MappingTranslator(mapping, in: $0, conventions: options.conventions)
            }
            options.translator = translator.name
            translators = [translator]
            explainer = try desk.read { try FileExplainer(options, translators: [translator], tally: tally, in: $0) }
        } else if explained.recogniser == .none {
            wrong = say("Nothing says what the rows of this file are: choose for its columns what they hold.")
            return
        }
        isHeld = deed == .imported && isNew && isMapped && mapping == nil
        isTrial = deed == .tried || isHeld
        options.isDryRun = isTrial
        var refused = RefusedRows()
        let importer = Importer(
            desk: desk, options: options, tally: try RowCounter(), translators: translators,
            noting: { refused.note($0) })
        report = try importer.run(paths: [path])
        self.refused = refused
        let rows = try? explainer.csv(of: refused, in: path)
        hasRefusedFile = rows != nil
        let name = file.name.split(separator: ".").first.map(String.init) ?? "rows"
        call.services.imports.put(
            rows.map { ImportShelf.File(name: "\(name)-refused.csv", bytes: $0) }, beside: token,
            of: try call.holder().id, isImported: !isTrial)
    }

    /// Brings what the form says into the draft.
    private mutating func choose(_ explained: FileExplanation, _ explainer: FileExplainer, _ path: String) throws {
        guard !explained.columns.isEmpty else { return }
        if case .columns? = mapping?.content { return }
        var base = MappingDraft(explained.mapping)
        let names = explained.columns.map(\.name)
        isMapped = explained.recogniser == .none
        if case .records(_, let json)? = mapping?.content {
            let lacking = MappingDraft(json).lacking(names)
            guard lacking.isEmpty || mapping?.isNew == false && !isNew else {
                let names = lacking.prefix(20).map { "“\(PageWords.safe($0))”" }.joined(separator: ", ")
                wrong = say("The mapping file names columns that this file lacks: \(names). It was left out.")
                mapping = nil
                draft = base
                return
            }
            base = MappingDraft(json)
            isMapped = true
        }
        var chosen = ImportChoices(call.form).applied(to: base, in: explained)
        words = try ImportWords.all(of: chosen, explained, explainer, path, call)
        for word in words { word.apply(to: &chosen, call.form, isMapped: isMapped || chosen != base) }
        isMapped = isMapped || chosen != base
        if isMapped {
            if mapping?.isNew != true { chosen.settle(names) }
            if let dates = call.form.text("dates") { chosen.set(dates: dates) }
        }
        draft = chosen
    }

    /// How the form says that files are read.
    private static func options(_ call: PageCall) -> ImportOptions {
        var options = ImportOptions(
            encoding: call.form.text("encoding").flatMap(TextEncoding.init(name:)), sheet: call.form.text("sheet"),
            headerRows: call.form.text("header_rows").flatMap(Int.init).flatMap { [1, 2].contains($0) ? $0 : nil },
            conventions: Conventions(
                dates: call.form.text("dates").flatMap(DateOrder.init),
                decimals: call.form.text("decimals").flatMap(DecimalMark.init)))
        options.repeated = call.form.text("repeated").flatMap(RepeatedRecords.init) ?? .refuse
        return options
    }

    /// What reports call the mapping: by what rows stand for.
    private static func name(of draft: MappingDraft) -> String {
        draft.kinds.compactMap { KnownHeadings.plural($0) }.joined(separator: ", ")
    }

    /// What is still to be chosen; nil: nothing.
    private static func lack(_ draft: MappingDraft) -> String? {
        if draft.isEmpty { return say("Choose for at least one column what it holds.") }
        guard let (kind, fields) = draft.missing.first else { return nil }
        let labels = fields.map { ImportFieldNames.label($0, kind) }.joined(separator: " / ")
        return say("\(ImportFieldNames.kind(kind)): choose which column holds “\(labels)”.")
    }

    // MARK: - What is wrong

    /// A file that cannot be read at all, or as it stands.
    static func words(of problem: ImportProblem) -> String {
        if problem.code.hasPrefix("ambiguous_date") {
            return say("Line \(problem.line): a date can be read in two ways. Choose the order of dates below.")
        }
        if problem.code.hasPrefix("ambiguous_amount") {
            return say(
                "Line \(problem.line): an amount can be read in two ways. Choose what stands before decimals below.")
        }
        let words = PageWords.sentence([problem.field, problem.message].compactMap(\.self).joined(separator: ": "))
        return problem.line > 0 ? say("Line \(problem.line): \(words)") : words
    }
}

/// A mapping file that came with a form.
struct ImportMapping {
    enum Content {
        case columns(ColumnMapping)
        case records(RecordMapping, JSON)
    }

    let content: Content
    /// As it was sent, for the next step.
    let text: String
    /// Whether it was uploaded with this form, and not with one before.
    let isNew: Bool

    private static let mostBytes = 200_000

    /// The mapping file of a form; nil: it has none.
    ///
    /// - Throws: ``Problem`` for what is none.
    init?(_ form: PageForm) throws {
        let upload = form.upload("mapping_file")
        guard let bytes = upload?.bytes ?? form.text("mapping").map({ Array($0.utf8) }) else { return nil }
        guard bytes.count <= Self.mostBytes else {
            throw Problem.input(say("A mapping file has at most \(Self.mostBytes) bytes here."), argument: "file")
        }
        isNew = upload != nil
        do {
            switch try MappingFile(bytes, file: upload?.name ?? "mapping.json") {
            case .columns(let mapping): content = .columns(mapping)
            case .records(let mapping): content = .records(mapping, try JSONParser.parse(bytes))
            }
        } catch let problem as ImportProblem {
            throw Problem.input(
                say("The mapping file cannot be used. \(ImportStep.words(of: problem))"), argument: "file")
        } catch {
            throw Problem.input(say("The mapping file cannot be used."), argument: "file")
        }
        text = String(decoding: bytes, as: UTF8.self)
    }
}
