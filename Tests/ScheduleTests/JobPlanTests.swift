import Circulation
import Schedule
import Testing

@Suite("What becomes of planned moments")
struct JobPlanTests {
    private func job(_ cron: String, _ catchUp: ScheduledJob.CatchUp) throws -> ScheduledJob {
        ScheduledJob(
            name: "report", timing: .cron(try CronExpression(parsing: cron)), catchUp: catchUp, arguments: ["doctor"])
    }

    private func plan(_ job: ScheduledJob, _ since: String, _ now: String) throws -> [JobRun] {
        try JobPlan(job, since: Instant(parsing: since), until: Instant(parsing: now), in: .utc).runs
    }

    @Test("a moment that has come is due, and so is the very moment", arguments: ScheduledJob.CatchUp.allCases)
    func punctual(catchUp: ScheduledJob.CatchUp) throws {
        let job = try job("0 7 * * *", catchUp)
        let runs = try plan(job, "2026-11-23T06:59:00Z", "2026-11-23T07:00:00Z")
        #expect(
            runs == [
                JobRun(job: "report", plannedAt: try Instant(parsing: "2026-11-23T07:00:00Z"), version: job.version)
            ])
        #expect(try plan(job, "2026-11-23T07:00:00Z", "2026-11-23T07:00:30Z").isEmpty)
        #expect(try plan(job, "2026-11-23T08:00:00Z", "2026-11-23T07:30:00Z").isEmpty)
    }

    @Test("missed moments are skipped, made up for once, or all made up for")
    func missed() throws {
        func states(_ catchUp: ScheduledJob.CatchUp, _ now: String) throws -> [JobRun.State] {
            try plan(job("0 7 * * *", catchUp), "2026-11-20T12:00:00Z", now).map(\.state)
        }
        #expect(try states(.skip, "2026-11-23T09:00:00Z") == [.skipped, .skipped, .skipped])
        #expect(try states(.skip, "2026-11-23T07:04:59Z") == [.skipped, .skipped, .due])
        #expect(try states(.once, "2026-11-23T09:00:00Z") == [.skipped, .skipped, .due])
        #expect(try states(.each, "2026-11-23T09:00:00Z") == [.due, .due, .due])
    }

    @Test("after a long absence the latest hundred are made up for, whatever there were")
    func long() throws {
        let runs = try plan(job("* * * * * *", .each), "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z")
        let due = runs.filter { $0.state == .due }
        #expect(due.count == JobPlan.mostMadeUp)
        #expect(try due.last?.plannedAt == Instant(parsing: "2026-01-01T00:00:00Z"))
        #expect(due.first?.plannedAt.seconds == due.last.map { $0.plannedAt.seconds - 99 })
    }

    @Test("every so often means the same moments on all machines")
    func every() throws {
        let job = ScheduledJob(name: "sweep", timing: .every(seconds: 900), catchUp: .each, arguments: ["doctor"])
        let moments = try plan(job, "2026-11-23T06:50:01Z", "2026-11-23T07:20:00Z").map(\.plannedAt.description)
        #expect(moments == ["2026-11-23T07:00:00Z", "2026-11-23T07:15:00Z"])
        #expect(try plan(job, "1969-12-31T23:50:00Z", "1970-01-01T00:00:00Z").map(\.plannedAt.seconds) == [0])
    }

    @Test(
        "lengths of time are read",
        arguments: [
            ("90 seconds", 90), ("1 minute", 60), ("15 minutes", 900), ("2 hours", 7_200), ("1 day", 86_400),
            ("0 minutes", nil), ("-1 hours", nil), ("15", nil), ("fifteen minutes", nil), ("1 month", nil),
            ("400 days", nil), ("99999999999 days", nil), ("1.5 hours", nil), ("", nil), ("15m", 900),
            ("90s", 90), ("2h", 7_200), ("2 h", 7_200), ("h", nil), ("2 hour s", nil), ("\u{0662} hours", nil),
        ] as [(String, Int64?)])
    func lengths(text: String, seconds: Int64?) {
        #expect(JobTiming.seconds(text) == seconds)
    }

    @Test("a job that is changed in anything has another version, one that is not the same")
    func versions() throws {
        let job = try job("0 7 * * *", .once)
        var versions: Set<String> = [job.version]
        for change in [
            { $0.arguments = ["notices", "sweep"] }, { $0.catchUp = .each }, { $0.timeLimit = 60 }, { $0.zone = .utc },
            { $0.timing = .every(seconds: 60) }, { $0.processorLimit = 60 }, { $0.addressSpace = 1 << 30 },
        ] as [(inout ScheduledJob) -> Void] {
            var changed = job
            change(&changed)
            #expect(versions.insert(changed.version).inserted)
        }
        #expect(try self.job("0 7 * * *", .once).version == job.version)
    }

    @Test("the places of a path are filled with the planned day and time of the zone")
    func places() throws {
        let planned = try Instant(parsing: "2026-11-22T23:30:00Z")
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(
            ScheduledJob.filled("r/{date}_{time}.html", at: planned, in: berlin) == "r/2026-11-23_00-30.html")
        #expect(ScheduledJob.filled("{other}", at: planned, in: berlin) == "{other}")
    }
}
