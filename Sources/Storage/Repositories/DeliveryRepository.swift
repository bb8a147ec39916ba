package import Circulation

/// The last try to bring a notice to its patron.
package struct DeliveryRecord: Hashable, Sendable {
    package var notice: Int64
    package var channel: String
    /// The worker that holds it; nil: none, it was tried before.
    package var worker: String?
    package var triedAt: Instant
    /// Until when it is left alone by others: the worker's lease, or the pause after a try in vain.
    package var heldUntil: Instant
    /// What the other side said of the last try in vain.
    package var words: String?
    /// The identity of the message in which it travels with other notices; nil: it goes alone.
    package var message: String?
    /// Whether some try of it ended without a word of what became of it: the patron may have it already.
    package var mayHaveArrived: Bool

    package init(
        notice: Int64, channel: String, worker: String?, triedAt: Instant, heldUntil: Instant, words: String? = nil,
        message: String? = nil, mayHaveArrived: Bool = false
    ) {
        self.notice = notice
        self.channel = channel
        self.worker = worker
        self.triedAt = triedAt
        self.heldUntil = heldUntil
        self.words = words
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}

/// Who is at work on which notice, and from when on it may be tried again. It stands outside of the events.
package struct DeliveryRepository {
    let transaction: Transaction

    private static let channels = Query(
        "SELECT DISTINCT channel FROM notices WHERE state = 'queued' ORDER BY channel")
    private static let next = Query(
        """
        SELECT \(NoticeRepository.columns) FROM notices
        WHERE state = 'queued' AND id > ? AND channel = ? AND NOT EXISTS (
            SELECT 1 FROM deliveries WHERE deliveries.notice = notices.id AND deliveries.held_until > ?)
        ORDER BY id LIMIT ?
        """)
    // Some kinds of notices, by as many places as there are kinds: of fewer, the last one fills the rest. The state is asked in a
    // way that no index of what waits can answer: it would walk through what waits for others.
    private static let untried = Query(
        """
        SELECT \(NoticeRepository.columns) FROM notices
        WHERE patron = ? AND id > ? AND COALESCE(state, '') = 'queued' AND channel = ?
            AND kind IN (\(Array(repeating: "?", count: mostKinds).joined(separator: ", ")))
            AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.notice = notices.id)
        ORDER BY id LIMIT ?
        """)
    private static let mostKinds = GatheredKind.names(Set(GatheredKind.allCases)).count
    private static let together = Query("SELECT notice FROM deliveries WHERE message = ? ORDER BY notice")
    private static let columns = "notice, channel, worker, tried_at, held_until, words, message, may_have_arrived"
    private static let get = Query("SELECT \(columns) FROM deliveries WHERE notice = ?")
    private static let several = Query("SELECT \(columns) FROM deliveries WHERE {among notice}")
    private static let set = Query(
        """
        INSERT INTO deliveries (\(columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (notice) DO UPDATE SET channel = excluded.channel, worker = excluded.worker,
            tried_at = excluded.tried_at, held_until = excluded.held_until, words = excluded.words,
            message = excluded.message, may_have_arrived = excluded.may_have_arrived
        """)
    private static let removal = Query("DELETE FROM deliveries WHERE notice = ?")
    private static let clearing = Query(
        """
        DELETE FROM deliveries WHERE tried_at < ? AND EXISTS (
            SELECT 1 FROM notices
            WHERE notices.id = deliveries.notice AND notices.state <> 'queued' AND notices.state <> 'failed')
        """)
    private static let tries = Query(
        """
        SELECT COUNT(DISTINCT COALESCE(message, CAST(notice AS TEXT))) FROM deliveries
        WHERE channel = ? AND tried_at > ?
        """)
    private static let earliest = Query(
        "SELECT MIN(tried_at) FROM deliveries WHERE channel = ? AND tried_at > ? HAVING COUNT(*) > 0")

    /// The channels by which something waits to go out.
    package func channels() throws(StoreError) -> [String] {
        try transaction.all(Self.channels) { row in row.text() }
    }

    /// The next notices that wait to be sent by a channel and are not leased, by id.
    package func waiting(
        by channel: String, after id: Int64 = .min, at moment: Instant, limit: Int64 = 1
    ) throws(StoreError) -> [Notice] {
        let values: [StoredValue] = [.integer(id), .text(channel), .instant(moment), .integer(limit)]
        return try transaction.all(Self.next, values, NoticeRepository.table.read)
    }

    /// A patron's next notices that wait to be sent by a channel and were never tried, of some kinds, by id.
    ///
    /// - Parameter kinds: as ``GatheredKind/names(_:)`` gives them.
    package func untried(
        of patron: Int64, by channel: String, after id: Int64, kinds: Set<String>, limit: Int64
    ) throws(StoreError) -> [Notice] {
        let names = kinds.sorted()
        guard let last = names.last else { return [] }
        let filled = names + Array(repeating: last, count: max(0, Self.mostKinds - names.count))
        let values: [StoredValue] = [.integer(patron), .integer(id), .text(channel)] + filled.map { .text($0) }
        return try transaction.all(Self.untried, values + [.integer(limit)], NoticeRepository.table.read)
    }

    /// The notices that travel in a message of several, sent or not, by id.
    package func notices(in message: String) throws(StoreError) -> [Int64] {
        try transaction.all(Self.together, [.text(message)]) { row in row.integer() }
    }

    package func get(_ notice: Int64) throws(StoreError) -> DeliveryRecord? {
        try transaction.first(Self.get, [.integer(notice)], Self.record)
    }

    /// The last tries of several notices, by these.
    package func get(_ notices: [Int64]) throws(StoreError) -> [Int64: DeliveryRecord] {
        var records: [Int64: DeliveryRecord] = [:]
        try transaction.each(Self.several, [.numbers(notices)]) { row in
            let record = Self.record(&row)
            records[record.notice] = record
            return true
        }
        return records
    }

    private static func record(_ row: inout RowReader) -> DeliveryRecord {
        DeliveryRecord(
            notice: row.integer(), channel: row.text(), worker: row.optionalText(), triedAt: row.instant(),
            heldUntil: row.instant(), words: row.optionalText(), message: row.optionalText(),
            mayHaveArrived: row.flag())
    }

    /// Writes down a try, in place of the one before.
    package func set(_ record: DeliveryRecord) throws(StoreError) {
        try transaction.execute(
            Self.set,
            [
                .integer(record.notice), .text(record.channel), .optional(record.worker), .instant(record.triedAt),
                .instant(record.heldUntil), .optional(record.words), .optional(record.message),
                .flag(record.mayHaveArrived),
            ])
    }

    /// Lets go of a notice, as if it had never been tried.
    package func remove(_ notice: Int64) throws(StoreError) {
        try transaction.execute(Self.removal, [.integer(notice)])
    }

    /// Forgets the tries before a moment of what needs no more.
    package func clear(before moment: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(moment)])
    }

    /// How many messages were last tried by a channel after a moment; several notices in one are one.
    package func tries(by channel: String, after moment: Instant) throws(StoreError) -> Int64 {
        try transaction.number(Self.tries, [.text(channel), .instant(moment)])
    }

    /// When the first of those was.
    package func earliestTry(by channel: String, after moment: Instant) throws(StoreError) -> Instant? {
        try transaction.first(Self.earliest, [.text(channel), .instant(moment)]) { row in row.instant() }
    }
}
