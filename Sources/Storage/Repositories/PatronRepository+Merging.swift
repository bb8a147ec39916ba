package import Circulation

extension PatronBelonging {
    /// Where it says whose it is.
    var column: Schema.Column {
        switch self {
        case .loans: Schema.Column(table: "loans", column: "patron")
        case .holds: Schema.Column(table: "holds", column: "patron")
        case .entries: Schema.Column(table: "ledger", column: "patron")
        case .notices: Schema.Column(table: "notices", column: "patron")
        case .blocks: Schema.Column(table: "blocks", column: "patron")
        case .listings: Schema.Column(table: "listings", column: "seller")
        case .orders: Schema.Column(table: "orders", column: "buyer")
        case .sales: Schema.Column(table: "order_items", column: "seller")
        case .lentOut: Schema.Column(table: "rentals", column: "lender")
        case .borrowed: Schema.Column(table: "rentals", column: "borrower")
        case .cartLines: Schema.Column(table: "cart_lines", column: "patron")
        case .favourites: Schema.Column(table: "favourites", column: "patron")
        case .suggestions: Schema.Column(table: "suggestions", column: "patron")
        case .askedAbout: Schema.Column(table: "conversations", column: "asker")
        case .answered: Schema.Column(table: "conversations", column: "owner")
        case .messages: Schema.Column(table: "messages", column: "sender")
        case .blockedWriters: Schema.Column(table: "blocked_writers", column: "patron")
        case .blockedBy: Schema.Column(table: "blocked_writers", column: "writer")
        case .ratings: Schema.Column(table: "ratings", column: "patron")
        case .lists: Schema.Column(table: "title_lists", column: "patron")
        case .links: Schema.Column(table: "patron_links", column: "patron")
        case .linkedFrom: Schema.Column(table: "patron_links", column: "other")
        }
    }

    /// What goes with a record: the words by which it is found, and the credentials.
    static let notMoved = [
        Schema.Column(table: "patron_words", column: "patron"), Schema.Column(table: "credentials", column: "patron"),
        Schema.Column(table: "access_tokens", column: "patron"),
        Schema.Column(table: "given_answers", column: "patron"), Schema.Column(table: "known_places", column: "patron"),
        Schema.Column(table: "email_changes", column: "patron"),
        Schema.Column(table: "plugin_values", column: "patron"),
    ]

    /// What is on its way out, which goes over to the record that stays.
    static let onTheWay = Schema.Column(table: "outgoing_requests", column: "patron")
}

extension PatronRepository {
    private static let moves = (PatronBelonging.allCases.map(\.column) + [PatronBelonging.onTheWay])
        .map { Query("UPDATE \($0.table) SET \($0.column) = ? WHERE \($0.column) = ?") }
    private static let counts = Query(
        "SELECT "
            + PatronBelonging.allCases.map(\.column)
            .map { "(SELECT COUNT(*) FROM \($0.table) WHERE \($0.column) = ?)" }.joined(separator: ", "))

    /// Counts what belongs to a patron.
    package func belongings(of patron: Int64) throws(StoreError) -> [PatronBelonging: Int64] {
        let values = Array(repeating: StoredValue.integer(patron), count: PatronBelonging.allCases.count)
        return try transaction.first(Self.counts, values) { row in
            var counts: [PatronBelonging: Int64] = [:]
            for belonging in PatronBelonging.allCases { counts[belonging] = row.integer() }
            return counts
        } ?? [:]
    }

    /// Gives another patron what belongs to one: each ``PatronBelonging``, and nothing else.
    /// What they are called by, the keys of notices and lines, stays as it is.
    package func moveBelongings(of patron: Int64, to other: Int64) throws(StoreError) {
        for query in Self.moves {
            try transaction.execute(query, [.integer(other), .integer(patron)])
        }
    }
}

extension LedgerRepository {
    private static let keyChange = Query("UPDATE ledger SET entry_key = ? WHERE id = ?")

    /// Gives a line another key, unless another line has it.
    ///
    /// - Returns: whether it has that key now.
    @discardableResult
    package func setKey(_ key: String, of id: Int64) throws(StoreError) -> Bool {
        if let taken = try find(key: key) { return taken.id == id }
        return try transaction.execute(Self.keyChange, [.text(key), .integer(id)]) == 1
    }
}

extension NoticeRepository {
    private static let sameNotice = Query(
        """
        SELECT id FROM notices
        WHERE subject_key = ? AND kind = ? AND stage = ? AND repetition = ?
            AND COALESCE(due_at, -9223372036854775807) = COALESCE(CAST(? AS {integer}), -9223372036854775807)
        """)
    private static let keyChange = Query("UPDATE notices SET subject_key = ? WHERE id = ?")

    /// Gives a notice another subject key, unless another notice of that key is about the same.
    ///
    /// - Returns: whether it has that key now.
    @discardableResult
    package func setSubjectKey(_ key: String, of id: Int64) throws(StoreError) -> Bool {
        guard let notice = try get(id) else { return false }
        let taken = try transaction.first(
            Self.sameNotice,
            [
                .text(key), .text(notice.kind), .text(notice.stage), .integer(notice.repetition),
                .optional(notice.dueAt),
            ]
        ) { row in row.integer() }
        if let taken { return taken == id }
        return try transaction.execute(Self.keyChange, [.text(key), .integer(id)]) == 1
    }
}
