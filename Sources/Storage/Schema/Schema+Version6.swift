// The market: listings, orders with what was bought, rentals, carts, suggestions. Money is minor units of the library's
// one currency; a price has its currency beside it.
extension Schema {
    static let market = """
        CREATE TABLE listings (
            id {rowKey},
            seller {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            kind TEXT NOT NULL CHECK (\(oneOf("kind", ["sell", "rent", "trade", "donate"]))),
            price {integer} CHECK (price >= 0),
            currency TEXT,
            price_per TEXT,
            quantity {integer} NOT NULL CHECK (quantity >= 0),
            condition TEXT NOT NULL,
            edition TEXT NOT NULL,
            picture TEXT,
            note TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", ["draft", "review", "active", "hidden", "withdrawn", "sold"]))),
            created_at {integer} NOT NULL,
            updated_at {integer} NOT NULL,
            decision TEXT,
            proposal TEXT,
            policy TEXT,
            import_key TEXT,
            CHECK ((price IS NULL) = (currency IS NULL))
        ) {options};
        CREATE INDEX listings_by_title ON listings (title, state) WHERE title IS NOT NULL;
        CREATE INDEX listings_by_state ON listings (state, id);
        CREATE INDEX listings_by_seller ON listings (seller, id) WHERE seller IS NOT NULL;
        CREATE UNIQUE INDEX listings_by_import_key ON listings (import_key) WHERE import_key IS NOT NULL;
        CREATE TABLE orders (
            id {rowKey},
            buyer {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            category TEXT,
            state TEXT NOT NULL CHECK (\(oneOf("state", ["open", "done", "cancelled"]))),
            lines TEXT NOT NULL,
            total {integer} NOT NULL CHECK (total >= 0),
            currency TEXT NOT NULL,
            placed_at {integer} NOT NULL,
            closed_at {integer},
            channel TEXT,
            policy TEXT,
            import_key TEXT,
            CHECK ((closed_at IS NULL) = (state = 'open'))
        ) {options};
        CREATE INDEX orders_by_buyer ON orders (buyer, id) WHERE buyer IS NOT NULL;
        CREATE INDEX orders_open ON orders (buyer) WHERE state = 'open';
        CREATE UNIQUE INDEX orders_by_import_key ON orders (import_key) WHERE import_key IS NOT NULL;
        CREATE TABLE order_items (
            order_id {integer} NOT NULL REFERENCES orders (id),
            position {integer} NOT NULL,
            listing {integer} REFERENCES listings (id),
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            seller {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            kind TEXT NOT NULL CHECK (kind IN ('buy', 'rent')),
            label TEXT NOT NULL,
            quantity {integer} NOT NULL CHECK (quantity > 0),
            price {integer} NOT NULL,
            currency TEXT NOT NULL,
            periods {integer} NOT NULL,
            ends {integer},
            placed_at {integer} NOT NULL,
            PRIMARY KEY (order_id, position)
        ) {options};
        CREATE INDEX order_items_by_title ON order_items (title, placed_at) WHERE title IS NOT NULL;
        CREATE INDEX order_items_by_seller ON order_items (seller, order_id) WHERE seller IS NOT NULL;
        CREATE INDEX order_items_by_listing ON order_items (listing) WHERE listing IS NOT NULL;
        CREATE TABLE rentals (
            id {rowKey},
            listing {integer} NOT NULL REFERENCES listings (id),
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            lender {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            borrower {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            order_id {integer} REFERENCES orders (id),
            quantity {integer} NOT NULL CHECK (quantity > 0),
            price {integer} NOT NULL,
            currency TEXT NOT NULL,
            price_per TEXT NOT NULL,
            begun_at {integer} NOT NULL,
            ends {integer} NOT NULL,
            ended_at {integer},
            import_key TEXT
        ) {options};
        CREATE INDEX rentals_by_listing ON rentals (listing, ended_at);
        CREATE INDEX rentals_by_title ON rentals (title) WHERE title IS NOT NULL;
        CREATE INDEX rentals_by_order ON rentals (order_id) WHERE order_id IS NOT NULL;
        CREATE INDEX rentals_by_borrower ON rentals (borrower, id) WHERE borrower IS NOT NULL;
        CREATE INDEX rentals_by_lender ON rentals (lender, id) WHERE lender IS NOT NULL;
        CREATE INDEX rentals_open ON rentals (ends, id) WHERE ended_at IS NULL;
        CREATE UNIQUE INDEX rentals_by_import_key ON rentals (import_key) WHERE import_key IS NOT NULL;
        CREATE TABLE cart_lines (
            id {identity},
            patron {integer} NOT NULL REFERENCES patrons (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (\(oneOf("kind", ["loan", "buy", "rent"]))),
            title {integer} REFERENCES titles (id) ON DELETE CASCADE,
            listing {integer} REFERENCES listings (id),
            quantity {integer} NOT NULL CHECK (quantity > 0),
            price {integer},
            currency TEXT,
            ends {integer},
            added_at {integer} NOT NULL,
            CHECK ((title IS NULL) <> (listing IS NULL)),
            CHECK ((price IS NULL) = (currency IS NULL))
        ) {options};
        CREATE INDEX cart_lines_by_patron ON cart_lines (patron, id);
        CREATE INDEX cart_lines_by_title ON cart_lines (title) WHERE title IS NOT NULL;
        CREATE INDEX cart_lines_by_listing ON cart_lines (listing) WHERE listing IS NOT NULL;
        CREATE TABLE suggestions (
            id {rowKey},
            patron {integer} REFERENCES patrons (id) ON DELETE SET NULL,
            proposal TEXT NOT NULL,
            note TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", ["review", "approved", "rejected"]))),
            submitted_at {integer} NOT NULL,
            decided_at {integer},
            decision TEXT,
            title {integer} REFERENCES titles (id) ON DELETE SET NULL,
            policy TEXT,
            import_key TEXT,
            CHECK ((decided_at IS NULL) = (state = 'review'))
        ) {options};
        CREATE INDEX suggestions_by_state ON suggestions (state, id);
        CREATE INDEX suggestions_by_patron ON suggestions (patron, id) WHERE patron IS NOT NULL;
        CREATE INDEX suggestions_by_title ON suggestions (title) WHERE title IS NOT NULL;
        CREATE UNIQUE INDEX suggestions_by_import_key ON suggestions (import_key) WHERE import_key IS NOT NULL;
        """
}
