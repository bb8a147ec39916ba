import ArgumentParser
import Circulation
import Desk
import Foundation
import Interchange
import Reports
import Scripting
import Storage
import TextFormats

/// What `import` takes for a library that moves in: its open loans, a trial, a report to sign.
struct MovingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The policy that decides open loans of another system: a file, or a version of the history by its SHA-256 or its name; otherwise the one in force.",
            valueName: "POLICY"), completion: .file(extensions: ["lua"]))
    var decidedBy: String?

    @Option(
        help: ArgumentHelp(
            "Reminders and overdue notices before this day were sent by the other system; otherwise all before now.",
            valueName: "DATE"))
    var noticesSentUntil: String?

    @Option(
        help: ArgumentHelp(
            "Import into a copy of the store, a new file, and leave the store as it is.", valueName: "PATH"),
        completion: .file())
    var into: String?

    @Option(
        help: ArgumentHelp("Write a report to be signed: .html, .pdf or .json.", valueName: "FILE"),
        completion: .file(extensions: ["html", "pdf", "json"]))
    var report: String?

    func validate() throws {
        guard let report else { return }
        guard let form = FileEnding.of(report).flatMap({ FileEnding.reports[$0] }), [.html, .pdf, .json].contains(form)
        else { throw ValidationError("--report takes a file that ends with .html, .pdf or .json.") }
    }

    /// Where the import is done: at the store, or at a copy of it that is made here.
    func place(_ workplace: Workplace, _ options: GlobalOptions) throws -> Workplace {
        guard let into else { return workplace }
        let location = try workplace.location()
        guard case .file = location else {
            throw CommandFailure.usage(
                "--into copies a store that is an SQLite file. Of a PostgreSQL database make a copy in another one"
                    + " ('moonshelf copy postgres://… postgres://…/trial') and import there with --store.")
        }
        guard StoreTarget.isVacant(into) else {
            throw CommandFailure(
                .cannotWrite, code: "cannot_write", message: "\(into) is there already; choose another file.")
        }
        let pending = try PendingFile(for: into)
        try BackupCommand.write(location, to: pending.path, workplace.console)
        workplace.console.endProgress()
        try StoreTarget.takePlace(pending, at: into)
        var own = options
        own.store = "sqlite:\(into)"
        return workplace.with(own)
    }

    /// What was chosen, as the importer takes it.
    func choice(_ desk: Desk, _ workplace: Workplace) throws -> ArrivalChoice {
        var choice = ArrivalChoice()
        let (zone, history) = try desk.read { (try $0.settings.library().zone, try $0.policies.history()) }
        choice.noticesSentUntil = try noticesSentUntil.map {
            try PolicyUseCommand.instant($0, in: zone, of: "--notices-sent-until")
        }
        guard let decidedBy else { return choice }
        let known = try VersionName.find(decidedBy, among: history.map(\.policy))
        if let version = known ?? history.first(where: { $0.name == decidedBy })?.policy {
            choice.decidedBy = version
            return choice
        }
        guard FileManager.default.fileExists(atPath: decidedBy) else {
            throw CommandFailure.usage(
                "--decided-by: '\(SafeText.line(decidedBy))' is no file, and no version of this store's policies has"
                    + " that name or begins so; 'moonshelf policy history' lists them.")
        }
        let bundle = try workplace.policy(file: decidedBy).bundle
        do {
            _ = try desk.read { try $0.policies.name(of: bundle) }
        } catch let failure as PolicyFailure {
            throw CommandFailure(
                .refused, code: failure.code, message: "\(failure.message) Nothing was imported.", file: failure.file,
                line: failure.line)
        }
        (choice.decidedBy, choice.bundle) = (bundle.sha256, bundle)
        return choice
    }

    /// What the library is to check, in words.
    func words(_ report: ImportReport, _ choice: ArrivalChoice, _ desk: Desk) throws -> [String] {
        let loans = report.arrivals
        guard loans.open > 0 else { return [] }
        let (zone, inForce, history, now) = try desk.read {
            (try $0.settings.library().zone, try $0.policies.inForce(), try $0.policies.history(), $0.now)
        }
        var lines: [String] = []
        if let version = choice.decidedBy ?? inForce?.policy {
            let name = history.first { $0.policy == version }?.name
            let why = choice.decidedBy == nil ? "it is the one in force" : "as --decided-by says"
            lines.append(
                "\(loans.decided) open loans are decided by \(name.map { "'\($0)', " } ?? "")\(version.prefix(12)), since"
                    + " \(why): their fines, renewals and losses follow from it. Fines of late loans are counted from the"
                    + " due time of the file on; take care where the other system's fines for them come along too.")
            if let inForce, inForce.isRetroactive, inForce.policy != version {
                lines.append(
                    "The policy in force reaches back to loans made before it: it decides their fines instead.")
            }
        } else {
            lines.append(
                "No policy is in force and none was named: \(loans.open) open loans will never be fined or counted as"
                    + " lost, and are renewed by the policy that comes into force. Put a policy into force first, or"
                    + " name one by --decided-by.")
        }
        if loans.byMessages > 0 {
            lines.append(
                "Of \(loans.byMessages) loans from BitBooks those that are late, and have a message in notifications.json, count as"
                    + " told until it was imported; the next sweep tells of the others.")
        }
        if loans.byMessages == loans.open, choice.noticesSentUntil == nil { return lines + refusals(loans) }
        let moment = choice.noticesSentUntil ?? now
        let why = choice.noticesSentUntil == nil ? "the moment of the import" : "as --notices-sent-until says"
        lines.append(
            "Reminders and overdue notices of these loans that were due before \(zone.date(of: moment)) (\(why)) count"
                + " as sent by the other system and are not sent again.")
        return lines + refusals(loans)
    }

    private func refusals(_ loans: ArrivalReport) -> [String] {
        if loans.refused.isEmpty { return [] }
        let refused = loans.refused.values.reduce(0, +)
        return ["\(refused) of them the policy would have refused; they stay loans."]
    }

    /// Writes the report to be signed.
    func write(_ sheet: ImportSheet, _ desk: Desk, _ workplace: Workplace) throws {
        guard let path = report, let form = FileEnding.of(path).flatMap({ FileEnding.reports[$0] }) else { return }
        if form == .json {
            try WholeFile.write(SafeText.escapedJSON(sheet.json.text(pretty: true)) + "\n", to: path)
        } else {
            var document = sheet.document
            (document.zone, document.madeAt) = try desk.read { (try $0.settings.library().zone, $0.now) }
            let printer = form == .pdf ? PDFPrinter(path: workplace.environment["PATH"] ?? "/usr/bin:/bin") : nil
            do {
                let data = try form.bytes(of: document, printer: printer)
                try WholeFile.write(to: path) { try $0.write(contentsOf: data) }
            } catch let error as PDFPrinterError {
                throw CommandFailure(error)
            }
        }
        workplace.console.note("The report is in \(SafeText.line(path)).")
    }
}
