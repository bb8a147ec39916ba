package import Circulation
package import Desk

/// Writes down what is due and has it done.
///
/// Several may work at one store, on one machine or on many: the store sees to it that each planned run is begun by one
/// of them. Which ends, or is killed, leaves what it has not begun to the others; what it has begun ends by itself.
package struct Scheduler: Sendable {
    let desk: Desk
    /// Asked anew each time, so that a change is taken up: of a configuration, or of the plugins in force.
    let jobs: JobsInForce
    let executor: any JobExecutor
    let mailer: any JobMailer
    /// Unique among all that work at the store.
    let owner: JobOwner
    /// The machine's, by which leases run, also where the desk's time is another.
    let machine: any Clock
    let observer: any ScheduleObserver

    package init(
        desk: Desk, executor: any JobExecutor, mailer: any JobMailer, owner: JobOwner, machine: any Clock,
        observer: any ScheduleObserver, jobs: @escaping JobsInForce
    ) {
        self.desk = desk
        self.jobs = jobs
        self.executor = executor
        self.mailer = mailer
        self.owner = owner
        self.machine = machine
        self.observer = observer
    }

    /// The jobs that there are, as a transaction sees them; nil: that cannot be said now, and nothing is begun.
    package typealias JobsInForce = @Sendable (DeskSession) throws -> [ScheduledJob]?

    /// How long a process that runs a job may be silent, in seconds.
    package static let lease: Int64 = 60
    /// How many jobs one scheduler runs at once.
    package static let lanes = 2
    /// How long to wait where a store does not answer.
    static let pauseOfFault = Duration.seconds(5)

    /// After so long it is written down that there was nothing to plan, in seconds.
    private static let planningPause: Int64 = 60

    /// Writes down the runs whose moments have come, and the hours that have begun. A job that is new is planned from now on.
    package func plan() throws {
        // Most times there is nothing to write.
        guard try desk.read({ try Self.hasToPlan(jobs($0), in: $0) }) else { return }
        try desk.write(isRepeatable: true) { session in
            let zone = try session.settings.library().zone
            let jobs = try jobs(session)
            for job in jobs ?? [] {
                let since = try session.jobs.plannedUntil(job.name) ?? session.now
                let plan = JobPlan(job, since: since, until: session.now, in: zone)
                try session.jobs.plan(plan.runs, of: job.name, until: max(since, session.now))
            }
            try session.jobs.tick()
            if let jobs { try session.jobs.skipOutdated(Self.versions(jobs)) }
            try session.jobs.removeOld()
        }
    }

    private static func hasToPlan(_ jobs: [ScheduledJob]?, in session: DeskSession) throws -> Bool {
        let zone = try session.settings.library().zone
        for job in jobs ?? [] {
            guard let since = try session.jobs.plannedUntil(job.name) else { return true }
            if session.now.seconds - since.seconds >= planningPause { return true }
            if let next = job.timing.next(after: since, in: job.zone(of: zone)), next <= session.now { return true }
        }
        return try session.jobs.hasToTick() || jobs.map { try !session.jobs.outdated(versions($0)).isEmpty } ?? false
    }

    private static func versions(_ jobs: [ScheduledJob]) -> [String: String] {
        Dictionary(jobs.map { ($0.name, $0.version) }) { first, _ in first }
    }

    /// Has done what is due, until nothing is.
    ///
    /// - Throws: what went wrong first, after what had begun has ended.
    package func runDue() async throws {
        try plan()
        let fault = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<Self.lanes {
                group.addTask {
                    do {
                        while try await step() {}
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var first: (any Error)?
            for await error in group { first = first ?? error }
            return first
        }
        if let fault { throw fault }
    }

    /// Goes on planning and running until it is cancelled.
    ///
    /// - Parameter pause: how long to wait where nothing is due.
    package func watch(pause: Duration = .seconds(2)) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.lanes {
                group.addTask {
                    while !Task.isCancelled {
                        do {
                            try plan()
                            if try await step() { continue }
                        } catch {
                            // A store that is unreachable for a while does not stop the scheduler.
                            observer.failed(error)
                        }
                        try? await Task.sleep(for: pause)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Runs one job that is due, or else sends one mail.
    ///
    /// - Returns: false if there was nothing to do.
    private func step() async throws -> Bool {
        guard !Task.isCancelled else { return false }
        guard try desk.read({ try $0.jobs.hasUnfinished() }) else { return try await mail() }
        let claimed = try desk.write(isRepeatable: true) { session -> (JobRun, ScheduledJob)? in
            let jobs = try jobs(session) ?? []
            let run = try session.jobs.claim(
                Self.versions(jobs), owner: owner.text, machineNow: machine.now(), lease: Self.lease,
                presence: owner.presence(of:))
            return run.flatMap { run in jobs.first { $0.name == run.job }.map { (run, $0) } }
        }
        guard let (run, job) = claimed else { return try await mail() }
        observer.began(run)
        let outcome = await executor.execute(job, run)
        try await settle(run, outcome)
        return true
    }

    /// Writes down how a run ended, unless its process has done so.
    private func settle(_ run: JobRun, _ outcome: JobOutcome) async throws {
        let ticket = JobTicket(run)
        let isStopped = Task.isCancelled && !outcome.isSuccess
        let settled = try await insist { session in
            isStopped
                ? try session.jobs.giveBack(ticket)
                : try session.jobs.finish(ticket, outcome, machineNow: machine.now())
        }
        guard let settled else { return observer.lost(run) }
        if settled.hasEnded { observer.ended(settled) } else { observer.gaveBack(settled) }
    }

    /// Sends a mail that is due.
    ///
    /// - Returns: false if none was.
    private func mail() async throws -> Bool {
        guard try desk.read({ try $0.jobs.hasMail(at: machine.now()) }) else { return false }
        let claimed = try desk.write(isRepeatable: true) { session -> (JobMailing, ScheduledJob)? in
            let jobs = try jobs(session) ?? []
            let mailing = try session.jobs.claimMail(
                of: Set(jobs.map(\.name)), machineNow: machine.now(), isHere: owner.sharesFiles(with:))
            return mailing.flatMap { mailing in jobs.first { $0.name == mailing.run.job }.map { (mailing, $0) } }
        }
        guard let (mailing, job) = claimed else { return false }
        let run = mailing.run
        let mail = await mailer.mail(job, mailing)
        try await insist { session in
            switch mail {
            case .none: try session.jobs.mailed(run, nil)
            case .sent(let words): try session.jobs.mailed(run, words)
            case .failed(let words, let isFinal):
                try session.jobs.mailFailed(run, words, isFinal: isFinal, machineNow: machine.now())
            }
        }
        observer.mailed(run, mail)
        return true
    }

    /// Writes, again and again where the store does not answer: what was done must not be forgotten.
    ///
    /// - Throws: what went wrong last, once it is cancelled.
    private func insist<Value>(_ body: @escaping (DeskSession) throws -> Value) async throws -> Value {
        while true {
            do {
                return try desk.write(isRepeatable: true, body)
            } catch {
                guard !Task.isCancelled else { throw error }
                observer.failed(error)
                try? await Task.sleep(for: Self.pauseOfFault)
            }
        }
    }
}
