package import Circulation

/// What was sold of a title at one moment.
package struct SoldPieces: Hashable, Sendable {
    package var at: Instant
    /// Of one piece.
    package var price: Money
    package var quantity: Int64
}

/// Orders with what was bought and rented.
package struct OrderRepository: ImportedRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Order>()
    static let itemTable = RecordTable<Order.Item>()
    private static let items = Query(
        "SELECT \(itemTable.columns) FROM order_items WHERE order_id = ? ORDER BY position")
    private static let sold = Query(
        """
        SELECT order_items.placed_at, order_items.price, order_items.currency, order_items.quantity
        FROM order_items JOIN orders ON orders.id = order_items.order_id
        WHERE order_items.title = ? AND order_items.kind = 'buy' AND order_items.placed_at >= ?
            AND orders.state <> 'cancelled'
        ORDER BY order_items.placed_at, order_items.order_id, order_items.position
        """)

    private static let openOfListing = Query(
        """
        SELECT 1 FROM order_items JOIN orders ON orders.id = order_items.order_id
        WHERE order_items.listing = ? AND orders.state = 'open' LIMIT 1
        """)

    /// Whether an order that is neither handed over nor cancelled has pieces of a listing.
    package func hasOpen(listing: Int64) throws(StoreError) -> Bool {
        try transaction.first(Self.openOfListing, [.integer(listing)]) { _ in true } ?? false
    }

    /// Orders, the latest first; what is nil does not count.
    ///
    /// - Parameter seller: of at least one of the items.
    package func list(
        buyer: Int64? = nil, seller: Int64? = nil, state: Order.State? = nil, _ part: ListPart
    ) throws(StoreError) -> [Order] {
        var conditions = Conditions()
        conditions.add("buyer = ?", buyer.map { .integer($0) })
        conditions.add("id IN (SELECT order_id FROM order_items WHERE seller = ?)", seller.map { .integer($0) })
        conditions.add("state = ?", state.map { .choice($0) })
        return try list(conditions, by: "id DESC", part)
    }

    /// What was bought of a title since an instant, cancelled orders not counted, the oldest first.
    package func sold(title: Int64, since: Instant) throws(StoreError) -> [SoldPieces] {
        try transaction.all(Self.sold, [.integer(title), .instant(since)]) { row throws(StoreError) in
            SoldPieces(at: row.instant(), price: try row.money(), quantity: row.integer())
        }
    }

    package func complete(_ orders: inout [Order]) throws(StoreError) {
        for index in orders.indices {
            orders[index].items = try transaction.all(Self.items, [.integer(orders[index].id)], Self.itemTable.read)
        }
    }
}

extension OrderRepository {
    private static let itemInsertion = itemTable.insertion(adding: ["order_id", "position", "placed_at"])
    private static let closing = Query("UPDATE orders SET state = ?, closed_at = ? WHERE id = ?")

    /// Adds an order with its items, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if the import key is taken, or a listing, title or patron does not
    ///   exist.
    @discardableResult
    package func insert(_ order: Order) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(order, in: transaction)
        for (position, item) in order.items.enumerated() {
            try transaction.execute(
                Self.itemInsertion,
                Self.itemTable.values(item) + [
                    .integer(id), .integer(Int64(position + 1)), .instant(order.placedAt),
                ])
        }
        return id
    }

    /// Sets an order's state; what was ordered never changes.
    ///
    /// - Returns: false if no order has that id.
    @discardableResult
    package func setState(_ state: Order.State, closedAt: Instant?, of id: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.closing, [.choice(state), .optional(closedAt), .integer(id)]) == 1
    }
}
