import ArgumentParser
import Circulation
import Desk
import Foundation
import Plugins
import Schedule
import Storage
import Synchronization
import TextFormats
import Threads

/// `moonshelf schedule run`
struct ScheduleRunCommand: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Do what is due, and end.",
        discussion: """
            For cron or a systemd timer, once a minute. A job that is new is planned from now on. Ends with 1 if a job \
            failed.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.") var json = false

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let jobs = try workplace.jobs()
        let observer = ScheduleTeller(workplace.console, isQuiet: json)
        observer.warn(of: jobs)
        let desk = try workplace.desk(.writing)
        let plugins = try workplace.plugins(desk)
        let scheduler = try ScheduleMaking(workplace).scheduler(desk, observer) { jobs + (try plugins.jobs(in: $0)) }
        try Waiting.until(StopSignals.ofCommand) { try await scheduler.runDue() }
        let runs = observer.ended
        if json {
            workplace.console.print(json: .array(runs.map { ScheduleWords.json($0) }))
        } else if runs.isEmpty {
            workplace.console.print("Nothing is due.")
        }
        if let signal = StopSignals.ofCommand.signal { return ExitStatus(signal: signal) }
        return runs.allSatisfy { $0.state == .succeeded } ? .done : .refused
    }
}

/// `moonshelf schedule watch`
struct ScheduleWatchCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Run what is due, until it is stopped.",
        discussion: """
            For systemd: 'moonshelf schedule units' writes the unit. A changed configuration or plugin is taken up within \
            seconds; a configuration with a mistake is told of, and the former jobs go on. SIGTERM stops what runs, which is due again then.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard !workplace.standsStill else {
            throw CommandFailure.usage("A schedule cannot wait while the clock stands still: leave --now out.")
        }
        let observer = ScheduleTeller(workplace.console, isQuiet: false)
        // One store for both threads, as in `serve`.
        let desk = try workplace.desk(.writing)
        let jobs = JobSource(
            workplace.configurationPath, isRequired: workplace.namesConfiguration, try workplace.plugins(desk),
            observer)
        let scheduler = try ScheduleMaking(workplace).scheduler(desk, observer) { try jobs.now($0) }
        let count = try desk.read { try jobs.now($0)?.count ?? 0 }
        workplace.console.print("\(count) job\(count == 1 ? "" : "s"); waiting.")
        let plugins = try PluginRunning.begin(desk, workplace)
        try Waiting.until(StopSignals.ofCommand) { try await scheduler.watch() }
        for thread in plugins { thread.join() }
        workplace.console.print("Stopped.")
        return .done
    }
}

/// Makes schedulers that run this program.
struct ScheduleMaking {
    private let workplace: Workplace

    init(_ workplace: Workplace) {
        self.workplace = workplace
    }

    func scheduler(
        _ desk: Desk, _ observer: ScheduleTeller, jobs: @escaping Scheduler.JobsInForce
    ) throws -> Scheduler {
        StopSignals.listen(for: .command)
        guard try workplace.location() != .memory else {
            throw CommandFailure.usage("A schedule needs a store that other processes can open.")
        }
        let (file, isRequired) = (workplace.configurationPath, workplace.namesConfiguration)
        var environment = workplace.environment
        // Not as an option: an address may hold a password, and others can read the arguments of a process.
        environment["MOONSHELF_STORE"] = try workplace.storeAddress()
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        let library = try desk.read { try $0.settings.library() }
        observer.use(library.zone)
        let hasFile = FileManager.default.fileExists(atPath: file)
        let executor = JobProcess(
            program: program, options: (hasFile ? ["--config", file] : []) + workplace.travelOptions, folder: folder,
            environment: environment, zone: library.zone)
        let mailer = JobPost(
            settings: { [environment] in
                try DeliverySettings(ConfigurationFile(file, isRequired: isRequired), environment: environment)
            },
            languages: ReportLook(workplace).languages, library: library, folder: folder)
        return Scheduler(
            desk: desk, executor: executor, mailer: mailer, owner: .ofThisProcess, machine: SystemClock(),
            observer: observer, jobs: jobs)
    }
}

/// Asynchronous work from where nothing is.
enum Waiting {
    /// Runs the body to its end; a wish to stop cancels it.
    static func until(_ stop: StopRequest, _ body: @escaping @Sendable () async throws -> Void) throws {
        let result = Mutex<Result<Void, any Error>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        let task = Task.detached {
            do {
                try await body()
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if stop.signal != nil { task.cancel() }
        }
        try result.withLock { $0 }.get()
    }
}
