import Circulation
import Desk
import Foundation
import LuaRuntime
import Outbound
import Plugins
import Reports
import Scripting
import Storage
import TextFormats

/// One run of a script or a line: opens the store as the capabilities allow, runs, shows what came of it.
struct ScriptRun {
    let settings: ScriptSettings
    let workplace: Workplace
    /// Whether JSON is the value that came back, and not a report of it.
    var givesValue = false

    func run(_ source: ScriptSource, arguments: [String], grantsCountAsDeclared: Bool) throws -> ExitStatus {
        var options = ScriptOptions(
            granted: try settings.capabilities(), grantsCountAsDeclared: grantsCountAsDeclared, arguments: arguments,
            limits: try settings.answer.limits(), isDryRun: settings.answer.dryRun)
        options.profile = settings.profile == .policy ? .policy : .script
        options.isLast = true
        options.opensFiles = StandardInput.opening(holdsScript: source.name == ScriptFile.standardInputName)
        options.languages = { [workplace] in ReportLook(workplace).languages }
        let answer = try ScriptAnswer(settings.answer, workplace, of: source.name, givesValue: givesValue)
        // Without a grant the database itself is opened read-only; a dry run writes what it undoes.
        let writes = options.granted.writes || options.isDryRun
        try workplace.refuseTrial(whenKept: options.granted.writes && !options.isDryRun)
        let desk = try workplace.desk(writes ? .writing : .reading, branch: settings.answer.branch, onTrial: true)
        let runner = ScriptRunner(desk: desk, clock: try workplace.clock().now, output: answer.output)
        return try answer.show { watch in runner.run(source, options: options, willRun: watch) }
    }
}

extension ScriptRun {
    /// Runs a report of a plugin, for who asks, within the plugin's rights.
    func run(_ part: PluginPart, arguments: [String]) throws -> ExitStatus {
        guard settings.allow.isEmpty else {
            throw CommandFailure.usage("--allow is for scripts: a report of a plugin has the plugin's rights.")
        }
        let answer = try ScriptAnswer(settings.answer, workplace, of: part.description)
        let desk = try PluginCall(settings: settings.answer, workplace: workplace).desk()
        let plugins = try workplace.plugins(desk)
        let reports = try desk.read { try plugins.reports(in: $0) }
        guard let report = reports.first(where: { $0.part == part }) else {
            let names = reports.map(\.part.description)
            let hint = NameSuggestion.nearest(to: part.description, among: names).map { "did you mean '\($0)'?" }
            throw CommandFailure.usage(
                "No plugin in force has a report '\(part)'; "
                    + (hint ?? "'moonshelf plugin list' lists what they have."))
        }
        var options = ScriptOptions(
            arguments: arguments, limits: try settings.answer.limits(), isDryRun: settings.answer.dryRun)
        options.isLast = true
        options.opensFiles = StandardInput.opening()
        options.languages = { [workplace] in ReportLook(workplace).languages }
        let clock = try workplace.clock()
        return try answer.show { watch in
            report.run(at: desk, clock: clock.now, output: answer.output, options: options, willRun: watch)
        }
    }
}

/// The answer of a script, or of what a plugin adds, to who asked for it.
struct ScriptAnswer {
    let output: ScriptConsole
    private let settings: AnswerSettings
    private let workplace: Workplace
    private let document: ScriptDocument
    private let givesValue: Bool

    /// - Parameters:
    ///   - name: of what is run, for its mail.
    ///   - givesValue: whether JSON is the value that came back, and not a report of it.
    /// - Throws: ``CommandFailure``, before anything was run, if it could not be given like that.
    init(_ settings: AnswerSettings, _ workplace: Workplace, of name: String, givesValue: Bool = false) throws {
        self.settings = settings
        self.workplace = workplace
        self.givesValue = givesValue
        let showsLines =
            settings.format == .table && settings.output == nil && (settings.mail.isEmpty || settings.dryRun)
        output = ScriptConsole(workplace.console, showsLines: showsLines)
        document = try ScriptDocument(
            console: workplace.console, settings: settings, environment: workplace.environment,
            look: ReportLook(workplace),
            mailing: try Self.mailing(of: name, settings, workplace))
    }

    /// Who gets the answer by mail; checked before anything is run.
    private static func mailing(
        of name: String, _ settings: AnswerSettings, _ workplace: Workplace
    ) throws -> ReportMailing? {
        guard !settings.mail.isEmpty else { return nil }
        for text in settings.mail where MailParty(text) == nil {
            throw CommandFailure.usage("--mail: '\(text)' is not an address that mail can go to.")
        }
        let mail = try workplace.deliverySettings().mailNeeded(for: "--mail")
        guard !settings.dryRun else {
            workplace.console.note("A dry run mails nothing.")
            return nil
        }
        return ReportMailing(
            post: ReportPost(mail: mail, to: settings.mail), source: name,
            languages: ReportLook(workplace).languages, clock: try workplace.clock())
    }

