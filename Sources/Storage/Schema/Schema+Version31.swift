import Circulation

// A checkout writes a page and a half of the log less. An id that the desk made for a request, which nothing looks for, is in no index:
// those that callers named are, and all of an older store.
extension Schema {
    static let unnamedRequests = """
        {freeRequests}
        CREATE UNIQUE INDEX events_by_request ON events (request_id, ordinal) WHERE \(EventRepository.isNamed);
        """

    /// What takes the key of a request from `events` where only a new table can be without one. The decisions, which refer to
    /// events, are moved with them.
    ///
    /// - Parameter rowKey: what stands for `{rowKey}`.
    static func freeRequests(rowKey: String) -> String {
        let events = """
            sequence, at, actor, channel, kind, version, payload, request_id, ordinal, patron, copy, loan, hash, seal, cleared_by
            """
        let decisions = "id, event, ordinal, point, policy, answer, case_json, decision_json"
        return """
            CREATE TABLE new_events (
                sequence \(rowKey),
                at INTEGER NOT NULL,
                actor TEXT NOT NULL,
                channel TEXT,
                kind TEXT NOT NULL,
                version INTEGER NOT NULL,
                payload TEXT NOT NULL,
                request_id TEXT NOT NULL,
                ordinal INTEGER NOT NULL,
                patron INTEGER,
                copy INTEGER,
                loan INTEGER,
                hash TEXT NOT NULL DEFAULT '',
                seal TEXT NOT NULL DEFAULT '',
                cleared_by INTEGER
            ) STRICT;
            CREATE TABLE new_decision_log (
                id INTEGER PRIMARY KEY,
                event INTEGER NOT NULL REFERENCES new_events (sequence),
                ordinal INTEGER NOT NULL,
                point TEXT NOT NULL,
                policy TEXT,
                answer TEXT NOT NULL,
                case_json TEXT NOT NULL,
                decision_json TEXT NOT NULL
            ) STRICT;
            INSERT INTO new_events (\(events)) SELECT \(events) FROM events ORDER BY sequence;
            INSERT INTO new_decision_log (\(decisions)) SELECT \(decisions) FROM decision_log ORDER BY id;
            DROP TABLE decision_log;
            DROP TABLE events;
            ALTER TABLE new_events RENAME TO events;
            ALTER TABLE new_decision_log RENAME TO decision_log;
            CREATE INDEX events_by_patron ON events (patron, sequence) WHERE patron IS NOT NULL;
            CREATE INDEX events_by_copy ON events (copy, sequence) WHERE copy IS NOT NULL AND loan IS NULL;
            CREATE INDEX events_by_loan ON events (loan, sequence) WHERE loan IS NOT NULL;
            CREATE INDEX events_of_renewals ON events (at, loan)
                WHERE kind = 'loan.renewed' OR kind = 'loan.renewal_imported';
            CREATE INDEX events_of_new_patrons ON events (at, patron) WHERE kind = 'patron.added';
            """
    }
}
