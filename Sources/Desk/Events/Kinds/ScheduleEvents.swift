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

    package init(hour: Instant, since: Instant?) {
        self.hour = hour
        self.since = since
    }

    package init(_ payload: EventPayload) throws {
        self.init(hour: try payload.instant("hour"), since: try payload.optionalInstant("since"))
    }

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

    package init(_ run: JobRun) {
        self.run = run.id
        job = run.job
        plannedAt = run.plannedAt
        startedAt = run.startedAt
        isSuccess = run.state == .succeeded
        exitStatus = run.exitStatus
        tries = run.tries
    }

    package init(_ payload: EventPayload) throws {
        run = try payload.integer("run")
        job = try payload.text("job")
        plannedAt = try payload.instant("planned_at")
        startedAt = try payload.optionalInstant("started_at")
        isSuccess = try payload.flag("succeeded")
        exitStatus = try payload.optionalInteger("exit_status")
        tries = try payload.integer("tries")
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember("run", \.run, "the number of the run"), EventMember("job", \.job, "the job's name"),
        EventMember("planned_at", \.plannedAt), EventMember("started_at", \.startedAt),
        EventMember("succeeded", \.isSuccess),
        EventMember("exit_status", \.exitStatus, "as shells report it; nil: it never began"),
        EventMember("tries", \.tries, "how often it was begun"),
    ]
}