    /// Runs the body, which Ctrl-C ends, and shows what came of it.
    func show(_ body: (_ watch: @escaping (LuaInterruption) -> Void) -> ScriptResult) throws -> ExitStatus {
        let result = Interruption.during(body)
        workplace.console.endProgress()
        if let help = result.help {
            workplace.console.print(help)
            return .done
        }
        if let failure = result.failure {
            if !result.document.isEmpty && settings.output == nil && settings.format == .table {
                try document.write(result.document)
            }
            throw CommandFailure(script: failure)
        }
        if givesValue, settings.format == .json, settings.mail.isEmpty, let value = ValueReport.json(result) {
            try document.write(value)
        } else {
            try document.write(
                ValueReport.document(
                    result, isForProgram: settings.format == .json, isExact: [.json, .csv].contains(settings.format)))
        }
        if let refusal = result.refusal {
            throw CommandFailure(
                .refused, code: refusal.code, message: refusal.message, details: ValueReport.place(result))
        }
        return .done
    }
}

/// Standard input as what a script reads, once.
final class StandardInput {
    private var isTaken: Bool

    /// Opens what arguments name: files, and `-` for standard input.
    static func opening(holdsScript: Bool = false) -> ScriptFileOpening {
        let input = StandardInput(holdsScript: holdsScript)
        return { path in path == "-" ? try input.opened() : try FileByteSource(path: path) }
    }

    /// - Parameter holdsScript: the script itself came from there.
    private init(holdsScript: Bool) {
        isTaken = holdsScript
    }

    /// - Throws: `LuaHostError` where there is nothing to read any more.
    private func opened() throws -> FileByteSource {
        guard !isTaken else { throw LuaHostError("standard input can be read once, and was read already") }
        isTaken = true
        return FileByteSource(takingOver: dup(STDIN_FILENO), name: "standard input")
    }
}

extension CommandFailure {
    /// A script's own fault, or what lay behind it.
    init(script failure: ScriptFailure) {
        if failure.status == .fault, let cause = failure.cause {
            self.init(cause)
            return
        }
        self.init(
            failure.status == .usage ? .wrongUsage : .scriptFailed, code: failure.code, message: failure.message,
            file: failure.file, line: failure.line, details: failure.traceback)
    }
}

/// Ctrl-C ends the script that runs, cleanly, with its transaction undone.
enum Interruption {
    // Written before the handler is in place and after it is gone, read by it alone.
    nonisolated(unsafe) private static var watched: LuaInterruption?
    nonisolated(unsafe) private static var isPatient = false
    /// The signal that came last, 0 if none did.
    nonisolated(unsafe) private(set) static var signal: Int32 = 0
    /// How many signals have come.
    nonisolated(unsafe) private(set) static var count = 0

    /// Runs the body; a signal that comes meanwhile ends the call it watches.
    ///
    /// As long as nothing is watched, a signal ends the process as ever. For one body at a time, or one within another:
    /// a session's script is watched instead of the session.
    ///
    /// - Parameter isPatient: as in a session, where one statement after another is ended; else a second signal ends the
    ///   process at once.
    static func during<Result>(
        signals: [Int32] = [SIGINT, SIGTERM, SIGHUP], isPatient: Bool = false,
        _ body: (_ watch: @escaping (LuaInterruption) -> Void) -> Result
    ) -> Result {
        let outer = (watched, Self.isPatient)
        Self.isPatient = isPatient || outer.0 != nil
        var replaced: [(signal: Int32, action: sigaction)] = []
        defer {
            for (number, action) in replaced {
                var action = action
                sigaction(number, &action, nil)
            }
            (watched, Self.isPatient) = outer
        }
        return body { running in
            watched = running
            guard replaced.isEmpty else { return }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                if Interruption.signal != 0 && !Interruption.isPatient { _exit(128 + number) }
                Interruption.signal = number
                Interruption.count += 1
                Interruption.watched?.interrupt()
            }
            action.sa_flags = SA_RESTART
            for number in signals {
                var former = sigaction()
                sigaction(number, nil, &former)
                if StopSignals.isIgnored(former) { continue }
                sigaction(number, &action, nil)
                replaced.append((number, former))
            }
        }
    }
}
