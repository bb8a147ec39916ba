package import Circulation
package import Desk

/// Does what a job says.
package protocol JobExecutor: Sendable {
    /// Runs a job to its end. Cancelled, it stops what it has begun before it returns.
    func execute(_ job: ScheduledJob, _ run: JobRun) async -> JobOutcome
}

/// Tells people of runs.
package protocol JobMailer: Sendable {
    /// Tells whoever is to be told of a run that has ended.
    func mail(_ job: ScheduledJob, _ mailing: JobMailing) async -> JobMail
}

/// What became of a mail.
package enum JobMail: Hashable, Sendable {
    /// Nobody was to be told.
    case none
    /// In words for the log.
    case sent(String)
    case failed(String, isFinal: Bool)
}

/// Is told what a scheduler does.
package protocol ScheduleObserver: Sendable {
    func began(_ run: JobRun)
    func ended(_ run: JobRun)
    /// Somebody else has it by now.
    func lost(_ run: JobRun)
    /// The scheduler stops; the run is due again.
    func gaveBack(_ run: JobRun)
    func mailed(_ run: JobRun, _ mail: JobMail)
    func failed(_ error: any Error)
}
