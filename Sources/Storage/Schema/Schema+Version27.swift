import Circulation

// A checkout writes three pages of the log less. The log of decisions has one key, made of event and place, that is the row's own.
// A copy's loans stand in one index, which holds a copy to one open loan as well. Events about a loan are found by the loan, also those of
// a copy: the index by copy has the others alone. The index of open loans by due time has those without one too, so that all open ones are found.
extension Schema {
    static let leanWriting = """
        CREATE TABLE decision_log (
            id {integer} PRIMARY KEY,
            event {integer} NOT NULL REFERENCES events (sequence),
            ordinal {integer} NOT NULL,
            point TEXT NOT NULL,
            policy TEXT,
            answer TEXT NOT NULL,
            case_json TEXT NOT NULL,
            decision_json TEXT NOT NULL
        ) {options};
        INSERT INTO decision_log (id, event, ordinal, point, policy, answer, case_json, decision_json)
        SELECT event * \(DecisionRecord.most) + ordinal, event, ordinal, point, policy, answer, case_json, decision_json
        FROM decisions ORDER BY event, ordinal;
        DROP TABLE decisions;
        DROP INDEX loans_open_by_copy;
        DROP INDEX loans_by_copy;
        CREATE UNIQUE INDEX loans_by_copy ON loans (copy, (CASE WHEN returned_at IS NULL THEN 0 ELSE id END))
            WHERE copy IS NOT NULL;
        DROP INDEX loans_open_by_due;
        CREATE INDEX loans_open_by_due ON loans (due_at, id) WHERE returned_at IS NULL;
        DROP INDEX events_by_copy;
        CREATE INDEX events_by_copy ON events (copy, sequence) WHERE copy IS NOT NULL AND loan IS NULL;
        """
}
