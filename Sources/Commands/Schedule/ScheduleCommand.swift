import ArgumentParser
import Circulation
import Desk
import Foundation
import Plugins
import Schedule
import TextFormats

/// `moonshelf schedule`
struct ScheduleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Have reports and chores done by themselves.",
        discussion: """
            Jobs stand in the configuration, each as [[jobs]], and in plugins: docs/schedule.md. Several machines may \
            work at one store; each planned run is begun by one of them.
            """,
        subcommands: [
            ScheduleListCommand.self, ScheduleNextCommand.self, ScheduleRunCommand.self, ScheduleWatchCommand.self,
            ScheduleLogCommand.self, ScheduleUnitsCommand.self,
        ])
}

/// `moonshelf schedule list`
struct ScheduleListCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The jobs: when they run next, and how they last ended.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let own = try workplace.jobs()
        let desk = try workplace.desk(.reading)
        let plugins = try workplace.plugins(desk)
        let rows = try desk.read { session in
            let zone = try session.settings.library().zone
            return try (own + plugins.jobs(in: session)).map { job in
                JobLine(
                    job: job, next: job.timing.next(after: session.now, in: job.zone(of: zone)),
                    zone: job.zone(of: zone),
                    last: try session.jobs.list(of: job.name, limit: 10).first {
                        $0.state != .due
                    })
            }
        }
        if json {
            workplace.console.print(json: .array(rows.map(\.json)))
        } else if rows.isEmpty {
            workplace.console.print("There are no jobs; docs/schedule.md tells how to write one.")
        } else {
            for row in rows {
                workplace.console.print(SafeText.line(row.text))
                if let warning = row.job.warning {
                    workplace.console.note(SafeText.line("job '\(row.job.name)': \(warning)"))
                }
            }
        }
        return .done
    }

    private struct JobLine {
        var job: ScheduledJob
        var next: Instant?
        var zone: Zone
        var last: JobRun?

        var text: String {
            let next = next.map { "next \(ScheduleWords.local($0, zone))" } ?? "never again"
            let last = last.map { ", last \($0.state.rawValue) \(ScheduleWords.local($0.plannedAt, zone))" } ?? ""
            return "\(job.name): \(job.timing.text) (\(zone)), \(next)\(last)"
        }

        var json: JSON {
            [
                "name": .string(job.name), "when": .string(job.timing.text), "zone": .string(zone.identifier),
                "catch_up": .string(job.catchUp.rawValue), "version": .string(job.version),
                "arguments": .array(job.arguments.map { .string($0) }),
                "next": next.map { .string($0.description) } ?? .null,
                "last": last.map { ScheduleWords.json($0) } ?? .null,
                "warning": job.warning.map { .string($0) } ?? .null,
            ]
        }
    }
}

/// `moonshelf schedule next`
struct ScheduleNextCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "The moments to come at which jobs run.")

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Option(help: ArgumentHelp("So many.", valueName: "NUMBER"))
    var count = 10

    @Option(help: ArgumentHelp("Of one job.", valueName: "NAME"))
    var job: String?

    @Option(help: ArgumentHelp("Of this expression, instead of the jobs.", valueName: "EXPRESSION"))
    var cron: String?

    @Flag(help: "Answer in JSON.") var json = false

    func validate() throws {
        if !(1...1_000).contains(count) { throw ValidationError("--count must be from 1 to 1000.") }
    }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let jobs = try jobs(workplace)
        let (now, zone) = try moment(workplace)
        var coming: [(name: String, at: Instant, zone: Zone)] = []
        for job in jobs {
            let zone = job.zone(of: zone)
            var moment = now
            for _ in 0..<count {
                guard let next = job.timing.next(after: moment, in: zone) else { break }
                coming.append((job.name, next, zone))
                moment = next
            }
        }
        coming.sort { ($0.at, $0.name) < ($1.at, $1.name) }
        let console = workplace.console
        if json {
            console.print(
                json: .array(
                    coming.prefix(count).map { ["job": .string($0.name), "at": .string($0.at.description)] }))
        } else if coming.isEmpty {
            console.print(cron == nil ? "Nothing is planned." : "That never comes.")
        } else {
            for next in coming.prefix(count) {
                console.print(
                    SafeText.line(
                        ScheduleWords.local(next.at, next.zone) + (cron == nil ? "  \(next.name)" : "")))
            }
        }
        return .done
    }

    private func jobs(_ workplace: Workplace) throws -> [ScheduledJob] {
        if let cron {
            do {
                return [ScheduledJob(name: "", timing: .cron(try CronExpression(parsing: cron)), arguments: [])]
            } catch {
                throw CommandFailure.usage("--cron: \(error.message).")
            }
        }
        let desk = try workplace.desk(.reading)
        let (plugins, own) = (try workplace.plugins(desk), try workplace.jobs())
        let jobs = try desk.read { own + (try plugins.jobs(in: $0)) }.filter { job == nil || $0.name == job }
        if let job, jobs.isEmpty { throw CommandFailure.usage("No job is called '\(job)'.") }
        return jobs
    }

    /// `--cron` works without a store.
    private func moment(_ workplace: Workplace) throws -> (Instant, Zone) {
        if cron != nil, try !workplace.namesStore() { return (try workplace.clock().now(), .utc) }
        return try workplace.desk(.reading).read { ($0.now, try $0.settings.library().zone) }
    }
}

/// How schedules are put into words.
enum ScheduleWords {
    /// `Mon 2026-11-23 07:00`
    static func local(_ instant: Instant, _ zone: Zone) -> String {
        let (date, time) = zone.local(of: instant)
        let clock = [time.hour, time.minute].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
        let seconds = time.second == 0 ? "" : ":" + (time.second < 10 ? "0" : "") + "\(time.second)"
        return "\(date.weekday.abbreviation.prefix(1).uppercased())\(date.weekday.abbreviation.dropFirst()) \(date) "
            + clock + seconds
    }

    /// Why a run failed.
    static func reason(_ run: JobRun) -> String {
        if let reason = run.reason { return reason }
        guard let status = run.exitStatus else { return "it ended without a word." }
        if status > 128 { return "signal \(status - 128) ended it." }
        let meaning = Int32(exactly: status).flatMap(ExitStatus.init(rawValue:))?.summary
        return "exit status \(status)" + ((fault(in: run.output) ?? meaning).map { ": \($0)" } ?? ".")
    }

    /// What a command said last of why it failed.
    private static func fault(in output: String) -> String? {
        for line in output.split(separator: "\n").reversed() {
            if line.hasPrefix("moonshelf: ") { return String(line.dropFirst(11)) }
            guard line.hasPrefix("{\"error\""), let failure = try? JSONParser.parse(String(line)) else { continue }
            return failure["error"]?["message"]?.stringValue
        }
        return nil
    }

    static func json(_ run: JobRun) -> JSON {
        [
            "id": .integer(run.id), "job": .string(run.job), "planned_at": .string(run.plannedAt.description),
            "version": .string(run.version), "state": .string(run.state.rawValue),
            "reason": run.reason.map { .string($0) } ?? .null, "owner": run.owner.map { .string($0) } ?? .null,
            "process": run.process.map { .string($0) } ?? .null,
            "started_at": run.startedAt.map { .string($0.description) } ?? .null,
            "ended_at": run.endedAt.map { .string($0.description) } ?? .null,
            "tries": .integer(run.tries), "exit_status": run.exitStatus.map { .integer($0) } ?? .null,
            "report": run.report.map { .string($0) } ?? .null,
            "mail": run.mail.map { .string($0) } ?? .null,
        ]
    }
}
