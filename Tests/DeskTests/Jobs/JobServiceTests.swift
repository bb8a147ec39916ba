import Circulation
import Desk
import Storage
import Testing

@Suite("Runs of jobs", .everyStore)
struct JobServiceTests {
    private let library: Library
    private let versions = ["report": "v1", "sweep": "v1"]

    init() throws {
        library = try Library(policy: nil)
    }

    private func plan(_ job: String, _ moments: [String], version: String = "v1") throws {
        try library.desk.write { session in
            try session.jobs.plan(
                try moments.map { JobRun(job: job, plannedAt: try Instant(parsing: $0), version: version) }, of: job,
                until: session.now)
        }
    }

    private func claim(
        _ owner: String, at seconds: Int64 = 0, presence: (String) -> ProcessPresence = { _ in .unknown }
    ) throws -> JobRun? {
        let moment = try library.clock.now().adding(seconds: seconds)
        return try library.desk.write {
            try $0.jobs.claim(versions, owner: owner, machineNow: moment, lease: 60, presence: presence)
        }
    }

    private func keep(_ run: JobRun, by process: String, at seconds: Int64 = 0) throws -> Bool {
        let moment = try library.clock.now().adding(seconds: seconds)
        return try library.desk.write {
            try $0.jobs.keep(JobTicket(run), by: process, machineNow: moment, lease: 60)
        }
    }

    private func finish(_ run: JobRun, _ outcome: JobOutcome = JobOutcome(exitStatus: 0)) throws -> JobRun? {
        let moment = library.clock.now()
        return try library.desk.write { try $0.jobs.finish(JobTicket(run), outcome, machineNow: moment) }
    }

    private func states() throws -> [String] {
        try library.desk.read { session in
            try session.jobs.list(limit: 100) + session.jobs.list(in: .skipped, limit: 100)
        }.map { "\($0.job) \($0.state.rawValue)" }
    }

    @Test("two that plan the same moment write it down once, and how far was planned never goes back")
    func once() throws {
        for _ in 0..<2 { try plan("report", ["2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"]) }
        #expect(try states() == ["report due", "report due"])
        let until = try library.desk.read { try $0.jobs.plannedUntil("report") }
        #expect(until == library.clock.now())
        try library.clock.advance(microseconds: -3_600_000_000)
        try plan("report", [])
        #expect(try library.desk.read { try $0.jobs.plannedUntil("report") } == until)
        #expect(try library.desk.read { try $0.jobs.plannedUntil("other") } == nil)
    }

