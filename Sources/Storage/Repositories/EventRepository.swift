package import Circulation

/// The record of everything that happened.
package struct EventRepository {
    let transaction: Transaction

    static let columns = """
        sequence, at, actor, channel, kind, version, payload, request_id, ordinal, patron, copy, loan
        """
    /// The kinds that ``StatisticsRepository`` counts renewals by, those made here and those that were imported.
    package static let renewalKind = "loan.renewed"
    package static let importedRenewalKind = "loan.renewal_imported"
    /// The condition that an event is a renewal, in the words of the index that the schema has for them.
    static let isRenewal = "(events.kind = '\(renewalKind)' OR events.kind = '\(importedRenewalKind)')"

    /// The condition that a patron joined, in the words of the index that the schema has for it.
    static let isOfNewPatron = "events.kind = 'patron.added'"

    /// The condition that lines were posted to accounts, in the words of the index that the schema has for it.
    static let isPosting = "events.kind = 'ledger.posted'"

    private static let bySequence = Query("SELECT \(columns) FROM events WHERE sequence = ?")
    /// The condition that a caller named the request, in the words of the index that holds it to be carried out once.
    static let isNamed = "SUBSTR(request_id, 1, 1) <> '\(EventRecord.unnamedRequest)'"
    private static let ofRequest = Query(
        "SELECT \(columns) FROM events WHERE request_id = ? AND \(isNamed) ORDER BY ordinal")
    static let after = Query("SELECT \(columns) FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?")
    private static let last = Query("SELECT MAX(sequence) FROM events")
    private static let lastBefore = Query("SELECT MAX(sequence) FROM events WHERE at < ?")
    private static let postingsOfTime = Query(
        """
        SELECT \(columns) FROM events WHERE \(isPosting) AND at >= ? AND at < ? AND (at, sequence) > (?, ?)
        ORDER BY at, sequence LIMIT ?
        """)
    private static let lastOfKind = Query(
        "SELECT \(columns) FROM events WHERE patron = ? AND kind = ? ORDER BY sequence DESC LIMIT 1")
    private static let renewalsOfLoan = Query(
        "SELECT at FROM events WHERE loan = ? AND \(isRenewal) ORDER BY sequence")
    private static let renewalsCounted = Query("SELECT COUNT(*) FROM events WHERE loan = ? AND \(isRenewal)")
    private static let counted = Query("SELECT COUNT(*) FROM events")
    private static let insertion = Query(
        """
        INSERT INTO events (sequence, at, actor, channel, kind, version, payload, request_id, ordinal, patron, copy,
            loan, hash, seal)
        VALUES ({id events}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let insertionIfNew = Query(insertion.text + " ON CONFLICT DO NOTHING")

    package func get(_ sequence: Int64) throws(StoreError) -> EventRecord? {
        try transaction.first(Self.bySequence, [.integer(sequence)]) { row throws(StoreError) in
            try Self.event(&row)
        }
    }

    /// The latest event of a kind about a patron.
    package func last(kind: String, patron: Int64) throws(StoreError) -> EventRecord? {
        try transaction.first(Self.lastOfKind, [.integer(patron), .text(kind)]) { row throws(StoreError) in
            try Self.event(&row)
        }
    }

    /// When a loan was renewed, as far as events tell, the first renewal first.
    package func renewals(of loan: Int64) throws(StoreError) -> [Instant] {
        try transaction.all(Self.renewalsOfLoan, [.integer(loan)]) { row throws(StoreError) in row.instant() }
    }

    /// How many renewals of a loan events tell of.
    func renewalCount(of loan: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.renewalsCounted, [.integer(loan)])
    }

    /// What a request that a caller named has written, by ordinal; empty if it was never seen.
    package func of(request: String) throws(StoreError) -> [EventRecord] {
        try transaction.all(Self.ofRequest, [.text(request)]) { row throws(StoreError) in try Self.event(&row) }
    }

    /// Writes an event, under its own sequence, behind all others, or, if that is 0, under the next one, and links it to the
    /// one before.
    ///
    /// - Returns: the sequence.
    /// - Throws: ``StoreError/Code/constraint`` if a request that a caller named has written that ordinal already.
    @discardableResult
    package func insert(_ event: EventRecord) throws(StoreError) -> Int64 {
        guard let sequence = try insert(event, by: Self.insertion) else { throw .fault("an event was not inserted") }
        return sequence
    }

    /// Writes an event under the next sequence, unless the request, which a caller named, has written that ordinal already.
    ///
    /// - Returns: the sequence, or nil if it was there.
    package func insertIfNew(_ event: EventRecord) throws(StoreError) -> Int64? {
        var event = event
        event.sequence = 0
        return try insert(event, by: Self.insertionIfNew)
    }

    private func insert(_ event: EventRecord, by query: Query) throws(StoreError) -> Int64? {
        let end = try end()
        var event = event
        let isNew = event.sequence == 0
        if isNew { event.sequence = end.sequence + 1 }
        guard event.sequence > end.sequence else {
            throw .fault("an event cannot be put before the event \(end.sequence)")
        }
        let salt = EventChain.salt()
        let content = EventChain.content(event.payload, salt: salt)
        let hash = EventChain.hash(of: event, content: content, after: end.hash)
        let sequence = event.sequence
        let values = Self.values(event) + [.text(hash), .text(salt)]
        if isNew, event.requestID.first == EventRecord.unnamedRequest {
            // Nothing can stand in its way.
            try transaction.post(query, values)
        } else {
            guard try transaction.insert(query, values) != nil else { return nil }
        }
        transaction.chainEnd = EventChain.Link(sequence: sequence, hash: hash)
        transaction.lastEvent = EventMark(sequence: sequence, requestID: event.requestID)
        if event.kind == Self.renewalKind || event.kind == Self.importedRenewalKind, let loan = event.loan {
            try transaction.counters.addRenewal(of: loan, at: event.at)
        }
        return sequence
    }

    /// The sequence of the latest event, 0 if there is none.
    package func lastSequence() throws(StoreError) -> Int64 { try transaction.number(Self.last) }

    /// The sequence of the latest event that happened before a moment, 0 if there is none. Events are not written down in
    /// the order of their moments: history is imported.
    package func lastSequence(before moment: Instant) throws(StoreError) -> Int64 {
        try transaction.first(Self.lastBefore, [.instant(moment)]) { row throws(StoreError) in
            row.optionalInteger() ?? 0
        } ?? 0
    }

    /// The events by which lines were posted to accounts from one moment until another, by moments and for the same moment by sequence,
    /// until `body` returns false. `body` may write.
    package func forEachPosting(from: Instant, until: Instant, _ body: (EventRecord) throws -> Bool) throws {
        let range: [StoredValue] = [.instant(from), .instant(until)]
        try transaction.inPages(
            { (last) throws(StoreError) in
                let place: [StoredValue] = [.instant(last?.at ?? from), .integer(last?.sequence ?? 0)]
                return try transaction.all(
                    Self.postingsOfTime, range + place + [.integer(Transaction.pageSize)], Self.event)
            }, body)
    }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    /// How many events a query gives, wherever it begins and however many it wants.
    package func count(_ query: EventQuery) throws(StoreError) -> Int64 {
        let conditions = Self.conditions(query)
        return try transaction.number(
            Query(once: "SELECT COUNT(*) FROM events\(conditions.clause)"), conditions.values)
    }

    /// The next events of a query by sequence.
    package func page(
        _ query: EventQuery = EventQuery(), after sequence: Int64 = 0, limit: Int64
    ) throws(StoreError) -> [EventRecord] {
        var conditions = Self.conditions(query)
        let isWhole = conditions.isEmpty
        conditions.add("sequence > ?", .integer(max(sequence, query.since ?? 0)))
        let page =
            isWhole
            ? Self.after
            : Query(once: "SELECT \(Self.columns) FROM events\(conditions.clause) ORDER BY sequence LIMIT ?")
        let events = try transaction.all(page, conditions.values + [.integer(limit)], Self.event)
        // Who goes on from the last event must not have seen one that a crash takes back: another would have its number.
        if let last = events.last { try transaction.connection().settle(event: last.sequence) }
        return events
    }

    /// The events of a query by sequence, as many as it wants, until `body` returns false. `body` may write.
    package func forEach(_ query: EventQuery = EventQuery(), _ body: (EventRecord) throws -> Bool) throws {
        var rest = query.limit ?? .max
        guard rest > 0 else { return }
        try transaction.inPages(
            { (last) throws(StoreError) in
                try page(query, after: last?.sequence ?? 0, limit: Transaction.pageSize)
            },
            { event in
                rest -= 1
                return try body(event) && rest > 0
            })
    }

    private static func values(_ event: EventRecord) -> [StoredValue] {
        [
            .id(event.sequence), .instant(event.at), .text(event.actor), .optional(event.channel?.rawValue),
            .text(event.kind), .integer(event.version), .text(event.payload), .text(event.requestID),
            .integer(event.ordinal), .optional(event.patron), .optional(event.copy), .optional(event.loan),
        ]
    }

    static func event(_ row: inout RowReader) throws(StoreError) -> EventRecord {
        EventRecord(
            sequence: row.integer(), at: row.instant(), actor: row.text(), channel: try row.optionalChoice(),
            kind: row.text(), version: row.integer(), payload: row.text(), requestID: row.text(),
            ordinal: row.integer(), patron: row.optionalInteger(), copy: row.optionalInteger(),
            loan: row.optionalInteger())
    }

    /// What happened on loans of a copy is found by the loans.
    private static let aboutCopy = """
        sequence IN (
            SELECT sequence FROM events WHERE copy = ? AND loan IS NULL
            UNION ALL SELECT lending.sequence FROM loans JOIN events AS lending ON lending.loan = loans.id
            WHERE loans.copy = ? AND lending.copy = ?)
        """

    private static func conditions(_ query: EventQuery) -> Conditions {
        var conditions = Conditions()
        if let patrons = query.patrons, patrons.count != 1 {
            conditions.add("patron", in: patrons.map { .integer($0) })
        } else {
            conditions.add("patron = ?", query.patrons?.first.map { .integer($0) })
        }
        conditions.add(aboutCopy, query.copy.map { .integer($0) })
        conditions.add("loan = ?", query.loan.map { .integer($0) })
        conditions.add("at >= ?", query.from.map { .instant($0) })
        conditions.add("at < ?", query.until.map { .instant($0) })
        if let kinds = query.kinds { conditions.add("kind", in: kinds.sorted().map { .text($0) }) }
        return conditions
    }
}
