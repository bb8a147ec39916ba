import Circulation
import Desk
import Foundation
import Interchange
import Languages
import Scripting
import TextFormats

/// Titles, patrons and whatever else a file brings, uploaded or pasted into the page, for administrators: what its columns are taken for is
/// shown and changed, the file is tried, with each problem by its line, then imported. A second import of the same rows adds nothing.
enum ImportPage: PageGroup {
    static let templates = [
        PageTemplate("import", PackageResources.import_mustache),
        PageTemplate("import-review", PackageResources.import_review_mustache),
        PageTemplate("import-headings", PackageResources.import_headings_mustache),
    ]

    static let path = "/desk/import"
    /// So many problems are shown.
    private static let mostProblems = 100
    /// So many bytes may be pasted, and stand in a file; what is larger is for `moonshelf import`.
    private static let mostBytes = 300_000
    static let mostFileBytes = 4 << 20

    static let pages =
        [
            Page.shown(path, .admin) { call in try view(call) },
            Page(verb: .post, path: path, access: .admin, work: .entering(answer), mostFileBytes: mostFileBytes),
            Page(verb: .get, path: "\(path)/refused/{file}", access: .admin, work: .serving(refusedRows)),
        ] + ImportHeadingsPage.pages

    private static func answer(_ call: PageCall) throws -> PageResponse {
        do {
            return try act(call)
        } catch let problem as ImportProblem {
            return .view(try view(call, wrong: ImportStep.words(of: problem)))
        } catch let problem as Problem where problem.argument == "file" {
            return .view(try view(call, wrong: PageWords.sentence(problem.detail)))
        }
    }

    private static func act(_ call: PageCall) throws -> PageResponse {
        let mapping = try ImportMapping(call.form)
        let (file, token) = try chosen(call, call.holder().id)
        let isNew = call.form.text("kept") != token
        var step = ImportStep(call, file, token: token, isNew: isNew, mapping: mapping)
        if call.form.text("download") != nil {
            try step.run(.explained)
            if let draft = step.draft, !draft.isEmpty {
                return PageResponse(kind: .document(document(draft, of: file)))
            }
            return .view(
                try view(call, step, wrong: step.wrong ?? say("There is nothing to be written into a mapping file.")))
        }
        try step.run(call.form.text("keep") == nil ? .tried : .imported)
        return .view(try view(call, step, wrong: step.wrong))
    }

    /// The file of the form, the one that was tried before, or what was pasted, with the word by which the shelf has it.
    private static func chosen(_ call: PageCall, _ owner: Int64) throws -> (ImportShelf.File, token: String) {
        let shelf = call.services.imports
        func kept(_ file: ImportShelf.File) -> (ImportShelf.File, token: String) {
            (file, shelf.keep(file, of: owner, at: call.now))
        }
        let text = (call.form["rows"] ?? "").replacing("\r\n", with: "\n")
        let isPasted = !text.trimmingSpaces().isEmpty
        if let upload = call.form.upload("file") {
            guard !isPasted else { throw wrong(say("Either choose a file or paste rows, not both.")) }
            guard upload.bytes.count <= mostFileBytes else {
                throw wrong(
                    say(
                        "Files can have at most \(mostFileBytes >> 20) MB here. For larger ones, use "
                            + "'moonshelf import'."))
            }
            let name = upload.name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
            return kept(ImportShelf.File(name: String(SafeText.line(name).prefix(100)), bytes: upload.bytes))
        }
        if isPasted {
            guard text.utf8.count <= mostBytes else {
                throw wrong(
                    say(
                        "You can paste at most \(mostBytes) bytes at once. For larger files, use 'moonshelf import'."))
            }
            let isJSON = ["[", "{"].contains { text.trimmingSpaces().hasPrefix($0) }
            return kept(ImportShelf.File(name: isJSON ? "rows.json" : "rows.csv", bytes: Array(text.utf8)))
        }
        guard let token = call.form.text("kept") else { throw wrong(say("Choose a file, or paste its rows.")) }
        guard let file = shelf.file(token, of: owner, at: call.now) else {
            throw wrong(say("The file you tried is no longer available. Please choose it again."))
        }
        return (file, token)
    }

    private static func wrong(_ words: String) -> Problem { Problem.input(words, argument: "file") }

    // MARK: - Files to download

    private static func document(_ draft: MappingDraft, of file: ImportShelf.File) -> WebResponse {
        var answer = WebResponse(200, text: draft.json.text(pretty: true) + "\n", "application/json; charset=utf-8")
        answer.fields["Content-Disposition"] = attachment("\(stem(file.name))-mapping.json")
        return answer
    }

