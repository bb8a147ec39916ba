package import Circulation

/// The runs of a job whose moments have come since they were last planned.
package struct JobPlan: Hashable, Sendable {
    package var runs: [JobRun] = []

    /// What is over for so long is missed, in seconds: a schedule that is started each minute is never punctual.
    package static let tolerance: Int64 = 300
    /// How many missed moments are made up for at most.
    package static let mostMadeUp = 100
    /// After so many moments half of what is left is passed over unseen.
    private static let mostLookedAt = 10_000

    /// - Parameters:
    ///   - since: the moment until which the job is planned.
    ///   - now: the moment until which it is to be.
    ///   - zone: the library's.
    package init(_ job: ScheduledJob, since: Instant, until now: Instant, in zone: Zone) {
        let zone = job.zone(of: zone)
        let version = job.version
        var moment = since
        var looked = 0
        while let next = job.timing.next(after: moment, in: zone), next <= now {
            looked += 1
            guard looked <= Self.mostLookedAt else {
                moment = Instant(seconds: (moment.seconds + now.seconds) / 2)
                looked = 0
                continue
            }
            runs.append(JobRun(job: job.name, plannedAt: next, version: version))
            moment = next
            // Of a long absence only the end is of interest.
            if runs.count > 2 * Self.mostMadeUp { runs.removeFirst(Self.mostMadeUp - 1) }
        }
        let last = runs.count - 1
        for place in runs.indices {
            let late = now.microseconds(since: runs[place].plannedAt) > Self.tolerance * 1_000_000
            let reason: String? =
                switch job.catchUp {
                case .skip: late ? "No scheduler ran at its time." : nil
                case .once: place < last ? "A later run makes up for it." : nil
                case .each: place <= last - Self.mostMadeUp ? "Too many were missed." : nil
                }
            if let reason {
                runs[place].state = .skipped
                runs[place].reason = reason
                runs[place].endedAt = now
            }
        }
    }
}
