import ArgumentParser
import Circulation
import Desk
import Foundation
import Reports
import Scripting
import TextFormats
import Workbench

/// `moonshelf policy explain`
struct PolicyExplainCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say why: the answer, which row set what, why earlier rows did not match, which lines ran.",
        discussion: """
            Explains a case in a file (--case, '-' for standard input), a request that is tried out without being made \
            (--patron with --isbn or --barcode), a recorded decision (--event) or a loan (--loan): its recorded decisions, \
            or, where none was recorded, what would be decided about it now. With --policy that file decides, and a case \
            needs no store; otherwise the policy in force decides, about what was recorded the version that was asked then.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(name: .customLong("case"), help: ArgumentHelp("The case.", valueName: "FILE"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Who asks: a number or a username.", valueName: "PATRON"))
    var patron: String?

    @Option(help: ArgumentHelp("The title asked for.", valueName: "ISBN"))
    var isbn: String?

    @Option(help: ArgumentHelp("The copy asked for, instead of a title.", valueName: "BARCODE"))
    var barcode: String?

    @Flag(help: "For use in the library.")
    var onSite = false

    @Option(help: ArgumentHelp("The last day of a shorter loan.", valueName: "DATE"))
    var until: String?

    @Option(help: ArgumentHelp("The event of a recorded decision.", valueName: "NUMBER"))
    var event: Int64?

    @Option(help: ArgumentHelp("A loan.", valueName: "NUMBER"))
    var loan: Int64?

    @Flag(help: "Answer in JSON.") var json = false

    @Option(
        help: ArgumentHelp("Also write a page with the policy's source beside the reasons.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var html: String?

    func validate() throws {
        try FileEnding.checkPage(html)
        let given = [file != nil, patron != nil, event != nil, loan != nil].count { $0 }
        if given != 1 { throw ValidationError("Give one of --case, --patron, --event and --loan.") }
        if (patron != nil) != ((isbn != nil) != (barcode != nil)) {
            throw ValidationError("--patron goes with --isbn or --barcode.")
        }
        if onSite && patron == nil { throw ValidationError("--on-site goes with --patron.") }
        if until != nil && patron == nil { throw ValidationError("--until goes with --patron.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let report: ExplanationReport
        do {
            report = try explained(in: workplace)
        } catch let problems as PolicyProblems {
            throw problems.failure
        }
        if json {
            workplace.console.print(json: report.json)
        } else {
            workplace.console.print(SafeText.lines(report.text))
        }
        if let html { try WholeFile.write(page: report.html, to: html, workplace.console) }
        return report.hasFailed ? .scriptFailed : .done
    }

    private func explained(in workplace: Workplace) throws -> ExplanationReport {
        if let file {
            let question = try CaseFile.read(file, fields: workplace.knownFields())
            let policy = try workplace.policyOnTrial() ?? inForce(in: workplace)
            return ExplanationReport([.init(try PolicyExplanation(policy, question: question))])
        }
        let trial = try workplace.policyOnTrial()
        let desk = try workplace.desk(.reading, onTrial: true)
        if let patron { return try request(of: patron, desk) }
        if let event { return try recorded(event, desk, trial) }
        return try about(loan ?? 0, desk, trial)
    }

    private func inForce(in workplace: Workplace) throws -> ParsedPolicy {
        try workplace.desk(.reading).read { try PolicyExplainCommand.version(nil, $0) }
    }

    private static func version(_ sha256: String?, _ session: DeskSession) throws -> ParsedPolicy {
        if let sha256 {
            guard let bundle = try session.policies.bundle(sha256) else {
                throw CommandFailure(
                    .refused, code: "no_policy", message: "The store has no policy \(sha256.prefix(12)).")
            }
            return ParsedPolicy(bundle, fields: try session.settings.customFields())
        }
        guard let found = try PolicyVersions(session: session).find(nil) else {
            throw CommandFailure(.refused, code: "no_policy", message: PolicyVersions.none)
        }
        return ParsedPolicy(found.bundle, fields: try session.settings.customFields())
    }

    // MARK: - Requests

    private func request(of patron: String, _ desk: Desk) throws -> ExplanationReport {
        let wanted: CheckoutRequest.Wanted
        if let isbn {
            do {
                wanted = .titles([.isbn(try ISBN(isbn))])
            } catch {
                throw CommandFailure.usage("--isbn: \(error)")
            }
        } else {
            wanted = .barcode(barcode ?? "")
        }
        let request = CheckoutRequest(
            patron: Int64(patron).map { .id($0) } ?? .username(patron), wanted: wanted, onSite: onSite,
            wantedUntil: try wantedUntil())
        return try desk.read { session in
            let explained = try session.loans.explainCheckout(request)
            guard !explained.asked.isEmpty else {
                let refusal = explained.refusal
                throw CommandFailure(
                    .refused, code: refusal?.code ?? "refused", message: refusal?.message ?? "Nothing was asked.")
            }
            let policy = try PolicyExplainCommand.version(explained.asked.first?.policy, session)
            var report = ExplanationReport(
                try explained.asked.map { .init(try PolicyExplanation(policy, question: $0.question)) })
            report.refusal = explained.refusal
            return report
        }
    }

    private func wantedUntil() throws -> CivilDate? {
        do {
            return try until.map { try CivilDate(parsing: $0) }
        } catch {
            throw CommandFailure.usage("--until: \(error)")
        }
    }

    // MARK: - What was recorded

    private func recorded(_ event: Int64, _ desk: Desk, _ trial: ParsedPolicy?) throws -> ExplanationReport {
        try desk.read { session in
            let decisions = try session.events.decisions(of: event)
            guard !decisions.isEmpty else {
                throw CommandFailure(
                    .refused, code: "no_decision", message: "No decision is recorded with event \(event).")
            }
            return try report(decisions, session, trial)
        }
    }

    private func about(_ loan: Int64, _ desk: Desk, _ trial: ParsedPolicy?) throws -> ExplanationReport {
        try desk.read { session in
            guard try session.loans.get(.id(loan)) != nil else {
                throw CommandFailure(.refused, code: "unknown_loan", message: "There is no loan \(loan).")
            }
            let decisions = try session.loans.explain(.id(loan))
            if !decisions.isEmpty { return try report(decisions, session, trial) }
            switch try session.loans.questions(about: .id(loan)) {
            case .refused(let refusal):
                throw CommandFailure(
                    .refused, code: refusal.code, message: "No decision was recorded. " + refusal.message)
            case .done(let questions):
                var report = ExplanationReport(
                    try questions.map { asked in
                        let policy = try trial ?? PolicyExplainCommand.version(asked.version, session)
                        return .init(try PolicyExplanation(policy, question: asked.question))
                    })
                report.note = "No decision was recorded for loan \(loan). This is what would be decided about it now."
                if try session.loans.get(.id(loan))?.policy == nil {
                    report.note? +=
                        " No policy of this store decided it: until it is renewed here, no fine, loss or suspension follows from it."
                }
                return report
            }
        }
    }

    private func report(
        _ decisions: [RecordedDecision], _ session: DeskSession, _ trial: ParsedPolicy?
    ) throws -> ExplanationReport {
        ExplanationReport(
            try decisions.map { recorded in
                let policy = try trial ?? PolicyExplainCommand.version(recorded.policy, session)
                let question: Case
                do {
                    question = try session.loans.question(of: recorded)
                } catch let error as CaseError {
                    throw CommandFailure(
                        .badData, code: "bad_case",
                        message: "The case of event \(recorded.event) cannot be read: \(error.message)")
                }
                return .init(try PolicyExplanation(policy, question: question), recorded: recorded)
            })
    }
}

/// A case in a file.
enum CaseFile {
    /// - Parameters:
    ///   - file: its path, `-` for standard input.
    /// - Throws: ``CommandFailure`` with file and line.
    ///   - fields: those of the library's own.
    static func read(_ file: String, fields: CustomFields) throws -> Case {
        let data =
            file == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: file)
        guard let data else { throw CommandFailure.usage("There is no case \(file).") }
        do {
            let json = try JSONParser.parse(Array(data))
            guard json.objectValue != nil else { throw CaseError(field: "", fault: "expected an object") }
            return try Case(json: json, LibraryCase(fields))
        } catch let error as TextError {
            throw CommandFailure(.badData, code: "bad_case", message: error.message, file: file, line: error.line)
        } catch let error as CaseError {
            // `patron.loans[2].due_at` is found by the names of its parts.
            let path = error.field.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
            throw CommandFailure(
                .badData, code: "bad_case", message: error.message, file: file,
                line: JSONMemberLine.of(path, in: Array(data)) ?? 1)
        }
    }
}