    private static func refusedRows(_ call: PageCall) throws -> WebResponse {
        let shelf = call.services.imports
        guard let file = shelf.refused(call.values[0], of: try call.holder().id, at: call.now) else {
            throw Problem.notFound
        }
        var answer = WebResponse(200, text: String(decoding: file.bytes, as: UTF8.self), "text/csv; charset=utf-8")
        answer.fields["Content-Disposition"] = attachment("\(stem(file.name)).csv")
        return answer
    }

    static func attachment(_ name: String) -> String { "attachment; filename=\"\(name)\"" }

    /// What is plain of a name, without its ending.
    private static func stem(_ name: String) -> String {
        let stem = name.split(separator: ".").first.map(String.init) ?? ""
        let plain = stem.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return plain.isEmpty ? "rows" : plain
    }

    // MARK: - The page

    private static func view(_ call: PageCall, _ step: ImportStep? = nil, wrong: String? = nil) throws -> PageView {
        let inputs = ImportReading.inputs(call).other
        var fields: [String: Any] = [
            "path": path, "rows": PageWords.safe(call.form["rows"] ?? ""), "inputs": inputs,
            "isRead": inputs.contains { call.form.text($0["name"] as? String ?? "") != nil },
            "mostSize": mostFileBytes >> 20, "headings": ImportHeadingsPage.path,
            "isFurther": step != nil,
        ]
        fields["reader"] = step?.reader
        let isDone = step?.report != nil && step?.isTrial == false
        if let step, !isDone {
            fields["review"] = ImportReview(step)?.fields ?? ImportReview.unread(step)
            fields["isHeld"] = step.isHeld
            fields["reviewWrong"] = wrong
        } else {
            fields["wrong"] = wrong
            // What was chosen for the columns of a file that is no longer at hand is not lost.
            if step == nil, let mapping = keptChoices(call) { fields["choices"] = ["text": mapping] }
        }
        if let step, let report = step.report {
            fields["report"] = reportFields(report, step)
            if isDone { fields["rows"] = "" }
        }
        return PageView(template: "import", title: say("Import"), fields: fields, status: wrong == nil ? 200 : 422)
    }

    /// What the form says of columns, as a mapping file; nil: nothing.
    private static func keptChoices(_ call: PageCall) -> String? {
        guard call.form.text("kept") != nil || call.form.text("mapping") != nil else { return nil }
        let given = (try? ImportMapping(call.form)).flatMap { $0 }
        var base: JSON?
        switch given?.content {
        case .records(_, let json)?: base = json
        case .columns?: return given?.text
        case nil: break
        }
        let draft = ImportChoices(call.form).applied(to: MappingDraft(base), in: nil)
        guard !draft.isEmpty, draft.missing.isEmpty else { return given?.text }
        return draft.json.text()
    }

    private static func words(of declared: UndescribedCode) -> String {
        switch declared.kind {
        case .branch: say("the branch “\(declared.code)”")
        case .category: say("the category “\(declared.code)”")
        case .itemType: say("the item type “\(declared.code)”")
        case .location: "“\(declared.code)”"
        }
    }

    private static func reportFields(_ report: ImportReport, _ step: ImportStep) -> [String: Any] {
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
            "isTrial": step.isTrial, "problems": problems,
            "more": max(0, report.problems.count + report.omittedProblems - problems.count),
            "isMore": report.problems.count + report.omittedProblems > problems.count,
        ]
        for (name, codes) in [
            ("declared", report.declared.filter(\.isDeclared)), ("unnamed", report.declared.filter { !$0.isDeclared }),
        ] where !codes.isEmpty {
            let shown = codes.prefix(mostProblems).map { words(of: $0) }
            fields[name] =
                ["words": PageWords.safe(shown.joined(separator: ", ")), "isTrial": step.isTrial] as [String: Any]
        }
        if step.hasRefusedFile {
            fields["refused"] =
                [
                    "link": "\(path)/refused/\(step.token)", "isCut": step.refused.isCut, "count": step.refused.count,
                ] as [String: Any]
        }
        if let file = report.files.first {
            // What it was found to be: `xlsx, sheet "Books", table of titles`.
            let found = file.description.dropFirst(file.file.count).drop { $0 == ":" || $0 == " " }
            fields["file"] =
                ["fileName": PageWords.safe(step.file.name), "found": PageWords.safe(String(found))] as [String: Any]
        }
        return fields
    }
}
