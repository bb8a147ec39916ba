import Circulation
import Desk
import Foundation
import Schedule
import Testing

@Suite("What a job sees")
struct JobEnvironmentTests {
    @Test("of the environment only what it needs, and no other secret reaches it")
    func environment() async throws {
        let process = JobProcess(
            program: "/usr/bin/env", options: [], folder: "/",
            environment: [
                "PATH": "/usr/bin:/bin", "TMPDIR": "/tmp", "MOONSHELF_STORE": "sqlite:x.db", "AWS_SECRET": "hidden",
                "LD_PRELOAD": "/tmp/evil.so", "MOONSHELF_MADE_UP": "hidden", "http_proxy": "http://evil",
            ], zone: .utc)
        let job = ScheduledJob(name: "env", timing: .every(seconds: 60), arguments: [])
        let run = JobRun(job: "env", plannedAt: try Instant(parsing: "2026-11-23T07:00:00Z"), version: job.version)
        let outcome = await process.execute(job, run)
        #expect(outcome.exitStatus == 0, "\(outcome)")
        let names = Set(
            outcome.output.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names == ["PATH", "TMPDIR", "MOONSHELF_STORE", JobAssignment.variable])
    }
}
