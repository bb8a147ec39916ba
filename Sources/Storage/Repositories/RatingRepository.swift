package import Circulation

/// What patrons think of titles. Whatever changes a rating changes the title's totals with it.
package struct RatingRepository: RemovableRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Rating>()
    private static let own = Query("SELECT \(columns) FROM ratings WHERE patron = ? AND title = ?")
    private static let ofPatron = Query(
        "SELECT \(columns) FROM ratings WHERE patron = ? ORDER BY id DESC LIMIT ? OFFSET ?")
    private static let counted = Query(
        "SELECT COUNT(*) FROM (SELECT id FROM ratings WHERE patron = ? LIMIT ?) AS first")
    private static let reviews = Query(
        """
        SELECT \(columns) FROM ratings WHERE title = ? AND review <> '' AND state <> 'hidden'
        ORDER BY id DESC LIMIT ? OFFSET ?
        """)
    private static let reported = Query(
        "SELECT \(columns) FROM ratings WHERE state = 'reported' ORDER BY id LIMIT ? OFFSET ?")
    private static let adding = Query(
        """
        INSERT INTO rating_totals (id, ratings, stars) VALUES (?, 1, ?)
        ON CONFLICT (id) DO UPDATE SET ratings = rating_totals.ratings + 1, stars = rating_totals.stars + excluded.stars
        """)
    private static let changing = Query("UPDATE rating_totals SET stars = stars + ? WHERE id = ?")
    private static let subtracting = Query(
        "UPDATE rating_totals SET ratings = ratings - 1, stars = stars - ? WHERE id = ?")
    private static let subtractingAll = Query(
        """
        UPDATE rating_totals SET ratings = ratings - 1,
            stars = stars - (SELECT r.stars FROM ratings AS r WHERE r.patron = ? AND r.title = rating_totals.id)
        WHERE id IN (SELECT title FROM ratings WHERE patron = ?)
        """)
    private static let removingAll = Query("DELETE FROM ratings WHERE patron = ?")
    private static let doubles = Query(
        """
        SELECT \(columns) FROM ratings WHERE patron = ? AND EXISTS (
            SELECT 1 FROM ratings AS kept WHERE kept.patron = ? AND kept.title = ratings.title)
        """)

    /// What a patron thinks of a title.
    package func find(patron: Int64, title: Int64) throws(StoreError) -> Rating? {
        try first(Self.own, [.integer(patron), .integer(title)])
    }

    /// A patron's ratings, the latest first.
    package func of(patron: Int64, _ part: ListPart) throws(StoreError) -> [Rating] {
        try all(Self.ofPatron, [.integer(patron)] + part.values)
    }

    /// How many ratings a patron has, counted no further than a number.
    package func count(patron: Int64, upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.counted, [.integer(patron), .integer(most)])
    }

    /// The ratings of a title whose words others see, the latest first.
    package func reviews(of title: Int64, _ part: ListPart) throws(StoreError) -> [Rating] {
        try all(Self.reviews, [.integer(title)] + part.values)
    }

    /// The ratings at whose words staff are to look, the oldest first.
    package func reported(_ part: ListPart) throws(StoreError) -> [Rating] { try all(Self.reported, part.values) }

    /// Adds a rating to those of its title.
    @discardableResult
    package func insert(_ rating: Rating) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(rating, in: transaction)
        try transaction.execute(Self.adding, [.integer(rating.title), .integer(rating.stars)])
        return id
    }

    /// Replaces all of a rating but for its title.
    package func update(_ rating: Rating) throws(StoreError) {
        guard let before = try get(rating.id) else { return }
        _ = try Self.table.update(rating, in: transaction)
        guard rating.stars != before.stars else { return }
        try transaction.execute(Self.changing, [.integer(rating.stars - before.stars), .integer(rating.title)])
    }

    /// Takes a rating out, and out of the sums of its title.
    ///
    /// - Returns: false if there is none of that id.
    @discardableResult
    package func remove(_ id: Int64) throws(StoreError) -> Bool {
        guard let rating = try get(id) else { return false }
        try transaction.execute(Self.table.removal, [.integer(id)])
        try transaction.execute(Self.subtracting, [.integer(rating.stars), .integer(rating.title)])
        return true
    }

    /// Removes all that a patron has rated.
    package func removeAll(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.subtractingAll, [.integer(patron), .integer(patron)])
        try transaction.execute(Self.removingAll, [.integer(patron)])
    }

    /// Removes what one patron rated that another has rated too.
    package func removeDoubles(of patron: Int64, besides kept: Int64) throws(StoreError) {
        for rating in try all(Self.doubles, [.integer(patron), .integer(kept)]) { try remove(rating.id) }
    }
}

/// How titles were rated in all.
package struct RatingTotalRepository: RecordRepository {
    package let transaction: Transaction

    package static let table = RecordTable<RatingTotal>()
}
