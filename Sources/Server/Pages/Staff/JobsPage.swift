import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The jobs of the schedule by their runs, for administrators: what ran when, how it ended, what it said.
enum JobsPage: PageGroup {
    static let templates = [
        PageTemplate("jobs", PackageResources.jobs_mustache),
        PageTemplate("job-run", PackageResources.job_run_mustache),
    ]

    private static let most: Int64 = 100

    private static let states: [JobRun.State: Phrase] = [
        .due: "Waiting to run", .running: "Running", .succeeded: "Succeeded", .failed: "Failed", .skipped: "Skipped",
    ]

    private static func name(_ state: JobRun.State) -> String { states[state].map { say($0) } ?? state.rawValue }

    static let pages = [
        Page.shown("/desk/jobs", .admin) { call in
            let state = call.query.text("state").flatMap(JobRun.State.init)
            let job = call.query.text("job")
            let runs = try call.context.look { try $0.jobs.list(of: job, in: state, limit: most) }
            return PageView(
                template: "jobs", title: say("Jobs"),
                fields: [
                    "runs": runs.map { row($0, call) }, "job": PageWords.safe(job ?? ""),
                    "states": [["value": "", "name": say("All except skipped ones"), "isIt": state == nil]]
                        + JobRun.State.allCases.map { one -> [String: Any] in
                            ["value": one.rawValue, "name": name(one), "isIt": one == state]
                        },
                ])
        },
        Page.shown("/desk/jobs/{run}", .admin) { call in
            guard let id = Int64(call.values[0]), let run = try call.context.look({ try $0.jobs.get(id) }) else {
                throw Problem.notFound
            }
            var fields = row(run, call)
            fields["output"] = PageWords.safe(run.output)
            fields["report"] = run.report.map { PageWords.safe($0) }
            fields["mail"] = run.mail.map { PageWords.safe($0) }
            fields["tries"] = run.tries
            return PageView(template: "job-run", title: say("Run \(id) of \(PageWords.safe(run.job))"), fields: fields)
        },
    ]

    private static func row(_ run: JobRun, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "id": run.id, "job": PageWords.safe(run.job), "of": "/desk/jobs?job=\(PageCall.segment(run.job))",
            "state": name(run.state), "isFailed": run.state == .failed,
            "isGood": run.state == .succeeded,
        ]
        func moment(_ instant: Instant?) -> [String: Any]? {
            instant.flatMap { call.words.moment(.string($0.description)) }
        }
        fields["planned"] = moment(run.plannedAt)
        fields["started"] = moment(run.startedAt)
        fields["ended"] = moment(run.endedAt)
        fields["reason"] = run.reason.map { PageWords.safe($0) }
        return fields
    }
}
