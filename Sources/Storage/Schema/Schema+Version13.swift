import Circulation

// Runs of jobs. They are about machines and not about the library, so no event tells of them.
extension Schema {
    static let jobs = """
        CREATE TABLE job_marks (
            id {rowKey},
            job TEXT NOT NULL UNIQUE,
            planned_until {integer} NOT NULL
        ) {options};
        CREATE TABLE job_runs (
            id {rowKey},
            job TEXT NOT NULL,
            planned_at {integer} NOT NULL,
            version TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", JobRun.State.allCases.map(\.rawValue)))),
            reason TEXT,
            owner TEXT,
            process TEXT,
            lease_until {integer},
            started_at {integer},
            ended_at {integer},
            tries {integer} NOT NULL,
            exit_status {integer},
            output TEXT NOT NULL,
            report TEXT,
            mail_at {integer},
            mail_tries {integer} NOT NULL,
            mail TEXT
        ) {options};
        CREATE UNIQUE INDEX job_runs_by_key ON job_runs (job, planned_at, version);
        CREATE INDEX job_runs_unfinished ON job_runs (planned_at) WHERE state = 'due' OR state = 'running';
        CREATE INDEX job_runs_to_mail ON job_runs (mail_at) WHERE mail_at IS NOT NULL;
        """
}
