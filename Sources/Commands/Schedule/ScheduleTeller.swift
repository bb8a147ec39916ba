import Circulation
import Desk
import Schedule
import Synchronization
import TextFormats

/// Says what a scheduler does, a line each.
final class ScheduleTeller: ScheduleObserver {
    private struct State {
        var runs: [JobRun] = []
        var lastFault = ""
        var zone = Zone.utc
    }

    private let lines: LineSink
    private let isQuiet: Bool
    private let state = Mutex(State())

    init(_ console: Console, isQuiet: Bool) {
        lines = LineSink(console)
        self.isQuiet = isQuiet
    }

    /// From now on moments are shown in this zone.
    func use(_ zone: Zone) { state.withLock { $0.zone = zone } }

    /// What has ended so far.
    var ended: [JobRun] { state.withLock { $0.runs } }

    func began(_ run: JobRun) { say("\(name(of: run)): begun") }

    func ended(_ run: JobRun) {
        state.withLock { $0.runs.append(run) }
        let reason = run.state == .succeeded ? "" : ": \(ScheduleWords.reason(run))"
        say("\(name(of: run)): \(run.state.rawValue)\(reason)")
    }

    func lost(_ run: JobRun) { say("\(name(of: run)): another process has it by now") }

    func gaveBack(_ run: JobRun) { say("\(name(of: run)): stopped; it is due again") }

    func mailed(_ run: JobRun, _ mail: JobMail) {
        switch mail {
        case .none: break
        case .sent(let words): say("\(name(of: run)): \(words)")
        case .failed(let words, _): note("\(name(of: run)): \(words)")
        }
    }

    /// Reports what will keep jobs from running.
    func warn(of jobs: [ScheduledJob]) {
        for job in jobs {
            if let warning = job.warning { note("job '\(job.name)': \(warning)") }
        }
    }

    func failed(_ error: any Error) { tell(CommandFailure(error).text) }

    /// Something is wrong; the same is not said again and again.
    func tell(_ fault: String) {
        let isNew = state.withLock { state in
            defer { state.lastFault = fault }
            return state.lastFault != fault
        }
        if isNew { lines.note(fault) }
    }

    private func name(of run: JobRun) -> String {
        "\(run.job), planned for \(ScheduleWords.local(run.plannedAt, state.withLock { $0.zone }))"
    }

    private func note(_ line: String) { lines.note(SafeText.line(line)) }

    private func say(_ line: String) {
        guard !isQuiet else { return }
        lines.print(SafeText.line(line))
    }
}
