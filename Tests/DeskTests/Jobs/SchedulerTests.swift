import Circulation
import Desk
import Schedule
import Storage
import Synchronization
import Testing

/// Schedulers over a store, with jobs that are done in this process.
@Suite("Schedulers", .everyStore)
struct SchedulerTests {
    private let library: Library
    private let jobs = ["a", "b"].map { name in
        ScheduledJob(name: name, timing: .every(seconds: 600), catchUp: .each, arguments: ["doctor"])
    }

    init() throws {
        library = try Library(policy: nil)
    }

    private func scheduler(
        _ name: String, over store: (any Store)? = nil, _ executor: TestExecutor, _ mailer: TestMailer,
        _ observer: TestObserver = TestObserver(), isGone: Bool = true
    ) -> Scheduler {
        let desk = Desk(
            store: store ?? library.store, policies: library.loader, clock: library.clock, actor: .desk, extensions: [])
        let owner = JobOwner(host: "desk", kernel: "1", process: name.utf8.reduce(100) { $0 + Int($1) }) { process in
            process == TestExecutor.process || !isGone ? "1" : nil
        }
        return Scheduler(
            desk: desk, executor: executor, mailer: mailer, owner: owner, machine: library.clock, observer: observer
        ) { [jobs] _ in jobs }
    }

    /// Each planned moment of half an hour has ended once, and somebody was told.
    private func expectAllDone(_ mailer: TestMailer) throws {
        let runs = try library.desk.read { try $0.jobs.list(limit: 100) }
        #expect(runs.allSatisfy { $0.state == .succeeded && $0.output == "done" && $0.mail == "Mailed." })
        let keys = Set(runs.map { "\($0.job) \($0.plannedAt)" })
        #expect(keys.count == 6 && runs.count == 6)
        #expect(Set(mailer.identities).count == 6)
        try library.expectSound()
    }

    @Test("what a plugin that is gone had planned is skipped, and planned anew if it comes back")
    func goneWithPlugin() throws {
        let job = JobRun(job: "courier:list", plannedAt: library.clock.now(), version: "1")
        let other = JobRun(job: "of another machine", plannedAt: library.clock.now(), version: "1")
        for run in [job, other] {
            try library.desk.write { try $0.jobs.plan([run], of: run.job, until: run.plannedAt) }
        }
        try library.desk.write { try $0.jobs.skipOutdated(["courier:list": "1"]) }
        #expect(try library.desk.read { try $0.jobs.plannedUntil("courier:list") } == job.plannedAt)
        try library.desk.write { try $0.jobs.skipOutdated([:]) }
        let skipped = try library.desk.read { try $0.jobs.list(in: .skipped, limit: 9).map(\.job) }
        #expect(skipped == ["courier:list"])
        #expect(try library.desk.read { try $0.jobs.plannedUntil("courier:list") } == nil)
        #expect(try library.desk.read { try $0.jobs.plannedUntil("of another machine") } != nil)
    }

    @Test("killed at any write, a scheduler leaves everything to the next, and each planned run is done once")
    func killed() async throws {
        var number = 1
        var died = true
        // Two runs at a time: which write is which may differ, so a few in each part of the work will do.
        while died {
            let one = try SchedulerTests()
            died = try await one.killOnce(
                atWrite: number, isKept: number.isMultiple(of: 2), survives: (number / 2).isMultiple(of: 2))
            number += died && number > 4 ? 5 : 1
        }
        // Planning, then for each of six runs: begun, ended, its mail begun and ended.
        #expect(number >= 20, "the kills did not reach every write")
    }

    /// - Parameters:
    ///   - isKept: whether what is written last is committed.
    ///   - survives: whether what a scheduler began goes on when it is killed, as processes do.
    private func killOnce(atWrite number: Int, isKept: Bool, survives: Bool) async throws -> Bool {
        let (executor, mailer) = (TestExecutor(survives ? library.desk : nil), TestMailer())
        try scheduler("first", executor, mailer).plan()
        try library.clock.advance(microseconds: 1_800_000_000)
        let dying = DyingStore(library.store, atWrite: number, isKept: isKept)
        let observer = TestObserver()
        let first = scheduler("first", over: dying, executor, mailer, observer)
        let task = Task { try await first.runDue() }
        observer.whenItFails { task.cancel() }
        _ = await task.result
        try await scheduler("second", executor, mailer).runDue()
        // A mail that was under way is free when its lease is over.
        try library.clock.advance(microseconds: 301_000_000)
        let third = scheduler("third", executor, mailer)
        try await third.runDue()
        try expectAllDone(mailer)
        let most = executor.executions.values.max() ?? 0
        #expect(executor.executions.count == 6)
        #expect(survives ? most == 1 : most <= 2)
        return dying.isDead
    }

