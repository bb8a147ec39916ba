import Circulation
import Desk
import Foundation
import Interchange
import Languages
import Plugins
import Scripting
import Storage
import TextFormats

/// Titles, patrons and whatever else a file brings, uploaded or pasted into the page, for administrators: tried first, with each problem
/// by its line, then imported. A second import of the same rows adds nothing.
enum ImportPage: PageGroup {
    static let templates = [PageTemplate("import", PackageResources.import_mustache)]

    private static let path = "/desk/import"
    /// So many problems are shown.
    private static let mostProblems = 100
    /// So many bytes may be pasted, and stand in a file; what is larger is for `moonshelf import`.
    private static let mostBytes = 300_000
    static let mostFileBytes = 4 << 20

    static let pages = [
        Page.shown(path, .admin) { call in try view(call) },
        Page(
            verb: .post, path: path, access: .admin,
            work: .entering { call in
                do {
                    return .view(try answer(call))
                } catch let problem as ImportProblem {
                    return .view(try view(call, wrong: words(of: problem)))
                } catch let problem as Problem where problem.argument == "file" {
                    return .view(try view(call, wrong: PageWords.sentence(problem.detail)))
                }
            }, mostFileBytes: mostFileBytes),
    ]

    private static func answer(_ call: PageCall) throws -> PageView {
        let isTrial = call.form.text("keep") == nil
        let owner = try call.holder().id
        let shelf = call.services.imports
        let file = try chosen(call, owner)
        let report = try importing(file, isTrial: isTrial, call)
        if call.form.upload("file") == nil, call.form.text("kept") == nil {
            return try view(call, report, isTrial: isTrial)
        }
        guard isTrial else {
            shelf.remove(of: owner)
            return try view(call, report, isTrial: false, name: file.name)
        }
        let token = call.form.upload("file") == nil ? call.form.text("kept") : nil
        return try view(
            call, report, name: file.name, kept: token ?? shelf.keep(file, of: owner, at: call.now))
    }

    /// The file of the form, the one that was tried before, or what was pasted.
    private static func chosen(_ call: PageCall, _ owner: Int64) throws -> ImportShelf.File {
        let text = (call.form["rows"] ?? "").replacing("\r\n", with: "\n")
        let isPasted = !text.trimmingSpaces().isEmpty
        if let upload = call.form.upload("file") {
            guard !isPasted else { throw wrong(say("Choose a file or paste rows, one of the two.")) }
            guard upload.bytes.count <= mostFileBytes else {
                throw wrong(say("A file has at most \(mostFileBytes >> 20) MB here; 'moonshelf import' takes any."))
            }
            let name = upload.name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
            return ImportShelf.File(name: String(SafeText.line(name).prefix(100)), bytes: upload.bytes)
        }
        if isPasted {
            guard text.utf8.count <= mostBytes else {
                throw wrong(say("At most \(mostBytes) bytes at once; 'moonshelf import' takes any file."))
            }
            let isJSON = ["[", "{"].contains { text.trimmingSpaces().hasPrefix($0) }
            return ImportShelf.File(name: isJSON ? "rows.json" : "rows.csv", bytes: Array(text.utf8))
        }
        guard let token = call.form.text("kept") else { throw wrong(say("Paste the rows of a file, or choose one.")) }
        guard let file = call.services.imports.file(token, of: owner, at: call.now) else {
            throw wrong(say("The file that was tried is no longer at hand; choose it again."))
        }
        return file
    }

    private static func wrong(_ words: String) -> Problem { Problem.input(words, argument: "file") }

