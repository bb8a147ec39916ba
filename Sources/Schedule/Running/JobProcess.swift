package import Circulation
package import Desk
import Foundation
import Subprocess
import SystemPackage

/// Runs jobs as processes of this program: in a session of their own, with an environment that names what they need and
/// nothing else, for as long as they may take.
///
/// A process takes its run over from the scheduler and says itself how it ended. If the scheduler is killed meanwhile, what
/// was begun is finished, once.
package struct JobProcess: JobExecutor {
    /// The program.
    package var program: String
    /// What stands before a job's own words: store and configuration.
    package var options: [String]
    /// Where it runs.
    package var folder: String
    /// Of the schedule's own: what of it a job may see is chosen here.
    package var environment: [String: String]
    /// The library's.
    package var zone: Zone

    package init(program: String, options: [String], folder: String, environment: [String: String], zone: Zone) {
        self.program = program
        self.options = options
        self.folder = folder
        self.environment = environment
        self.zone = zone
    }

    /// How long a job that is to stop may take about it.
    static let grace = Duration.seconds(10)

    /// What a job sees of the environment: enough for finding programs, the store's password and the user's language.
    package static let passed: Set<String> = [
        "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "PGPASSFILE", "PGPASSWORD", "PGSSLROOTCERT", "TMPDIR",
        "TZ", "USER", "MOONSHELF_STORE", "MOONSHELF_SQL_STORE", "MOONSHELF_MAIL_PASSWORD", "MOONSHELF_SMS_SECRET",
        "MOONSHELF_WEBHOOK_SECRET",
    ]

    private enum Ending: Sendable {
        case ended(TerminationStatus)
        case unstarted(String)
        case late
    }

    package func execute(_ job: ScheduledJob, _ run: JobRun) async -> JobOutcome {
        let zone = job.zone(of: zone)
        let words = options + job.arguments.map { ScheduledJob.filled($0, at: run.plannedAt, in: zone) }
        let report = job.report.map { ScheduledJob.filled($0, at: run.plannedAt, in: zone) }
        guard let file = JobOutput.file(in: environment["TMPDIR"] ?? "/tmp") else {
            return JobOutcome(
                exitStatus: nil, reason: "There is no room for what it says in the folder for temporary files.")
        }
        let output = FileDescriptor(rawValue: file)
        defer { try? output.close() }
        let order = JobAssignment(JobTicket(run), parent: getpid(), of: job, report: report)
        makeFolder(of: report)
        let (ending, isLate) = await withTaskGroup(of: Ending.self) { group -> (Ending, Bool) in
            group.addTask { await process(words, order, output) }
            group.addTask {
                // Cancelled: the process has ended.
                try? await Task.sleep(for: .seconds(job.timeLimit))
                return .late
            }
            let first = await group.next() ?? .late
            group.cancelAll()
            guard case .late = first, !Task.isCancelled else {
                if case .late = first { return (await group.next() ?? .late, false) }
                return (first, false)
            }
            return (await group.next() ?? .late, true)
        }
        var outcome = JobOutcome(exitStatus: nil, output: JobOutput.text(file), report: report)
        switch ending {
        case .ended(let status): outcome.exitStatus = Self.exitStatus(status)
        case .unstarted(let reason): outcome.reason = reason
        case .late: break
        }
        if isLate { outcome.reason = Self.lateness(job.timeLimit) }
        return outcome
    }

    /// Why a job was stopped.
    package static func lateness(_ seconds: Int64) -> String { "It was stopped after \(JobTiming.words(seconds))." }

    /// A folder for reports need not be made by hand. Where it cannot be, the job says so.
    private func makeFolder(of report: String?) {
        guard let report else { return }
        let parent = URL(filePath: report, relativeTo: URL(filePath: folder)).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    }

    private func process(_ words: [String], _ order: JobAssignment, _ output: FileDescriptor) async -> Ending {
        var platform = PlatformOptions()
        platform.createSession = true
        platform.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.grace)
        ]
        var seen = environment.filter { Self.passed.contains($0.key) }
        seen[JobAssignment.variable] = order.text
        var variables: [Environment.Key: String] = [:]
        for (name, value) in seen {
            if let key = Environment.Key(rawValue: name) { variables[key] = value }
        }
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(words), environment: .custom(variables),
                workingDirectory: FilePath(folder), platformOptions: platform, input: .none,
                output: .fileDescriptor(output, closeAfterSpawningProcess: false), error: .combinedWithOutput)
            return .ended(result.terminationStatus)
        } catch {
            return .unstarted("\(program) could not be run: \(error)")
        }
    }

    private static func exitStatus(_ status: TerminationStatus) -> Int64 {
        switch status {
        case .exited(let code): Int64(code)
        case .signaled(let signal): 128 + Int64(signal)
        }
    }
}
