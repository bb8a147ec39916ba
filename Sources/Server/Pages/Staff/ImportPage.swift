import Desk
import Foundation
import Interchange
import Languages
import Scripting
import Storage
import TextFormats

/// Titles, patrons and whatever else a file brings, pasted into the page, for administrators: tried first, with each problem by its line,
/// then imported. A second import of the same rows adds nothing.
enum ImportPage: PageGroup {
    static let templates = [PageTemplate("import", PackageResources.import_mustache)]

    private static let path = "/desk/import"
    /// So many problems are shown.
    private static let mostProblems = 100
    /// So many bytes are taken; what is larger is for `moonshelf import`.
    private static let mostBytes = 300_000

    static let pages = [
        Page.shown(path, .admin) { call in view(call) },
        Page.entry(path, .admin) { call in
            let text = (call.form["rows"] ?? "").replacing("\r\n", with: "\n")
            guard !text.trimmingSpaces().isEmpty else {
                return .view(view(call, wrong: say("Paste the rows of a file.")))
            }
            guard text.utf8.count <= mostBytes else {
                return .view(
                    view(call, wrong: say("At most \(mostBytes) bytes at once; 'moonshelf import' takes any file.")))
            }
            let isTrial = call.form.text("keep") == nil
            do {
                let report = try importing(text, isTrial: isTrial, call)
                return .view(view(call, report, isTrial: isTrial))
            } catch let problem as ImportProblem {
                return .view(view(call, wrong: PageWords.sentence(problem.message)))
            }
        },
    ]

    /// Readers take files: the rows are one as long as it is read.
    private static func importing(_ text: String, isTrial: Bool, _ call: PageCall) throws -> ImportReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let isJSON = ["[", "{"].contains { text.trimmingSpaces().hasPrefix($0) }
        let file = folder.appending(path: isJSON ? "rows.json" : "rows.csv")
        try text.write(to: file, atomically: false, encoding: .utf8)
        let importer = Importer(
            desk: call.services.desk.acting(as: call.caller.actor), options: ImportOptions(isDryRun: isTrial),
            tally: try RowCounter())
        return try importer.run(paths: [file.path(percentEncoded: false)])
    }

    private static func view(
        _ call: PageCall, _ report: ImportReport? = nil, isTrial: Bool = true, wrong: String? = nil
    ) -> PageView {
        var fields: [String: Any] = ["path": path, "rows": PageWords.safe(call.form["rows"] ?? "")]
        fields["wrong"] = wrong
        if let report {
            let problems = report.problems.prefix(mostProblems).map { problem -> [String: Any] in
                [
                    "line": problem.line, "hasLine": problem.line > 0, "isError": problem.severity == .error,
                    "message": PageWords.safe(
                        [problem.field, problem.message].compactMap(\.self).joined(separator: ": ")),
                ]
            }
            fields["report"] = [
                "words": say(
                    "\(report.read) read, \(report.added) added, \(report.updated) updated, "
                        + "\(report.unchanged) unchanged, \(report.rejected) rejected."),
                "isTrial": isTrial, "problems": problems,
                "more": max(0, report.problems.count + report.omittedProblems - problems.count),
                "isMore": report.problems.count + report.omittedProblems > problems.count,
            ]
            if !isTrial { fields["rows"] = "" }
        }
        return PageView(template: "import", title: say("Import"), fields: fields, status: wrong == nil ? 200 : 422)
    }
}
