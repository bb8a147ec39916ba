/// One planned run of a job, and what became of it.
package struct JobRun: Hashable, Sendable {
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Its moment has come; it has not begun.
        case due
        case running
        case succeeded
        case failed
        /// It was missed, or its job is another one now, and it will not be made up for.
        case skipped
    }

    package var id: Int64
    package var job: String
    /// The moment for which it was planned. With job and version unique in a store.
    package var plannedAt: Instant
    /// What the job was when it was planned: a digest of its definition.
    package var version: String
    package var state: State
    /// Why it was skipped or failed, in a sentence.
    package var reason: String?
    /// The scheduler that begins it, or began it: a name of the machine and process.
    package var owner: String?
    /// The process that does it, once that has taken it over.
    package var process: String?
    /// Until when its owner need not be heard of, by the clock of the machine.
    package var leaseUntil: Instant?
    package var startedAt: Instant?
    package var endedAt: Instant?
    /// How often it was begun.
    package var tries: Int64
    /// As shells report it.
    package var exitStatus: Int64?
    /// The end of what it said.
    package var output: String
    /// The file that it wrote.
    package var report: String?
    /// When, by the machine's clock, a mail about it is due; nil: no mail is due, or it was sent.
    package var mailAt: Instant?
    package var mailTries: Int64
    /// What became of the mail, in a sentence.
    package var mail: String?

    package init(
        id: Int64 = 0, job: String, plannedAt: Instant, version: String, state: State = .due, reason: String? = nil,
        owner: String? = nil, process: String? = nil, leaseUntil: Instant? = nil, startedAt: Instant? = nil,
        endedAt: Instant? = nil, tries: Int64 = 0, exitStatus: Int64? = nil, output: String = "",
        report: String? = nil, mailAt: Instant? = nil, mailTries: Int64 = 0, mail: String? = nil
    ) {
        self.id = id
        self.job = job
        self.plannedAt = plannedAt
        self.version = version
        self.state = state
        self.reason = reason
        self.owner = owner
        self.process = process
        self.leaseUntil = leaseUntil
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.tries = tries
        self.exitStatus = exitStatus
        self.output = output
        self.report = report
        self.mailAt = mailAt
        self.mailTries = mailTries
        self.mail = mail
    }

    /// Whether it has begun and ended.
    package var hasEnded: Bool { state == .succeeded || state == .failed }
}
