package import Circulation
import Storage
import TextFormats

/// A run about which a mail is due.
package struct JobMailing: Hashable, Sendable {
    package var run: JobRun
    /// The library's own id.
    package var library: String
    /// What makes the mail one and the same at each try: 32 hexadecimal digits.
    package var identity: String
}

// The recipients of a run get its mail at least once; a failed mail is tried again for about a day.
extension JobService {
    /// How often a mail is tried before it is given up.
    package static let mostMailTries: Int64 = 8
    /// How long a process that sends a mail may be silent, in seconds.
    static let mailLease: Int64 = 300

    /// Leases the next run about which a mail may be due, so that no other process mails it meanwhile.
    ///
    /// - Parameters:
    ///   - jobs: those whose mails can be sent here.
    ///   - isHere: whether what an owner's run has written can be read here.
    package func claimMail(
        of jobs: Set<String>, machineNow: Instant, isHere: (String) -> Bool
    ) throws -> JobMailing? {
        let next = try runs.toMail(at: machineNow).first { run in
            jobs.contains(run.job) && (run.state == .failed || run.owner.map(isHere) ?? false)
        }
        guard var run = next else { return nil }
        run.mailTries += 1
        run.mailAt = try machineNow.adding(seconds: Self.mailLease)
        try runs.update(run)
        let library = try session.notices.libraryID()
        let key = "\(library) \(run.job) \(run.plannedAt.microseconds) \(run.version)"
        return JobMailing(
            run: run, library: library, identity: String(SHA256.hexadecimal(of: Array(key.utf8)).prefix(32)))
    }

    /// Whether a mail about a run may be due at a moment.
    package func hasMail(at moment: Instant) throws -> Bool { try !runs.toMail(at: moment).isEmpty }

    /// A mail went out, or there was none to send.
    ///
    /// - Parameter words: what became of it; nil: there was none.
    package func mailed(_ run: JobRun, _ words: String?) throws {
        try change(run) { run in
            run.mailAt = nil
            run.mail = words
        }
    }

    /// A mail did not go out. Tried again after 1, 4, 16, 64 minutes, four hours, then six.
    ///
    /// - Parameter isFinal: it never will.
    package func mailFailed(_ run: JobRun, _ words: String, isFinal: Bool, machineNow: Instant) throws {
        let isOver = isFinal || run.mailTries >= Self.mostMailTries
        let pause: Int64 = min(60 << (2 * min(run.mailTries - 1, 4)), 6 * 3_600)
        let next = try machineNow.adding(seconds: pause)
        try change(run) { run in
            run.mailAt = isOver ? nil : next
            run.mail = words + (isOver ? " Given up." : "")
        }
    }

    /// Changes what is still at the same try.
    private func change(_ claimed: JobRun, _ body: (inout JobRun) -> Void) throws {
        guard var run = try runs.get(claimed.id), run.mailTries == claimed.mailTries, run.mailAt != nil else { return }
        body(&run)
        try runs.update(run)
    }
}