    /// Readers take files: what was sent is one as long as it is read. Only the ending of its name is taken over.
    private static func importing(_ sent: ImportShelf.File, isTrial: Bool, _ call: PageCall) throws -> ImportReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let ending = (sent.name.split(separator: ".").last ?? "").lowercased()
        let isPlain = (1...10).contains(ending.utf8.count) && ending.allSatisfy { $0.isASCII && $0.isLetter }
        let file = folder.appending(path: isPlain ? "rows.\(ending)" : "rows")
        try Data(sent.bytes).write(to: file)
        let desk = call.services.desk.acting(as: call.caller.actor)
        let translators = try PluginExchange(
            desk: desk, clock: call.services.clock, output: PluginNotes(call.services.teller)
        ).translators()
        let importer = Importer(
            desk: desk, options: options(call, isTrial: isTrial), tally: try RowCounter(), translators: translators)
        return try importer.run(paths: [file.path(percentEncoded: false)])
    }

    /// How the form says that files are read.
    private static func options(_ call: PageCall, isTrial: Bool) -> ImportOptions {
        var options = ImportOptions(
            isDryRun: isTrial, encoding: call.form.text("encoding").flatMap(TextEncoding.init(name:)),
            sheet: call.form.text("sheet"),
            headerRows: call.form.text("header_rows").flatMap(Int.init).flatMap { [1, 2].contains($0) ? $0 : nil },
            conventions: Conventions(
                dates: call.form.text("dates").flatMap(DateOrder.init),
                decimals: call.form.text("decimals").flatMap(DecimalMark.init)))
        options.repeated = call.form.text("repeated").flatMap(RepeatedRecords.init) ?? .refuse
        return options
    }

    /// What the form asks of how files are read.
    private static func readingFields() -> [PageField] {
        let shows = ("", say("As the file shows"))
        var dates = PageField(name: "dates", label: "Dates that can be read in two ways")
        dates.choices = [
            shows, ("dmy", say("Day, month, year")), ("mdy", say("Month, day, year")), ("ymd", say("Year, month, day")),
        ]
        var decimals = PageField(name: "decimals", label: "What stands before the decimals of amounts")
        decimals.choices = [shows, ("point", say("A point")), ("comma", say("A comma"))]
        var encoding = PageField(name: "encoding", label: "Encoding of texts")
        encoding.choices = [shows] + TextEncoding.allCases.map { ($0.rawValue, $0.rawValue) }
        let sheet = PageField(
            name: "sheet", label: "Sheet of a spreadsheet", most: 100,
            hint: "Empty: the first whose headings are known.")
        var rows = PageField(name: "header_rows", label: "Rows of headings")
        rows.choices = [shows, ("1", "1"), ("2", "2")]
        var repeated = PageField(name: "repeated", label: "A row with the key of an earlier one")
        repeated.choices = [("", say("Is refused")), ("update", say("Changes what the earlier one brought"))]
        return [dates, decimals, encoding, sheet, rows, repeated]
    }

    /// A file that cannot be read at all, or as it stands.
    private static func words(of problem: ImportProblem) -> String {
        let words = PageWords.sentence([problem.field, problem.message].compactMap(\.self).joined(separator: ": "))
        return problem.line > 0 ? say("Line \(problem.line): \(words)") : words
    }

    private static func words(of declared: UndescribedCode) -> String {
        switch declared.kind {
        case .branch: say("the branch “\(declared.code)”")
        case .category: say("the category “\(declared.code)”")
        case .itemType: say("the item type “\(declared.code)”")
        case .location: "“\(declared.code)”"
        }
    }

    private static func view(
        _ call: PageCall, _ report: ImportReport? = nil, isTrial: Bool = true, name: String? = nil, kept: String? = nil,
        wrong: String? = nil
    ) throws -> PageView {
        let inputs = PageField.inputs(readingFields(), call)
        var fields: [String: Any] = [
            "path": path, "rows": PageWords.safe(call.form["rows"] ?? ""), "inputs": inputs,
            "isRead": inputs.contains { call.form.text($0["name"] as? String ?? "") != nil },
            "mostSize": mostFileBytes >> 20,
        ]
        fields["wrong"] = wrong
        if let kept, let name { fields["kept"] = ["token": kept, "fileName": PageWords.safe(name)] as [String: Any] }
        if let report {
            fields["report"] = reportFields(report, isTrial: isTrial, name: name)
            if !isTrial { fields["rows"] = "" }
        }
        return PageView(template: "import", title: say("Import"), fields: fields, status: wrong == nil ? 200 : 422)
    }

    private static func reportFields(_ report: ImportReport, isTrial: Bool, name: String?) -> [String: Any] {
        let problems = report.problems.prefix(mostProblems).map { problem -> [String: Any] in
            [
                "line": problem.line, "hasLine": problem.line > 0, "isError": problem.severity == .error,
                "message": PageWords.safe([problem.field, problem.message].compactMap(\.self).joined(separator: ": ")),
            ]
        }
        var fields: [String: Any] = [
            "words": say(
                "\(report.read) read, \(report.added) added, \(report.updated) updated, "
                    + "\(report.unchanged) unchanged, \(report.rejected) rejected."),
            "isTrial": isTrial, "problems": problems,
            "more": max(0, report.problems.count + report.omittedProblems - problems.count),
            "isMore": report.problems.count + report.omittedProblems > problems.count,
        ]
        for (name, codes) in [
            ("declared", report.declared.filter(\.isDeclared)), ("unnamed", report.declared.filter { !$0.isDeclared }),
        ] where !codes.isEmpty {
            let shown = codes.prefix(mostProblems).map { words(of: $0) }
            fields[name] =
                ["words": PageWords.safe(shown.joined(separator: ", ")), "isTrial": isTrial] as [String: Any]
        }
        if let name, let file = report.files.first {
            // What it was found to be: `xlsx, sheet "Books", table of titles`.
            let found = file.description.dropFirst(file.file.count).drop { $0 == ":" || $0 == " " }
            fields["file"] =
                ["fileName": PageWords.safe(name), "found": PageWords.safe(String(found))] as [String: Any]
        }
        return fields
    }
}