    @Test("one has it; a job's runs follow one another, those of other jobs do not wait")
    func claims() throws {
        try plan("report", ["2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"])
        try plan("sweep", ["2026-03-02T07:30:00Z"])
        let first = try #require(try claim("a"))
        #expect(
            first.job == "report" && first.tries == 1 && first.owner == "a" && first.startedAt == library.clock.now())
        let second = try #require(try claim("b"))
        #expect(second.job == "sweep")
        let none = try claim("b")
        #expect(none == nil)
        let ended = try finish(first, JobOutcome(exitStatus: 0, output: "done\n", report: "r.html"))
        #expect(ended?.state == .succeeded)
        let third = try #require(try claim("b"))
        #expect(third.plannedAt > first.plannedAt)
        let kept = try #require(try library.desk.read { try $0.jobs.get(first.id) })
        #expect(kept == ended && kept.output == "done\n" && kept.report == "r.html")
        #expect(kept.endedAt == library.clock.now() && kept.leaseUntil == nil)
    }

    @Test("who says first how a run ended is believed: its process, or its scheduler")
    func firstWord() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        let run = try #require(try claim("a"))
        let isKept = try keep(run, by: "p")
        #expect(isKept)
        let byProcess = try finish(run, JobOutcome(exitStatus: 1, output: "no\n"))
        let byScheduler = try finish(run, JobOutcome(exitStatus: 0, output: "yes\n"))
        #expect(byProcess?.state == .failed && byScheduler == byProcess)
        let back = try library.desk.write { try $0.jobs.giveBack(JobTicket(run)) }
        #expect(back == byProcess, "what has ended is not due again")
        let late = try keep(run, by: "p")
        #expect(!late)
    }

    @Test("a silent process loses the run once the lease is over; three attempts are enough")
    func leases() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        let run = try #require(try claim("a"))
        let early = try claim("b", at: 59)
        #expect(early == nil)
        let isKept = try keep(run, by: "p", at: 30)
        #expect(isKept)
        let stillEarly = try claim("b", at: 89)
        #expect(stillEarly == nil)
        let second = try #require(try claim("b", at: 91))
        #expect(second.id == run.id && second.tries == 2 && second.process == nil)
        // What the first one says does not count any more.
        let isKeptLate = try keep(run, by: "p")
        let endedLate = try finish(run)
        let givenBackLate = try library.desk.write { try $0.jobs.giveBack(JobTicket(run)) }
        #expect(!isKeptLate && endedLate == nil && givenBackLate == nil)
        let third = try #require(try claim("c", presence: { $0 == "b" ? .gone : .present }))
        #expect(third.tries == 3)
        let fourth = try claim("d", presence: { _ in .gone })
        #expect(fourth == nil)
        let given = try #require(try library.desk.read { try $0.jobs.get(run.id) })
        #expect(given.state == .failed && given.reason?.contains("3 times") == true)
    }

    @Test(
        "a process that is there keeps its run, however long its scheduler is gone; one that is gone loses it at once")
    func orphans() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        let run = try #require(try claim("a"))
        // Nobody has taken it over: that its scheduler is there is no reason to wait for ever.
        let isKept = try keep(run, by: "p")
        #expect(isKept)
        let whileThere = try claim("b", at: 10_000, presence: { $0 == "p" ? .present : .gone })
        #expect(whileThere == nil)
        let again = try #require(try claim("b", presence: { $0 == "p" ? .gone : .present }))
        #expect(again.tries == 2)
        let stuck = try claim("c", at: 61, presence: { _ in .present })
        #expect(stuck?.tries == 3, "whoever never took it over is too late now")
    }

    @Test("what was stopped is due again, as if it had not been begun")
    func givenBack() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        let run = try #require(try claim("a"))
        let isKept = try keep(run, by: "p")
        let back = try library.desk.write { try $0.jobs.giveBack(JobTicket(run)) }
        #expect(isKept && back?.state == .due)
        let again = try #require(try claim("b"))
        #expect(again.id == run.id && again.tries == 1)
    }

    @Test("what waits for a former definition is skipped, and other machines' jobs are left alone")
    func outdated() throws {
        try plan("report", ["2026-03-02T07:00:00Z"], version: "v0")
        try plan("theirs", ["2026-03-02T07:00:00Z"], version: "v0")
        let none = try claim("a")
        #expect(none == nil)
        try library.desk.write { try $0.jobs.skipOutdated(versions) }
        #expect(try Set(states()) == ["report skipped", "theirs due"])
    }

    @Test("runs that ended long ago are removed; the doctor is content")
    func old() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        let run = try #require(try claim("a"))
        let ended = try finish(run)
        #expect(ended != nil)
        try library.clock.advance(microseconds: 91 * 86_400_000_000)
        try library.desk.write { try $0.jobs.removeOld() }
        #expect(try states().isEmpty)
        try library.expectSound()
    }

    // MARK: - Mail

    private func claimMail(at seconds: Int64 = 0, isHere: Bool = true) throws -> JobMailing? {
        let moment = try library.clock.now().adding(seconds: seconds)
        return try library.desk.write {
            try $0.jobs.claimMail(of: ["report"], machineNow: moment) { _ in isHere }
        }
    }

    @Test(
        "of a run that ended somebody is told once; what fails is tried again later, as the same mail, until it is given up"
    )
    func mail() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        _ = try finish(try #require(try claim("a")))
        let elsewhere = try claimMail(isHere: false)
        #expect(elsewhere == nil, "the file is on another machine")
        let first = try #require(try claimMail())
        let meanwhile = try claimMail()
        #expect(meanwhile == nil)
        var seconds: Int64 = 0
        var mailing = first
        for pause in [60, 240, 960, 3_840, 15_360, 15_360, 15_360] as [Int64] {
            let (moment, run) = (try library.clock.now().adding(seconds: seconds), mailing.run)
            try library.desk.write { try $0.jobs.mailFailed(run, "No.", isFinal: false, machineNow: moment) }
            let early = try claimMail(at: seconds + pause - 1)
            #expect(early == nil)
            seconds += pause
            mailing = try #require(try claimMail(at: seconds))
            #expect(mailing.identity == first.identity)
        }
        let (moment, run) = (library.clock.now(), mailing.run)
        try library.desk.write { try $0.jobs.mailFailed(run, "No.", isFinal: false, machineNow: moment) }
        let over = try claimMail(at: 1_000_000)
        #expect(over == nil)
        #expect(try library.desk.read { try $0.jobs.get(run.id) }?.mail == "No. Given up.")
    }

    @Test(
        "who was killed while it sent a mail leaves it to the next once five minutes are over; its own word is late then"
    )
    func lostMail() throws {
        try plan("report", ["2026-03-02T07:00:00Z"])
        _ = try finish(try #require(try claim("a")), JobOutcome(exitStatus: 3))
        let first = try #require(try claimMail(isHere: false), "of a failure anybody may tell")
        let second = try #require(try claimMail(at: 300))
        #expect(second.identity == first.identity && second.run.mailTries == 2)
        try library.desk.write {
            try $0.jobs.mailFailed(first.run, "late", isFinal: true, machineNow: .init(seconds: 0))
        }
        try library.desk.write { try $0.jobs.mailed(second.run, "Mailed.") }
        #expect(try library.desk.read { try $0.jobs.get(first.run.id) }?.mail == "Mailed.")
        let none = try claimMail(at: 1_000_000)
        #expect(none == nil)
    }

    @Test("what a run said of a patron goes when the patron does")
    func removal() throws {
        try plan("report", ["2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"])
        let first = try #require(try claim("a"))
        _ = try finish(first, JobOutcome(exitStatus: 3, reason: "BOB is in it", output: "Bobsson owes 1.00 EUR\n"))
        let second = try #require(try claim("a"))
        _ = try finish(second, JobOutcome(exitStatus: 0, output: "Adasson\n"))
        _ = try library.desk.write { try $0.patrons.remove(.username("bob")).get() }
        let kept = try library.desk.read { try $0.jobs.list(limit: 9) }
        #expect(kept.map(\.output) == ["Adasson\n", "(Taken out: it named a patron who was removed.)"])
        #expect(kept[1].reason == kept[1].output)
        try library.expectSound()
    }
}
