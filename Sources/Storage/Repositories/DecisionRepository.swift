package import Circulation

/// One answer of a policy, with the case that it was given.
package struct DecisionRecord: Hashable, Sendable {
    /// The sequence of the event that it led to.
    package var event: Int64
    /// Its place among the event's decisions, from 0.
    package var ordinal: Int64
    /// The decision point.
    package var point: String
    /// SHA-256 of the policy's version; nil if the desk decided alone.
    package var policy: String?
    /// `allow`, `confirm`, `deny` or `failed`.
    package var answer: String
    /// The case as a JSON object.
    package var caseJSON: String
    /// The decision as a JSON object.
    package var decisionJSON: String

    /// Fewer decisions than this lead to one event.
    package static let most: Int64 = 1 << 20

    /// Its key: decisions stand in the order of their events, and of their places in them.
    package var id: Int64 { event * Self.most + ordinal }

    package init(
        event: Int64, ordinal: Int64 = 0, point: String, policy: String?, answer: String, caseJSON: String,
        decisionJSON: String
    ) {
        self.event = event
        self.ordinal = ordinal
        self.point = point
        self.policy = policy
        self.answer = answer
        self.caseJSON = caseJSON
        self.decisionJSON = decisionJSON
    }
}

/// The log of what policies were asked and answered: what explanations and replays read.
package struct DecisionRepository {
    let transaction: Transaction

    private static let columns = "event, ordinal, point, policy, answer, case_json, decision_json"
    private static let ofEvent = Query("SELECT \(columns) FROM decision_log WHERE id >= ? AND id < ? ORDER BY id")
    private static let after = Query("SELECT \(columns) FROM decision_log WHERE id > ? ORDER BY id LIMIT ?")
    private static let ofPatron = Query(
        """
        SELECT event, decision_log.ordinal, point, policy, answer, case_json, decision_json
        FROM events JOIN decision_log
            ON decision_log.id >= events.sequence * \(DecisionRecord.most)
            AND decision_log.id < (events.sequence + 1) * \(DecisionRecord.most)
        WHERE events.patron = ? AND events.sequence >= ? AND decision_log.id > ?
        ORDER BY events.sequence, decision_log.id LIMIT ?
        """)
    private static let insertion = Query(
        """
        INSERT INTO decision_log (id, event, ordinal, point, policy, answer, case_json, decision_json)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let textChange = Query(
        "UPDATE decision_log SET case_json = ?, decision_json = ? WHERE id = ?")
    private static let older = """
        FROM decision_log
        WHERE EXISTS (SELECT 1 FROM events WHERE events.sequence = decision_log.event AND events.at < ?)
        """
    private static let removal = Query("DELETE \(older) AND id > ? AND id <= ?")
    private static let pageEnd = Query(
        "SELECT MAX(id) FROM (SELECT id FROM decision_log WHERE id > ? ORDER BY id LIMIT ?) AS page")
    private static let olderCounted = Query("SELECT COUNT(*) \(older)")
    private static let counted = Query("SELECT COUNT(*) FROM decision_log")

    /// - Throws: ``StoreError/Code/constraint``, at the latest with the commit, if the event does not exist, or it has
    ///   a decision of that ordinal.
    package func insert(_ decision: DecisionRecord) throws(StoreError) {
        try transaction.post(
            Self.insertion,
            [
                .integer(decision.id), .integer(decision.event), .integer(decision.ordinal), .text(decision.point),
                .optional(decision.policy), .text(decision.answer), .text(decision.caseJSON),
                .text(decision.decisionJSON),
            ])
    }

    /// The decisions behind an event, by ordinal.
    package func of(event: Int64) throws(StoreError) -> [DecisionRecord] {
        let (first, next) = (event * DecisionRecord.most, (event + 1) * DecisionRecord.most)
        return try transaction.all(Self.ofEvent, [.integer(first), .integer(next)], Self.decision)
    }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    /// How many decisions there are behind events before a moment.
    package func count(before moment: Instant) throws(StoreError) -> Int64 {
        try transaction.first(Self.olderCounted, [.instant(moment)]) { row throws(StoreError) in row.integer() } ?? 0
    }

    /// Removes of the next decisions by id those behind events before a moment.
    ///
    /// - Returns: the last one's id; nil if there was none.
    package func remove(before moment: Instant, after id: Int64, limit: Int64) throws(StoreError) -> Int64? {
        let end = try transaction.first(Self.pageEnd, [.integer(id), .integer(limit)]) { row in row.optionalInteger() }
        guard let end = end ?? nil else { return nil }
        try transaction.execute(Self.removal, [.instant(moment), .integer(id), .integer(end)])
        return end
    }

    /// The next decisions by event and ordinal, behind the one with an id.
    package func page(after last: Int64, limit: Int64) throws(StoreError) -> [DecisionRecord] {
        try transaction.all(
            Self.after, [.integer(last), .integer(limit)], Self.decision)
    }

    /// All decisions by event and ordinal, until `body` returns false. `body` may write.
    package func forEach(_ body: (DecisionRecord) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try page(after: last?.id ?? 0, limit: Transaction.pageSize)
            }, body)
    }

    /// The decisions on a patron's requests, until `body` returns false. `body` may write.
    package func forEach(patron: Int64, _ body: (DecisionRecord) throws -> Bool) throws {
        try transaction.inPages(
            { (last: DecisionRecord?) throws(StoreError) in
                try transaction.all(
                    Self.ofPatron,
                    [
                        .integer(patron), .integer(last?.event ?? 0), .integer(last?.id ?? 0),
                        .integer(Transaction.pageSize),
                    ], Self.decision)
            }, body)
    }

    /// Replaces case and answer of a decision: for the removal of what must not stay, and nothing else.
    @discardableResult
    package func replaceTexts(by decision: DecisionRecord) throws(StoreError) -> Bool {
        try transaction.execute(
            Self.textChange,
            [.text(decision.caseJSON), .text(decision.decisionJSON), .integer(decision.id)]) == 1
    }

    private static func decision(_ row: inout RowReader) -> DecisionRecord {
        DecisionRecord(
            event: row.integer(), ordinal: row.integer(), point: row.text(), policy: row.optionalText(),
            answer: row.text(), caseJSON: row.text(), decisionJSON: row.text())
    }
}
