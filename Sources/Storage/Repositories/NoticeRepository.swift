package import Circulation

/// Messages to patrons: the outbox and what became of it. One of the same kind, subject key, due instant, stage and repetition is
/// recorded once.
package struct NoticeRepository: OnceRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Notice>()
    private static let queued = Query(
        "SELECT \(columns) FROM notices WHERE state = 'queued' AND id > ? ORDER BY id LIMIT ?")
    private static let partQueued = Query(
        "SELECT \(columns) FROM notices WHERE state = 'queued' ORDER BY id LIMIT ? OFFSET ?")
    private static let unsentOfLoan = Query(
        "SELECT \(columns) FROM notices WHERE loan = ? AND (state = 'queued' OR state = 'failed') ORDER BY id")
    private static let carriedOfLoan = Query(
        "SELECT \(columns) FROM notices WHERE loan = ? AND carried_by IS NOT NULL ORDER BY id")
    private static let carriedByNotice = Query("SELECT \(columns) FROM notices WHERE carried_by = ? ORDER BY id")
    private static let ofLoan = Query(
        "SELECT stage, repetition, created_at FROM notices WHERE loan = ? AND due_at = ? ORDER BY created_at, id")
    private static let ofLoans = Query(
        "SELECT loan, due_at, stage, repetition, created_at FROM notices WHERE {among loan} ORDER BY created_at, id")
    private static let delivery = table.change(
        \.state, \.subject, \.body, \.channel, \.sentAt, \.readAt, \.tries, \.carriedBy, \.digest, \.failure)
    private static let blanking = Query(
        """
        UPDATE notices SET subject = '', body = '', digest_subject = NULL, digest_body = NULL
        WHERE subject_key >= ? AND subject_key < ? AND substr(subject_key, 1, CAST(? AS INTEGER)) = ?
        """)

    /// Takes the texts out of messages whose subject's key begins so.
    package func blank(subjectPrefix: String) throws(StoreError) {
        // The span is what an index finds; all that begins so lies in it.
        try transaction.execute(
            Self.blanking,
            [
                .text(subjectPrefix), .text(subjectPrefix + "\u{10FFFF}"),
                .integer(Int64(subjectPrefix.unicodeScalars.count)), .text(subjectPrefix),
            ])
    }

    /// The notice of the same kind, subject key, due instant, stage and repetition.
    package func find(like notice: Notice) throws(StoreError) -> Notice? {
        let values: [StoredValue] = [
            .text(notice.subjectKey), .text(notice.kind), .integer(notice.dueAt?.microseconds ?? Self.neverDue),
            .text(notice.stage), .integer(notice.repetition),
        ]
        return try first(Self.alike, values)
    }

    /// Stands for no due instant in the index that distinguishes notices.
    private static let neverDue: Int64 = -9_223_372_036_854_775_807
    private static let alike = Query(
        """
        SELECT \(columns) FROM notices WHERE subject_key = ? AND kind = ?
            AND COALESCE(due_at, \(neverDue)) = ? AND stage = ? AND repetition = ?
        """)

    /// Writes what delivery and reading change: state, text, channel, sent at, read at, tries, what carries it, of what
    /// it is written anew, and why the last try was in vain.
    ///
    /// - Returns: false if no notice has that id.
    @discardableResult
    package func update(_ notice: Notice) throws(StoreError) -> Bool {
        try Self.delivery.write(notice, in: transaction)
    }

    /// The stages recorded for this loan and due time, in the order in which they were: what a policy sees.
    package func facts(loan: Int64, dueAt: Instant) throws(StoreError) -> [NoticeFacts] {
        try transaction.all(Self.ofLoan, [.integer(loan), .instant(dueAt)]) { row in
            NoticeFacts(stage: row.text(), repetition: row.integer(), at: row.instant())
        }
    }

    /// The stages recorded for each of these loans and any of its due times, in the order in which they were.
    package func facts(loans: [Int64]) throws(StoreError) -> [Int64: [(dueAt: Instant?, facts: NoticeFacts)]] {
        var found: [Int64: [(dueAt: Instant?, facts: NoticeFacts)]] = [:]
        try transaction.each(Self.ofLoans, [.numbers(loans)]) { row in
            let (loan, dueAt) = (row.integer(), row.optionalInstant())
            let facts = NoticeFacts(stage: row.text(), repetition: row.integer(), at: row.instant())
            found[loan, default: []].append((dueAt, facts))
            return true
        }
        return found
    }

    /// What ``facts(loans:)`` asks.
    func asking(loans: [Int64]) -> BoundQuery { BoundQuery(Self.ofLoans, [.numbers(loans)]) }

    /// The next notices that wait to be sent, by id.
    package func queued(after id: Int64 = .min, limit: Int64) throws(StoreError) -> [Notice] {
        try all(Self.queued, [.integer(id), .integer(limit)])
    }

    /// A part of the notices that wait to be sent, by id.
    package func queued(_ part: ListPart) throws(StoreError) -> [Notice] { try all(Self.partQueued, part.values) }

    /// What waits to be sent about a loan, or was given up and can be taken up again, by id.
    package func unsent(about loan: Int64) throws(StoreError) -> [Notice] {
        try all(Self.unsentOfLoan, [.integer(loan)])
    }

    /// The notices about a loan that other messages carry, sent or not, by id.
    package func carried(about loan: Int64) throws(StoreError) -> [Notice] {
        try all(Self.carriedOfLoan, [.integer(loan)])
    }

    /// The notices that a message carries, by id.
    package func carried(by notice: Int64) throws(StoreError) -> [Notice] {
        try all(Self.carriedByNotice, [.integer(notice)])
    }
}

