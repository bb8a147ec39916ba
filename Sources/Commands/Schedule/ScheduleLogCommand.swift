import ArgumentParser
import Circulation
import Desk
import Plugins
import Schedule
import TextFormats

/// `moonshelf schedule log`
struct ScheduleLogCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "What was run, the latest first; with --show, what a run said.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("Only runs of this job.", valueName: "NAME"))
    var job: String?

    @Option(
        help: ArgumentHelp(
            "Only runs in this state: due, running, succeeded, failed or skipped. Without it, all but those skipped.",
            valueName: "STATE"))
    var state: JobRun.State?

    @Option(help: ArgumentHelp("At most so many.", valueName: "NUMBER"))
    var limit: Int64 = 30

    @Option(help: ArgumentHelp("All about one run, what it said included.", valueName: "ID"))
    var show: Int64?

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if !(1...10_000).contains(limit) { throw ValidationError("--limit must be from 1 to 10000.") }
    }

    private func isKnown(_ job: String, _ desk: Desk, _ workplace: Workplace) throws -> Bool {
        if try workplace.jobs().contains(where: { $0.name == job }) { return true }
        let plugins = try workplace.plugins(desk)
        return try desk.read { session in
            try plugins.jobs(in: session).contains { $0.name == job } || !session.jobs.list(of: job, limit: 1).isEmpty
        }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let console = workplace.console
        let desk = try workplace.desk(.reading)
        if let show {
            let found = try desk.read { (try $0.jobs.get(show), try $0.settings.library().zone) }
            guard case (let run?, let zone) = found else {
                throw CommandFailure.usage("There is no run \(show).")
            }
            if json {
                var object = ScheduleWords.json(run)
                if case .object(var fields) = object {
                    fields["output"] = .string(run.output)
                    object = .object(fields)
                }
                console.print(json: object)
            } else {
                print(run, zone, console)
            }
            return .done
        }
        let (runs, zone) = try desk.read {
            (try $0.jobs.list(of: job, in: state, limit: limit), try $0.settings.library().zone)
        }
        // A job that was taken out of the configuration still has its runs; one that never was is a slip.
        if runs.isEmpty, let job, try !isKnown(job, desk, workplace) {
            throw CommandFailure(.refused, code: "unknown_job", message: "No job is called '\(job)'.")
        }
        if json {
            console.print(json: .array(runs.map { ScheduleWords.json($0) }))
        } else if runs.isEmpty {
            console.print("Nothing was run.")
        } else {
            let width = runs.map { "\($0.id)".count }.max() ?? 0
            for run in runs { console.print(SafeText.line(Self.line(run, zone, width: width))) }
        }
        return .done
    }

    private static func line(_ run: JobRun, _ zone: Zone, width: Int = 0) -> String {
        let id = "\(run.id)"
        let state = run.state.rawValue
        var words = String(repeating: " ", count: max(0, width - id.count)) + id
        words += "  \(ScheduleWords.local(run.plannedAt, zone))  \(state)"
        words += String(repeating: " ", count: max(0, 9 - state.count)) + "  \(run.job)"
        if let started = run.startedAt, let ended = run.endedAt, run.state != .skipped {
            let tenths = (ended.microseconds(since: started) + 50_000) / 100_000
            words += "  \(tenths / 10).\(tenths % 10) s"
        }
        if run.state == .failed { words += "  \(ScheduleWords.reason(run))" }
        if run.state == .skipped, let reason = run.reason { words += "  \(reason)" }
        return words
    }

    private func print(_ run: JobRun, _ zone: Zone, _ console: Console) {
        console.print(SafeText.line(Self.line(run, zone)))
        if let report = run.report { console.print(SafeText.line("report: \(report)")) }
        if let mail = run.mail { console.print(SafeText.line("mail: \(mail)")) }
        if let owner = run.process ?? run.owner {
            console.print(SafeText.line("by: \(owner), tries: \(run.tries)"))
        }
        guard !run.output.isEmpty else { return }
        console.print("")
        for line in run.output.split(separator: "\n", omittingEmptySubsequences: false) {
            console.print(SafeText.line(String(line)))
        }
    }
}

extension JobRun.State: ExpressibleByArgument {}
