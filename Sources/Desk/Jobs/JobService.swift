package import Circulation
import Storage

/// Runs of jobs: written down when their moment comes, begun by one machine, kept with how they ended.
///
/// Of two machines that plan the same moment of a job one writes the run down; of two that want to begin it one does. A
/// process that does a run and is there, or is heard of before its lease ends, keeps it; else the run is taken for lost
/// and may be begun anew. Only who holds the ``JobTicket`` of its last beginning can end it.
package struct JobService {
    let session: DeskSession

    var runs: JobRepository { session.transaction.jobs }

    /// How often a run is begun before it is given up.
    package static let mostTries: Int64 = 3
    /// For how many days ended runs are kept.
    package static let daysKept: Int64 = 90

    // MARK: - Planning

    /// Until when the runs of a job were written down; nil for a job that has not been planned yet.
    package func plannedUntil(_ job: String) throws -> Instant? { try runs.plannedUntil(job) }

    /// Writes runs of a job down, those that are there already left as they are, and that all until a moment are.
    package func plan(_ planned: [JobRun], of job: String, until moment: Instant) throws {
        for run in planned { try runs.insert(run) }
        try runs.setPlanned(job, until: moment)
    }

    /// Runs that wait for a definition of their job which is no longer in force are skipped. What is a plugin's and is no
    /// longer in force is forgotten: it is planned as a new job if it comes back.
    ///
    /// - Parameter versions: of the jobs that there are. Other jobs may be another machine's, but for those of plugins.
    package func skipOutdated(_ versions: [String: String]) throws {
        for var run in try outdated(versions) {
            run.state = .skipped
            run.reason =
                versions[run.job] == nil
                ? "No plugin in force has this job any more." : "The job was changed before it began."
            run.endedAt = session.now
            try runs.update(run)
        }
        try forget { versions[$0.description] == nil }
    }

    /// Runs that ``skipOutdated(_:)`` would skip.
    package func outdated(_ versions: [String: String]) throws -> [JobRun] {
        try runs.unfinished().filter { run in
            run.state == .due && versions[run.job].map { $0 != run.version } ?? (PluginPart(run.job) != nil)
        }
    }

    /// Forgets until when jobs of plugins were planned: they are new if they come back.
    func forget(_ isGone: (PluginPart) -> Bool) throws {
        for job in try runs.plannedJobs() where PluginPart(job).map(isGone) ?? false { try runs.unplan(job) }
    }

    /// Removes runs that ended ``daysKept`` days ago.
    package func removeOld() throws {
        try runs.remove(endedBefore: session.now.adding(hours: -24 * Self.daysKept))
    }

    // MARK: - Running

    /// Whether a run is due, or under way.
    package func hasUnfinished() throws -> Bool { try !runs.unfinished().isEmpty }

    /// Leases the next due run of some jobs, so that no other process begins it. A job whose earlier run still goes on
    /// waits for it.
    ///
    /// - Parameters:
    ///   - versions: of the jobs that may be begun, by name.
    ///   - owner: who takes it.
    ///   - machineNow: the clock of the machine, by which leases run.
    ///   - lease: how long the process that runs it may be silent, in seconds.
    ///   - presence: of a process that owns or does a run, where that is known: its lease is not asked then.
    package func claim(
        _ versions: [String: String], owner: String, machineNow: Instant, lease: Int64,
        presence: (String) -> ProcessPresence = { _ in .unknown }
    ) throws -> JobRun? {
        var busy: Set<String> = []
        var open: [JobRun] = []
        for var run in try runs.unfinished() {
            if run.state == .running {
                if Self.isInHand(run, machineNow, presence) {
                    busy.insert(run.job)
                    continue
                }
                guard run.tries < Self.mostTries else {
                    run.reason = "Its process was not heard of again, \(run.tries) times."
                    try end(&run, .failed, machineNow)
                    continue
                }
            }
            if versions[run.job] == run.version { open.append(run) }
        }
        guard var run = open.first(where: { !busy.contains($0.job) }) else { return nil }
        run.state = .running
        run.owner = owner
        run.process = nil
        run.leaseUntil = try machineNow.adding(seconds: lease)
        run.startedAt = session.now
        run.tries += 1
        try runs.update(run)
        return run
    }

    private static func isInHand(
        _ run: JobRun, _ machineNow: Instant, _ presence: (String) -> ProcessPresence
    ) -> Bool {
        let isLeased = run.leaseUntil.map { $0 > machineNow } ?? false
        guard let process = run.process else {
            // No process has taken it over yet; one that comes too late is refused.
            return isLeased && run.owner.map(presence) != .gone
        }
        switch presence(process) {
        case .present: return true
        case .gone: return false
        case .unknown: return isLeased
        }
    }

    /// The process that does a run takes it over from the scheduler that began it, or is still there.
    ///
    /// - Returns: false if another process has begun the run again, or it has ended; then nothing is changed.
    package func keep(_ ticket: JobTicket, by process: String, machineNow: Instant, lease: Int64) throws -> Bool {
        guard var run = try runs.get(ticket.run), ticket.holds(run) else { return false }
        run.process = process
        run.leaseUntil = try machineNow.adding(seconds: lease)
        return try runs.update(run)
    }

    /// A run has ended, by what its process or its scheduler says: whichever says so first.
    ///
    /// - Returns: the run as it ended; nil if another process has begun it again; then nothing is changed.
    package func finish(_ ticket: JobTicket, _ outcome: JobOutcome, machineNow: Instant) throws -> JobRun? {
        guard var run = try runs.get(ticket.run), run.owner == ticket.owner, run.tries == ticket.tries else {
            return nil
        }
        if run.hasEnded { return run }
        guard run.state == .running else { return nil }
        run.reason = outcome.reason
        run.exitStatus = outcome.exitStatus
        run.output = outcome.output
        run.report = outcome.report
        try end(&run, outcome.isSuccess ? .succeeded : .failed, machineNow)
        return run
    }

    private func end(_ run: inout JobRun, _ state: JobRun.State, _ machineNow: Instant) throws {
        run.state = state
        run.leaseUntil = nil
        run.endedAt = session.now
        run.mailAt = machineNow
        try runs.update(run)
        try session.record(.jobEnded, JobEnd(run))
    }

    /// A run that was begun and has not ended goes back, as if it had not been: its process is asked to stop.
    ///
    /// - Returns: the run as it is now; nil if another process has begun it again.
    package func giveBack(_ ticket: JobTicket) throws -> JobRun? {
        guard var run = try runs.get(ticket.run), run.owner == ticket.owner, run.tries == ticket.tries else {
            return nil
        }
        if run.hasEnded { return run }
        guard run.state == .running else { return nil }
        run.state = .due
        run.owner = nil
        run.process = nil
        run.leaseUntil = nil
        run.startedAt = nil
        run.tries -= 1
        try runs.update(run)
        return run
    }

    // MARK: - Reading

    package func get(_ id: Int64) throws -> JobRun? { try runs.get(id) }

    /// The runs planned last, the latest first; those that were skipped only where that state is asked for.
    package func list(of job: String? = nil, in state: JobRun.State? = nil, limit: Int64) throws -> [JobRun] {
        try runs.latest(of: job, in: state, limit: limit)
    }

    /// Takes out of runs what names a patron who is removed.
    func forget(_ words: [String]) throws {
        let finder = WordFinder(words)
        let words = words.map { $0.lowercased() }
        for var run in try runs.telling() {
            let texts = [run.output, run.reason ?? "", run.mail ?? ""].filter(finder.mayStand).map { $0.lowercased() }
            guard words.contains(where: { word in texts.contains { $0.contains(word) } }) else { continue }
            run.output = run.output.isEmpty ? "" : Self.forgotten
            run.reason = run.reason.map { _ in Self.forgotten }
            run.mail = run.mail.map { _ in Self.forgotten }
            try runs.update(run)
        }
    }

    private static let forgotten = "(Taken out: it named a patron who was removed.)"
}
