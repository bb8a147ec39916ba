// Titles are put in the place that their loans give them after they were lent, by a chore and not while a patron waits.
extension SearchRepository {
    private static let standing = Query("SELECT standing FROM title_standing WHERE title = ?")
    private static let lendings = Query(
        "SELECT CAST(COALESCE(SUM(loans), 0) AS {integer}) FROM title_lendings WHERE title = ?")
    private static let lent = Query("SELECT id, title FROM loans WHERE id > ? ORDER BY id LIMIT ?")
    private static let titles = Query("SELECT id FROM titles WHERE id > ? ORDER BY id LIMIT ?")
    private static let moving = Query("UPDATE title_search SET {searchKey} = ? WHERE {searchKey} = ?")
    private static let setting = Query(
        """
        INSERT INTO title_standing (title, standing) VALUES (?, ?)
        ON CONFLICT (title) DO UPDATE SET standing = excluded.standing
        """)
    private static let reached = Query("SELECT loan FROM standing_reached")
    private static let forgetting = Query("DELETE FROM standing_reached")
    private static let reaching = Query("INSERT INTO standing_reached (loan) VALUES (?)")
    private static let last = Query("SELECT COALESCE(MAX(id), 0) FROM loans")

    /// How often a title was lent in all.
    func lendings(of title: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.lendings, [.integer(title)])
    }

    /// Where a title stands in the index.
    func place(of title: Int64) throws(StoreError) -> Int64 {
        Standing.place(title: title, standing: try transaction.number(Self.standing, [.integer(title)]))
    }

    /// The last loan after which titles were placed, and the last there is; equal if nothing has to be done.
    package func placed() throws(StoreError) -> (reached: Int64, last: Int64) {
        (try transaction.number(Self.reached), try transaction.number(Self.last))
    }

    /// Places the titles of the next loans.
    ///
    /// - Returns: whether there may be more.
    package func placeLent(limit: Int64) throws(StoreError) -> Bool {
        let after = try transaction.number(Self.reached)
        var titles: Set<Int64> = []
        var (last, count) = (after, Int64(0))
        try transaction.each(Self.lent, [.integer(after), .integer(limit)]) { row in
            last = row.integer()
            count += 1
            if let title = row.optionalInteger() { titles.insert(title) }
            return true
        }
        guard count > 0 else { return false }
        for title in titles.sorted() { try place(title) }
        try reach(loan: last)
        return count >= limit
    }

    /// Places the next titles by id, lent or not.
    ///
    /// - Returns: the last one's id; nil if there was none.
    package func placeAll(after id: Int64, limit: Int64) throws(StoreError) -> Int64? {
        let titles = try transaction.all(Self.titles, [.integer(id), .integer(limit)]) { row in row.integer() }
        for title in titles { try place(title) }
        return titles.last
    }

    /// Notes that titles stand where the loans up to this one put them.
    package func reach(loan: Int64) throws(StoreError) {
        try transaction.execute(Self.forgetting)
        try transaction.execute(Self.reaching, [.integer(loan)])
    }

    private func place(_ title: Int64) throws(StoreError) {
        let standing = title < Standing.width ? Standing.of(lendings: try lendings(of: title)) : 0
        let before = try transaction.number(Self.standing, [.integer(title)])
        if standing == before { return }
        try transaction.execute(
            Self.moving,
            [
                .integer(Standing.place(title: title, standing: standing)),
                .integer(Standing.place(title: title, standing: before)),
            ])
        try transaction.execute(Self.setting, [.integer(title), .integer(standing)])
    }
}