    @Test("two schedulers at once do each planned run once")
    func together() async throws {
        let (executor, mailer) = (TestExecutor(nil), TestMailer())
        try scheduler("first", executor, mailer).plan()
        try library.clock.advance(microseconds: 1_800_000_000)
        let both = ["first", "second"].map { scheduler($0, executor, mailer, isGone: false) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in both { group.addTask { try await one.runDue() } }
            try await group.waitForAll()
        }
        // Who came too late for a mail that the other one sends has nothing to do.
        try expectAllDone(mailer)
        #expect(executor.executions.values.allSatisfy { $0 == 1 })
        #expect(mailer.identities.count == 6)
    }

    @Test("asked to stop, a scheduler gives back what it stopped, and keeps what had ended")
    func stopped() async throws {
        let (executor, mailer) = (TestExecutor(nil, isEndless: true), TestMailer())
        let observer = TestObserver()
        let scheduler = scheduler("first", executor, mailer, observer)
        try scheduler.plan()
        try library.clock.advance(microseconds: 600_000_000)
        let task = Task { try await scheduler.watch() }
        await executor.waitForExecutions(2)
        task.cancel()
        try await task.value
        let runs = try library.desk.read { try $0.jobs.list(limit: 9) }
        #expect(runs.count == 2 && runs.allSatisfy { $0.state == .due && $0.tries == 0 && $0.owner == nil })
        #expect(observer.given == 2)
    }

    @Test("a mail that did not go out is tried again, and a job without recipients is not mailed")
    func mails() async throws {
        let (executor, mailer) = (TestExecutor(nil), TestMailer([.failed("Later.", isFinal: false), .none]))
        try scheduler("first", executor, mailer).plan()
        try library.clock.advance(microseconds: 600_000_000)
        try await scheduler("first", executor, mailer).runDue()
        let words = try library.desk.read { try $0.jobs.list(limit: 9).map(\.mail) }
        #expect(Set(words) == ["Later.", nil])
        try library.clock.advance(microseconds: 60_000_000)
        try await scheduler("first", executor, mailer).runDue()
        let later = try library.desk.read { try $0.jobs.list(limit: 9).map(\.mail) }
        #expect(Set(later) == ["Mailed.", nil])
        #expect(mailer.identities.count == 3 && Set(mailer.identities).count == 2)
    }
}

/// Counts what it is told to do.
final class TestExecutor: JobExecutor {
    /// The number of the process that does everything.
    static let process = 77

    private let counts = Mutex<[String: Int]>([:])
    private let desk: Desk?
    private let isEndless: Bool
    private let began = AsyncStream.makeStream(of: Void.self)

    /// - Parameter desk: where it says itself how a run ended; nil: the scheduler does.
    init(_ desk: Desk?, isEndless: Bool = false) {
        self.desk = desk
        self.isEndless = isEndless
    }

    var executions: [String: Int] { counts.withLock { $0 } }

    func waitForExecutions(_ count: Int) async {
        var seen = 0
        for await _ in began.stream {
            seen += 1
            if seen == count { return }
        }
    }

    func execute(_ job: ScheduledJob, _ run: JobRun) async -> JobOutcome {
        let ticket = JobTicket(run)
        let outcome = JobOutcome(exitStatus: 0, output: "done")
        if let desk {
            // As the process of a job does: without leave it does nothing.
            let mayRun = try? desk.write { session in
                try session.jobs.keep(
                    ticket, by: "desk/1:\(Self.process):1", machineNow: session.now, lease: Scheduler.lease)
            }
            guard mayRun == true else { return JobOutcome(exitStatus: 75) }
        }
        counts.withLock { $0["\(run.job) \(run.plannedAt)", default: 0] += 1 }
        began.continuation.yield()
        if isEndless {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
            return JobOutcome(exitStatus: 143)
        }
        _ = try? desk?.write { try $0.jobs.finish(ticket, outcome, machineNow: $0.now) }
        return outcome
    }
}

/// Keeps what it is told to mail; the first answers are given.
final class TestMailer: JobMailer {
    private let told = Mutex<[String]>([])
    private let answers: Mutex<[JobMail]>

    init(_ answers: [JobMail] = []) {
        self.answers = Mutex(answers)
    }

    var identities: [String] { told.withLock { $0 } }

    func mail(_ job: ScheduledJob, _ mailing: JobMailing) async -> JobMail {
        told.withLock { $0.append(mailing.identity) }
        return answers.withLock { $0.isEmpty ? .sent("Mailed.") : $0.removeFirst() }
    }
}

/// Counts what a scheduler says, and hears when something goes wrong.
final class TestObserver: ScheduleObserver {
    private struct State {
        var given = 0
        var hasFailed = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var given: Int { state.withLock { $0.given } }

    func whenItFails(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = action
            return state.hasFailed
        }
        if isLate { action() }
    }

    func began(_ run: JobRun) {}
    func ended(_ run: JobRun) {}
    func lost(_ run: JobRun) {}
    func gaveBack(_ run: JobRun) { state.withLock { $0.given += 1 } }
    func mailed(_ run: JobRun, _ mail: JobMail) {}
    func failed(_ error: any Error) {
        let action = state.withLock { state in
            state.hasFailed = true
            return state.action
        }
        action?()
    }
}
