import Circulation
import Desk
import Foundation
import Schedule
import Synchronization
import Threads

/// The run that this process executes for a scheduler: taken over first, its lease renewed meanwhile, and ended with
/// its outcome, whether or not the scheduler still runs then.
final class JobInHand: Sendable {
    private let desk: Desk
    private let order: JobAssignment
    private let process: String
    private let clock = SystemClock()
    private let beginning = ContinuousClock.now
    /// Held while the store is told about the run.
    private let hasEnded = Mutex(false)

    private static let second = 1_000_000

    /// - Returns: nil if no scheduler began this process.
    /// - Throws: ``CommandFailure`` if another process has begun the run again; then this one must do nothing.
    init?(_ workplace: Workplace) throws {
        guard let order = workplace.environment[JobAssignment.variable].flatMap(JobAssignment.init(text:)) else {
            return nil
        }
        // A crash must not write the process's memory to a core file.
        Self.limit(RLIMIT_CORE, 0)
        Self.limit(RLIMIT_AS, order.addressSpace)
        self.order = order
        desk = try workplace.desk(.writing)
        process = JobOwner.ofThisProcess.text
        guard try keep() else {
            throw CommandFailure(
                .tryAgain, code: "job_taken", message: "Another process has begun this run of the job by now.")
        }
        // A small stack: a job's address space may be limited.
        guard WorkerThread.detach(stack: 1 << 20, name: "watch of job", { self.watch() }) else {
            throw CommandFailure(
                .tryAgain, code: "no_thread", message: "The system grants no thread that keeps this run of the job.")
        }
    }

    private static func limit(_ resource: __rlimit_resource, _ most: Int64) {
        var limits = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
    }

    /// The processor time of this process and its finished children, in seconds.
    private static func processorTime() -> Int64 {
        [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, whose in
            var usage = rusage()
            guard getrusage(whose.rawValue, &usage) == 0 else { return sum }
            return sum + Int64(usage.ru_utime.tv_sec) + Int64(usage.ru_stime.tv_sec)
        }
    }

    private func keep() throws -> Bool {
        try desk.write(isRepeatable: true) { session in
            try session.jobs.keep(order.ticket, by: process, machineNow: clock.now(), lease: Scheduler.lease)
        }
    }

    /// The run has ended. A run ended by a signal is left to the sender of the signal, who may begin it again.
    func end(_ status: ExitStatus) {
        guard status.rawValue < 128 else { return }
        hasEnded.withLock { hasEnded in
            hasEnded = true
            tell(JobOutcome(exitStatus: Int64(status.rawValue)))
        }
    }

    /// Retries for a minute, so that the outcome is not lost.
    private func tell(_ outcome: JobOutcome) {
        var outcome = outcome
        outcome.output = JobOutput.text(STDOUT_FILENO)
        outcome.report = order.report
        for _ in 0..<60 {
            do {
                _ = try desk.write(isRepeatable: true) { session in
                    try session.jobs.finish(order.ticket, outcome, machineNow: clock.now())
                }
                return
            } catch {
                usleep(useconds_t(Self.second))
            }
        }
    }

    /// Sees to what a scheduler that is gone cannot see to, and that the run stays this process's.
    private func watch() {
        var kept = ContinuousClock.now
        while true {
            usleep(useconds_t(Self.second / 5))
            hasEnded.withLock { hasEnded in
                guard !hasEnded else { return }
                let now = ContinuousClock.now
                if let size = JobOutput.size(STDOUT_FILENO), size > JobOutput.most {
                    stop("It said more than \(JobOutput.most >> 20) MiB.")
                }
                if getppid() != order.parent, now - beginning > .seconds(order.timeLimit) {
                    stop(JobProcess.lateness(order.timeLimit))
                }
                if let most = order.processorLimit, Self.processorTime() >= most {
                    stop("It used more than \(JobTiming.words(most)) of processor time.")
                }
                guard now - kept > .seconds(Scheduler.lease / 3) else { return }
                kept = now
                // An unreachable store may be reachable again before the lease ends.
                if (try? keep()) == false { stop(nil) }
            }
            if hasEnded.withLock({ $0 }) { return }
        }
    }

    /// Ends this process and what it has started.
    private func stop(_ reason: String?) {
        if let reason { tell(JobOutcome(exitStatus: nil, reason: reason)) }
        kill(0, SIGKILL)
    }
}

extension JobOwner {
    /// This process.
    static let ofThisProcess = JobOwner(
        host: ProcessInfo.processInfo.hostName, kernel: kernel, process: Int(getpid()), beginning: beginning)

    /// The scope of process numbers: a start of this machine's kernel, and a process namespace.
    private static let kernel: String = {
        let start = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        let space = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
        return start.prefix(8) + "-" + space.filter(\.isNumber)
    }()

    /// When a process began, by field 22 of proc(5)'s `stat`.
    private static func beginning(_ process: Int) -> String? {
        guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The second field, the name, may hold blanks and brackets.
            let fields = line.lastIndex(of: ")").map({ line[line.index(after: $0)...].split(separator: " ") }),
            fields.count > 19, fields[0] != "Z"
        else { return nil }
        return String(fields[19])
    }
}
