package import Circulation
package import Desk

/// Does what a job says.
package protocol JobExecutor: Sendable {
    /// Runs a job to its end. Cancelled, it stops what it has begun before it returns.
    func execute(_ job: ScheduledJob, _ run: JobRun) async -> JobOutcome
}

/// Mails people about runs.
package protocol JobMailer: Sendable {
    /// Mails the recipients of a run that has ended.
    func mail(_ job: ScheduledJob, _ mailing: JobMailing) async -> JobMail
}

/// What became of a mail.
package enum JobMail: Hashable, Sendable {
    /// The run has no recipients.
    case none
    /// In words for the log.
    case sent(String)
    case failed(String, isFinal: Bool)
}

/// Observes what a scheduler does.
package protocol ScheduleObserver: Sendable {
    func began(_ run: JobRun)
    func ended(_ run: JobRun)
    /// Another process has it by now.
    func lost(_ run: JobRun)
    /// The scheduler stops; the run is due again.
    func gaveBack(_ run: JobRun)
    func mailed(_ run: JobRun, _ mail: JobMail)
    func failed(_ error: any Error)
}
