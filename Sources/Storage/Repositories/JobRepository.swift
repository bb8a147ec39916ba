package import Circulation

/// Runs of jobs, and how far jobs were planned.
package struct JobRepository {
    let transaction: Transaction

    private static let columns = """
        id, job, planned_at, version, state, reason, owner, process, lease_until, started_at, ended_at, tries, \
        exit_status, output, report, mail_at, mail_tries, mail
        """
    private static let insertion = Query(
        """
        INSERT INTO job_runs (\(columns)) VALUES ({id job_runs}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """)
    private static let change = Query(
        """
        UPDATE job_runs SET job = ?, planned_at = ?, version = ?, state = ?, reason = ?, owner = ?, process = ?,
            lease_until = ?, started_at = ?, ended_at = ?, tries = ?, exit_status = ?, output = ?, report = ?,
            mail_at = ?, mail_tries = ?, mail = ?
        WHERE id = ?
        """)
    private static let byID = Query("SELECT \(columns) FROM job_runs WHERE id = ?")
    private static let unfinished = Query(
        "SELECT \(columns) FROM job_runs WHERE state = 'due' OR state = 'running' ORDER BY planned_at, id")
    private static let toMail = Query(
        "SELECT \(columns) FROM job_runs WHERE mail_at IS NOT NULL AND mail_at <= ? ORDER BY mail_at, id")
    private static let telling = Query(
        "SELECT \(columns) FROM job_runs WHERE output <> '' OR reason IS NOT NULL OR mail IS NOT NULL")
    private static let latest = Query(
        "SELECT \(columns) FROM job_runs WHERE state <> 'skipped' ORDER BY planned_at DESC, id DESC LIMIT ?")
    private static let latestOfJob = Query(
        """
        SELECT \(columns) FROM job_runs WHERE job = ? AND state <> 'skipped' ORDER BY planned_at DESC, id DESC LIMIT ?
        """)
    private static let latestInState = Query(
        "SELECT \(columns) FROM job_runs WHERE state = ? ORDER BY planned_at DESC, id DESC LIMIT ?")
    private static let latestOfJobInState = Query(
        "SELECT \(columns) FROM job_runs WHERE job = ? AND state = ? ORDER BY planned_at DESC, id DESC LIMIT ?")
    private static let removal = Query("DELETE FROM job_runs WHERE ended_at < ?")
    private static let mark = Query("SELECT planned_until FROM job_marks WHERE job = ?")
    private static let marking = Query("UPDATE job_marks SET planned_until = ? WHERE job = ? AND planned_until < ?")
    private static let marked = Query("SELECT job FROM job_marks ORDER BY job")
    private static let unmarking = Query("DELETE FROM job_marks WHERE job = ?")
    private static let firstMark = Query(
        "INSERT INTO job_marks (id, job, planned_until) VALUES ({id job_marks}, ?, ?) ON CONFLICT DO NOTHING")

    /// Writes a run down, unless there is one with its job, planned moment and version.
    ///
    /// - Returns: whether it was written down.
    @discardableResult
    package func insert(_ run: JobRun) throws(StoreError) -> Bool {
        try transaction.insert(Self.insertion, [.id(run.id)] + Self.values(run)) != nil
    }

    /// - Returns: false if no run has that id.
    @discardableResult
    package func update(_ run: JobRun) throws(StoreError) -> Bool {
        try transaction.execute(Self.change, Self.values(run) + [.integer(run.id)]) == 1
    }

    package func get(_ id: Int64) throws(StoreError) -> JobRun? { try all(Self.byID, [.integer(id)]).first }

    /// Those that are due or running, the one planned first at the head.
    package func unfinished() throws(StoreError) -> [JobRun] { try all(Self.unfinished, []) }

    /// Those about which a mail is due at a moment, by the machine's clock.
    package func toMail(at moment: Instant) throws(StoreError) -> [JobRun] { try all(Self.toMail, [.instant(moment)]) }

    /// Those with words in them.
    package func telling() throws(StoreError) -> [JobRun] { try all(Self.telling, []) }

    /// The runs planned last, the latest first; those that were skipped only where that state is asked for.
    package func latest(of job: String?, in state: JobRun.State?, limit: Int64) throws(StoreError) -> [JobRun] {
        switch (job, state) {
        case (nil, nil): try all(Self.latest, [.integer(limit)])
        case (let job?, nil): try all(Self.latestOfJob, [.text(job), .integer(limit)])
        case (nil, let state?): try all(Self.latestInState, [.choice(state), .integer(limit)])
        case (let job?, let state?):
            try all(Self.latestOfJobInState, [.text(job), .choice(state), .integer(limit)])
        }
    }

    /// Removes runs that ended before a moment.
    package func remove(endedBefore moment: Instant) throws(StoreError) {
        try transaction.execute(Self.removal, [.instant(moment)])
    }

    /// Until when the runs of a job were written down; nil for a job that has not been planned yet.
    package func plannedUntil(_ job: String) throws(StoreError) -> Instant? {
        try transaction.first(Self.mark, [.text(job)]) { row in row.instant() }
    }

    /// Runs of a job are written down until a moment; it never goes back.
    package func setPlanned(_ job: String, until moment: Instant) throws(StoreError) {
        if try transaction.insert(Self.firstMark, [.id(0), .text(job), .instant(moment)]) == nil {
            try transaction.execute(Self.marking, [.instant(moment), .text(job), .instant(moment)])
        }
    }

    /// The jobs whose runs were written down until some moment.
    package func plannedJobs() throws(StoreError) -> [String] { try transaction.all(Self.marked, []) { $0.text() } }

    /// Forgets until when the runs of a job were written down.
    package func unplan(_ job: String) throws(StoreError) { try transaction.execute(Self.unmarking, [.text(job)]) }

    private static func values(_ run: JobRun) -> [StoredValue] {
        [
            .text(run.job), .instant(run.plannedAt), .text(run.version), .choice(run.state), .optional(run.reason),
            .optional(run.owner), .optional(run.process), .optional(run.leaseUntil), .optional(run.startedAt),
            .optional(run.endedAt), .integer(run.tries), .optional(run.exitStatus), .text(run.output),
            .optional(run.report), .optional(run.mailAt), .integer(run.mailTries), .optional(run.mail),
        ]
    }

    private func all(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> [JobRun] {
        try transaction.all(query, values) { row throws(StoreError) in
            JobRun(
                id: row.integer(), job: row.text(), plannedAt: row.instant(), version: row.text(),
                state: try row.choice(), reason: row.optionalText(), owner: row.optionalText(),
                process: row.optionalText(), leaseUntil: row.optionalInstant(), startedAt: row.optionalInstant(),
                endedAt: row.optionalInstant(), tries: row.integer(), exitStatus: row.optionalInteger(),
                output: row.text(), report: row.optionalText(), mailAt: row.optionalInstant(),
                mailTries: row.integer(), mail: row.optionalText())
        }
    }
}