extension NoticeRepository {
    /// The next notices by id of a query.
    package func page(_ query: NoticeQuery, after id: Int64 = .min, limit: Int64) throws(StoreError) -> [Notice] {
        try page(Self.conditions(query), after: id, limit: limit)
    }

    /// The latest notices by id of a query, the oldest of them first.
    package func latest(_ query: NoticeQuery, _ part: ListPart) throws(StoreError) -> [Notice] {
        try list(Self.conditions(query), by: "id DESC", part).reversed()
    }

    /// How many of a patron's notices were not read, counted no further than a number.
    package func unreadCount(patron: Int64, upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.unreadCounted, [.integer(patron), .integer(most)])
    }

    // The condition is that of an index.
    private static let unreadCounted = Query(
        """
        SELECT COUNT(*) FROM (SELECT 1 FROM notices
            WHERE patron = ? AND (state = 'failed' OR state = 'queued' OR state = 'sent') LIMIT ?) AS unread
        """)

    /// How many notices a query gives.
    package func count(_ query: NoticeQuery = NoticeQuery()) throws(StoreError) -> Int64 {
        try count(Self.conditions(query))
    }

    /// The notices of a query, by id, until `body` returns false. `body` may write.
    package func forEach(_ query: NoticeQuery = NoticeQuery(), _ body: (Notice) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try page(query, after: last?.id ?? .min, limit: Transaction.pageSize)
            }, body)
    }

    private static func conditions(_ query: NoticeQuery) -> Conditions {
        var conditions = Conditions()
        conditions.add("patron = ?", query.patron.map { .integer($0) })
        conditions.add("loan = ?", query.loan.map { .integer($0) })
        conditions.add("channel = ?", query.channel.map { .text($0) })
        conditions.add("kind = ?", query.kind.map { .text($0) })
        if let states = query.states {
            // The words are our own, so they need no parameter. In this shape they are the condition of an index.
            let words = states.map { "state = '\($0.rawValue)'" }.sorted().joined(separator: " OR ")
            conditions.add(states.isEmpty ? "1 = 0" : "(\(words))")
        }
        return conditions
    }
}
