package import Circulation

/// Programs outside that want to hear what happens.
package struct WebhookRepository {
    let transaction: Transaction

    private static let columns = "id, url, events, note, state, position, created_at, failing_since"
    private static let insertion = Query(
        "INSERT INTO webhooks (\(columns)) VALUES ({id webhooks}, ?, ?, ?, ?, ?, ?, ?)")
    private static let change = Query(
        """
        UPDATE webhooks SET url = ?, events = ?, note = ?, state = ?, position = ?, created_at = ?, failing_since = ?
        WHERE id = ?
        """)
    private static let all = Query("SELECT \(columns) FROM webhooks ORDER BY id")
    private static let byID = Query("SELECT \(columns) FROM webhooks WHERE id = ?")
    private static let removal = Query("DELETE FROM webhooks WHERE id = ?")

    /// - Returns: its id.
    package func insert(_ webhook: Webhook) throws(StoreError) -> Int64 {
        try transaction.insert(Self.insertion, [.id(0)] + Self.values(webhook)) ?? 0
    }

    /// Writes down how a subscription stands.
    package func update(_ webhook: Webhook) throws(StoreError) {
        try transaction.execute(Self.change, Self.values(webhook) + [.integer(webhook.id)])
    }

    /// The subscription of an id.
    package func get(_ id: Int64) throws(StoreError) -> Webhook? {
        try transaction.first(Self.byID, [.integer(id)], Self.webhook)
    }

    /// All, by id.
    package func list() throws(StoreError) -> [Webhook] { try transaction.all(Self.all, [], Self.webhook) }

    /// Takes a subscription out.
    package func remove(_ id: Int64) throws(StoreError) { try transaction.execute(Self.removal, [.integer(id)]) }

    private static func values(_ webhook: Webhook) -> [StoredValue] {
        [
            .text(webhook.url), .list(webhook.events), .text(webhook.note), .choice(webhook.state),
            .integer(webhook.position), .instant(webhook.createdAt), .optional(webhook.failingSince),
        ]
    }

    private static func webhook(_ row: inout RowReader) throws(StoreError) -> Webhook {
        Webhook(
            id: row.integer(), url: row.text(), events: try row.list(), note: row.text(), state: try row.choice(),
            position: row.integer(), createdAt: row.instant(), failingSince: row.optionalInstant())
    }
}
