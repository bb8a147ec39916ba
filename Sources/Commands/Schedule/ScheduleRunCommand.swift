import ArgumentParser
import Circulation
import Desk
import Foundation
import Schedule
import Storage
import Synchronization
import TextFormats

/// `moonshelf schedule run`
struct ScheduleRunCommand: DeskCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Do what is due, and end.",
        discussion: """
            For cron or a systemd timer, once a minute. A job that is new is planned from now on. Ends with 1 if a job \
            failed.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    @Flag(help: "Answer in JSON.")
    var json = false

    var answersInJSON: Bool { json }

    func perform(in workplace: Workplace) throws -> ExitStatus {
        let jobs = try workplace.jobs()
        let observer = ScheduleTeller(workplace.console, isQuiet: json)
        observer.warn(of: jobs)
        let scheduler = try ScheduleMaking(workplace).scheduler(observer) { jobs }
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
        commandName: "watch",
        abstract: "Do what is due, as long as it is not told to stop.",
        discussion: """
            For systemd: 'moonshelf schedule units' writes the unit. A changed configuration is taken up within seconds; \
            one with a mistake is told of, and the former jobs go on. SIGTERM stops what runs, which is due again then.
            """)

    @ParentCommand var root: Moonshelf
    @OptionGroup(title: "Options of every command") var options: GlobalOptions

    func perform(in workplace: Workplace) throws -> ExitStatus {
        guard !workplace.standsStill else {
            throw CommandFailure.usage("A schedule cannot wait while the clock stands still: leave --now out.")
        }
        let observer = ScheduleTeller(workplace.console, isQuiet: false)
        let jobs = JobSource(try workplace.configurationFile(), observer)
        let scheduler = try ScheduleMaking(workplace).scheduler(observer) { jobs.now() }
        let count = jobs.now().count
        workplace.console.print("\(count) job\(count == 1 ? "" : "s"); waiting.")
        try Waiting.until(StopSignals.ofCommand) { try await scheduler.watch() }
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
        _ observer: ScheduleTeller, jobs: @escaping @Sendable () -> [ScheduledJob]
    ) throws -> Scheduler {
        StopSignals.listen(for: .command)
        let desk = try workplace.desk(.writing)
        guard try workplace.location() != .memory else {
            throw CommandFailure.usage("A schedule needs a store that other processes can open.")
        }
        let file = try workplace.configurationFile()
        var environment = workplace.environment
        // Not as an option: an address may hold a password, and others can read the arguments of a process.
        environment["MOONSHELF_STORE"] = try workplace.storeAddress()
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        let zone = try desk.read { try $0.settings.library().zone }
        observer.use(zone)
        let hasFile = FileManager.default.fileExists(atPath: file)
        let executor = JobProcess(
            program: program, options: (hasFile ? ["--config", file] : []) + workplace.travelOptions, folder: folder,
            environment: environment, zone: zone)
        let mailer = JobPost(
            settings: { [environment] in try PostSettings.read(file, environment: environment) }, zone: zone,
            folder: folder)
        return Scheduler(
            desk: desk, executor: executor, mailer: mailer, owner: .ofThisProcess, machine: SystemClock(),
            observer: observer, jobs: jobs)
    }
}

/// Says what a scheduler does, a line each.
final class ScheduleTeller: ScheduleObserver, @unchecked Sendable {
    /// The console is touched under the lock alone.
    private let lock = NSLock()
    private let console: Console
    private let isQuiet: Bool
    private var runs: [JobRun] = []
    private var lastFault = ""
    private var zone = Zone.utc

    init(_ console: Console, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
    }

    /// From now on moments are told by these clocks.
    func use(_ zone: Zone) { lock.withLock { self.zone = zone } }

    /// What has ended so far.
    var ended: [JobRun] { lock.withLock { runs } }

    func began(_ run: JobRun) { say("\(name(of: run)): begun") }

    func ended(_ run: JobRun) {
        lock.withLock { runs.append(run) }
        let reason = run.state == .succeeded ? "" : ": \(ScheduleWords.reason(run))"
        say("\(name(of: run)): \(run.state.rawValue)\(reason)")
    }

    func lost(_ run: JobRun) { say("\(name(of: run)): somebody else has it by now") }

    func gaveBack(_ run: JobRun) { say("\(name(of: run)): stopped; it is due again") }

    func mailed(_ run: JobRun, _ mail: JobMail) {
        switch mail {
        case .none: break
        case .sent(let words): say("\(name(of: run)): \(words)")
        case .failed(let words, _):
            let line = "\(name(of: run)): \(words)"
            lock.withLock { note(line) }
        }
    }

    /// Tells of what will keep jobs from running.
    func warn(of jobs: [ScheduledJob]) {
        for job in jobs {
            if let warning = job.warning { lock.withLock { note("job '\(job.name)': \(warning)") } }
        }
    }

    func failed(_ error: any Error) { tell(CommandFailure(error).text) }

    /// Something is wrong; the same is not said again and again.
    func tell(_ fault: String) {
        lock.withLock {
            guard fault != lastFault else { return }
            lastFault = fault
            console.note(fault)
        }
    }

    private func name(of run: JobRun) -> String {
        "\(run.job), planned for \(ScheduleWords.local(run.plannedAt, lock.withLock { zone }))"
    }

    private func note(_ line: String) { console.note(TextFolding.terminalSafe(line)) }

    private func say(_ line: String) {
        guard !isQuiet else { return }
        lock.withLock { console.print(TextFolding.terminalSafe(line)) }
    }
}

/// The jobs of a configuration that may change meanwhile.
final class JobSource: Sendable {
    private struct Known {
        var jobs: [ScheduledJob] = []
        var stamp: Stamp?
    }

    /// What tells whether a file is still the one that was read.
    private struct Stamp: Equatable {
        var changed: Date?
        var number: Int?
        var size: Int?
    }

    private let file: String
    private let teller: ScheduleTeller
    private let known: Mutex<Known>

    init(_ file: String, _ teller: ScheduleTeller) {
        self.file = file
        self.teller = teller
        known = Mutex(Known())
    }

    func now() -> [ScheduledJob] {
        known.withLock { known in
            let facts = try? FileManager.default.attributesOfItem(atPath: file)
            let stamp = Stamp(
                changed: facts?[.modificationDate] as? Date, number: (facts?[.systemFileNumber] as? NSNumber)?.intValue,
                size: (facts?[.size] as? NSNumber)?.intValue)
            guard stamp != known.stamp else { return known.jobs }
            known.stamp = stamp
            do {
                known.jobs = try Configuration.jobs(file)
                teller.warn(of: known.jobs)
            } catch {
                teller.tell(CommandFailure(error).text)
            }
            return known.jobs
        }
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
