package import Circulation

/// Requests that go out to servers, and what signs them.
package struct OutboxRepository {
    let transaction: Transaction

    private static let columns = """
        id, owner, message, method, url, place, type, headers, body, patron, state, tries, created_at, queued_at, \
        due_at, worker, ended_at, status, failure, words
        """
    private static let insertion = Query(
        """
        INSERT INTO outgoing_requests (\(columns))
        VALUES ({id outgoing_requests}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """)
    private static let change = Query(
        """
        UPDATE outgoing_requests SET owner = ?, message = ?, method = ?, url = ?, place = ?, type = ?, headers = ?,
            body = ?, patron = ?, state = ?, tries = ?, created_at = ?, queued_at = ?, due_at = ?, worker = ?,
            ended_at = ?, status = ?, failure = ?, words = ?
        WHERE id = ?
        """)
    private static let byID = Query("SELECT \(columns) FROM outgoing_requests WHERE id = ?")
    private static let byMessage = Query("SELECT \(columns) FROM outgoing_requests WHERE message = ?")
    private static let ways = Query(
        """
        SELECT owner, place, MIN(due_at) FROM outgoing_requests WHERE state = 'queued'
        GROUP BY owner, place ORDER BY owner, place
        """)
    private static let inHand = Query(
        """
        SELECT COUNT(*) FROM outgoing_requests
        WHERE state = 'queued' AND owner = ? AND place = ? AND worker IS NOT NULL AND due_at > ?
        """)
    private static let allInHand = Query(
        "SELECT \(columns) FROM outgoing_requests WHERE state = 'queued' AND worker IS NOT NULL ORDER BY id")
    private static let next = Query(
        """
        SELECT \(columns) FROM outgoing_requests WHERE state = 'queued' AND owner = ? AND place = ? AND due_at <= ?
        ORDER BY id LIMIT 1
        """)
    private static let delaying = Query(
        """
        UPDATE outgoing_requests SET due_at = ?
        WHERE state = 'queued' AND owner = ? AND place = ? AND due_at < ? AND worker IS NULL
        """)
    private static let inState = Query(
        "SELECT \(columns) FROM outgoing_requests WHERE state = ? ORDER BY id DESC LIMIT ?")
    private static let ofOwner = Query(
        "SELECT \(columns) FROM outgoing_requests WHERE owner = ? AND state = ? ORDER BY id DESC LIMIT ?")
    private static let counted = Query("SELECT COUNT(*) FROM outgoing_requests WHERE owner = ? AND state = ?")
    private static let telling = Query(
        "SELECT \(columns) FROM outgoing_requests WHERE words IS NOT NULL ORDER BY id")
    private static let clearing = Query("DELETE FROM outgoing_requests WHERE ended_at < ?")
    private static let removal = Query("DELETE FROM outgoing_requests WHERE owner = ?")

    private static let secret = Query("SELECT secret FROM signing_secrets WHERE owner = ?")
    private static let setting = Query(
        """
        INSERT INTO signing_secrets (owner, secret) VALUES (?, ?)
        ON CONFLICT (owner) DO UPDATE SET secret = excluded.secret
        """)
    private static let forgetting = Query("DELETE FROM signing_secrets WHERE owner = ?")

    /// A way that requests go: whose they are, and where to. What waits on one way is sent in its order.
    package struct Way: Hashable, Sendable {
        package var owner: String
        package var place: String
        /// When the first of them is due.
        package var dueAt: Instant
    }

    /// Adds a request.
    ///
    /// - Returns: nil if there is one with its message.
    package func insert(_ request: OutgoingRequest) throws(StoreError) -> Int64? {
        try transaction.insert(Self.insertion, [.id(0)] + Self.values(request))
    }

    /// Writes down what became of a request.
    package func update(_ request: OutgoingRequest) throws(StoreError) {
        try transaction.execute(Self.change, Self.values(request) + [.integer(request.id)])
    }

    /// The request of an id.
    package func get(_ id: Int64) throws(StoreError) -> OutgoingRequest? {
        try transaction.first(Self.byID, [.integer(id)], Self.request)
    }

    /// The request that is sent under a message id.
    package func get(message: String) throws(StoreError) -> OutgoingRequest? {
        try transaction.first(Self.byMessage, [.text(message)], Self.request)
    }

    /// The ways on which something waits.
    package func ways() throws(StoreError) -> [Way] {
        try transaction.all(Self.ways) { row in Way(owner: row.text(), place: row.text(), dueAt: row.instant()) }
    }

    /// The first request on a way that is due; nil where none is, or where a worker has one in hand.
    package func next(_ way: Way, at moment: Instant) throws(StoreError) -> OutgoingRequest? {
        let values: [StoredValue] = [.text(way.owner), .text(way.place), .instant(moment)]
        guard try transaction.number(Self.inHand, values) == 0 else { return nil }
        return try transaction.first(Self.next, values, Self.request)
    }

    /// What workers have in hand.
    package func inHand() throws(StoreError) -> [OutgoingRequest] {
        try transaction.all(Self.allInHand, [], Self.request)
    }

    /// Lets all that waits on a way wait until a moment at least.
    package func delay(_ owner: String, _ place: String, until moment: Instant) throws(StoreError) {
        try transaction.execute(
            Self.delaying, [.instant(moment), .text(owner), .text(place), .instant(moment)])
    }

    /// The latest in a state, the latest first.
    package func list(
        _ state: OutgoingRequest.State, of owner: String? = nil, limit: Int64
    ) throws(StoreError) -> [OutgoingRequest] {
        guard let owner else {
            return try transaction.all(Self.inState, [.choice(state), .integer(limit)], Self.request)
        }
        return try transaction.all(
            Self.ofOwner, [.text(owner), .choice(state), .integer(limit)], Self.request)
    }

    /// How many requests of an owner are in a state.
    package func count(_ state: OutgoingRequest.State, of owner: String) throws(StoreError) -> Int64 {
        try transaction.number(Self.counted, [.text(owner), .choice(state)])
    }

    /// Those of which a server said something.
    package func telling() throws(StoreError) -> [OutgoingRequest] {
        try transaction.all(Self.telling, [], Self.request)
    }

    /// Forgets what was sent or given up before a moment.
    package func clear(before moment: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(moment)])
    }

    /// Takes out all of an owner, with what signs it.
    package func remove(_ owner: String) throws(StoreError) {
        try transaction.execute(Self.removal, [.text(owner)])
        try transaction.execute(Self.forgetting, [.text(owner)])
    }

    // MARK: - Secrets

    /// What signs the requests of an owner; nil: nothing yet.
    package func secret(of owner: String) throws(StoreError) -> String? {
        try transaction.first(Self.secret, [.text(owner)]) { row in row.text() }
    }

    /// Keeps the secret with which the requests of an owner are signed, in place of another.
    package func setSecret(_ secret: String, of owner: String) throws(StoreError) {
        try transaction.execute(Self.setting, [.text(owner), .text(secret)])
    }

    // MARK: - Rows

    private static func values(_ request: OutgoingRequest) -> [StoredValue] {
        [
            .text(request.owner), .text(request.message), .text(request.method), .text(request.url),
            .text(request.place), .text(request.type), .list(request.headers), .text(request.body),
            .optional(request.patron), .choice(request.state), .integer(request.tries), .instant(request.createdAt),
            .instant(request.queuedAt), .instant(request.dueAt), .optional(request.worker),
            .optional(request.endedAt), .optional(request.status), .optional(request.failure),
            .optional(request.words),
        ]
    }

    private static func request(_ row: inout RowReader) throws(StoreError) -> OutgoingRequest {
        OutgoingRequest(
            id: row.integer(), owner: row.text(), message: row.text(), method: row.text(), url: row.text(),
            place: row.text(), type: row.text(), headers: try row.list(), body: row.text(),
            patron: row.optionalInteger(), state: try row.choice(), tries: row.integer(), createdAt: row.instant(),
            queuedAt: row.instant(), dueAt: row.instant(), worker: row.optionalText(), endedAt: row.optionalInstant(),
            status: row.optionalInteger(), failure: row.optionalText(), words: row.optionalText())
    }
}
