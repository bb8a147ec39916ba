package import Circulation

extension EventKinds {
    static let schedule: [any AnyEventKind] = [EventKind.scheduleTick, EventKind.jobEnded]
}

extension EventKind where Content == ScheduleTick {
    package static var scheduleTick: Self {
        EventKind(
            noting: "schedule.tick",
            "An hour has begun while a schedule is watched; after hours in which none was, one event stands for all.")
    }
}

extension EventKind where Content == JobEnd {
    package static var jobEnded: Self { EventKind(noting: "job.ended", "A run of a scheduled job has ended.") }
}

/// An hour that has begun.
package struct ScheduleTick: EventContent {
    /// Its first moment.
    package var hour: Instant
    /// The hour of the tick before.
    package var since: Instant?

    package static let blank = ScheduleTick(hour: .earliest, since: nil)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("hour", \.hour, "its first moment"),
        EventMember("since", \.since, "the hour of the event before; nil for the first"),
    ]
}

/// How a run of a job ended. What it said, which may name a person, stands with the run alone.
package struct JobEnd: EventContent {
    package var run: Int64
    package var job: String
    package var plannedAt: Instant
    package var startedAt: Instant?
    package var isSuccess: Bool
    package var exitStatus: Int64?
    package var tries: Int64

    package static let blank = JobEnd(run: 0, job: "", plannedAt: .earliest, isSuccess: false, tries: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("run", \.run, "the number of the run"), EventMember("job", \.job, "the job's name"),
        EventMember("planned_at", \.plannedAt), EventMember("started_at", \.startedAt),
        EventMember("succeeded", \.isSuccess),
        EventMember("exit_status", \.exitStatus, "as shells report it; nil: it never began"),
        EventMember("tries", \.tries, "how often it was begun"),
    ]
}

extension JobEnd {
    init(_ run: JobRun) {
        self.init(
            run: run.id, job: run.job, plannedAt: run.plannedAt, startedAt: run.startedAt,
            isSuccess: run.state == .succeeded, exitStatus: run.exitStatus, tries: run.tries)
    }
}
