package import Circulation

extension StatisticsRepository {
    private static let trending = Query(
        """
        WITH ranking AS (SELECT title, COUNT(*) AS total FROM loans WHERE lent_at >= ? AND lent_at < ? AND title IS NOT NULL
            GROUP BY title)
        SELECT titles.id, ranking.total FROM ranking JOIN titles ON titles.id = ranking.title
        WHERE ranking.total >= (SELECT MIN(total) FROM (SELECT total FROM ranking ORDER BY total DESC LIMIT ?) AS first)
        ORDER BY ranking.total DESC, titles.title_key, titles.id LIMIT ?
        """)
    private static let neverLent = Query(
        """
        SELECT \(TitleRepository.columns) FROM titles
        WHERE EXISTS (SELECT 1 FROM copies WHERE copies.title = titles.id AND copies.status NOT IN ('lost', 'withdrawn'))
            AND NOT EXISTS (SELECT 1 FROM loans WHERE loans.title = titles.id)
        ORDER BY titles.title_key, titles.id LIMIT ? OFFSET ?
        """)
    private static let neverLentSince = Query(
        """
        SELECT \(TitleRepository.columns) FROM titles
        WHERE EXISTS (SELECT 1 FROM copies WHERE copies.title = titles.id AND copies.status NOT IN ('lost', 'withdrawn'))
            AND NOT EXISTS (SELECT 1 FROM loans WHERE loans.title = titles.id AND loans.lent_at >= ?)
        ORDER BY titles.title_key, titles.id LIMIT ? OFFSET ?
        """)

    /// The ids of the titles lent most often between two instants, with how often; those lent equally often by title.
    package func trending(
        from: Instant, to: Instant, limit: Int64 = 10
    ) throws(StoreError) -> [(title: Int64, loans: Int64)] {
        // Only titles lent as often as the last of the list are looked up, for their order.
        try transaction.all(
            Self.trending, [.instant(from), .instant(to), .integer(limit), .integer(limit)]
        ) { row in (row.integer(), row.integer()) }
    }

    /// Titles with copies on the shelves that were never lent, or not since an instant, by title.
    package func neverLent(
        since: Instant? = nil, limit: Int64 = 100, offset: Int64 = 0
    ) throws(StoreError) -> [Title] {
        let page: [StoredValue] = [.integer(limit), .integer(offset)]
        let query = since == nil ? Self.neverLent : Self.neverLentSince
        return try transaction.all(query, (since.map { [.instant($0)] } ?? []) + page, TitleRepository.table.read)
    }

    /// How often what stands on the shelves was lent between two days, by title, genre, branch of the copies or item
    /// type: the busiest first. What has neither copies nor loans is left out.
    ///
    /// Copies are counted as they are now. By branch and item type only loans whose copy is known count.
    ///
    /// - Throws: ``StoreError/Code/fault`` for other groups.
    package func turnover(
        by group: LoanGroup, from: CivilDate? = nil, to: CivilDate? = nil, zone: Zone, limit: Int64 = 100
    ) throws(StoreError) -> [Turnover] {
        let range = try InstantRange(from: from, to: to, zone: zone)
        let query = Query(once: try Self.turnoverText(group))
        return try transaction.all(query, [.integer(range.from), .integer(range.to), .integer(limit)]) { row in
            Turnover(key: row.text(), label: row.optionalText(), loans: row.integer(), copies: row.integer())
        }
    }

    private static func turnoverText(_ group: LoanGroup) throws(StoreError) -> String {
        let lent: String
        let held: String
        var label = "NULL"
        var labels = ""
        let onShelf = "copies.status NOT IN ('lost', 'withdrawn')"
        let inRange = "loans.lent_at >= ? AND loans.lent_at < ?"
        switch group {
        case .title:
            lent = "SELECT loans.title AS word, COUNT(*) AS total FROM loans WHERE \(inRange) GROUP BY loans.title"
            held = "SELECT copies.title AS word, COUNT(*) AS total FROM copies WHERE \(onShelf) GROUP BY copies.title"
            label = "titles.title"
            labels = "LEFT JOIN titles ON titles.id = joined.word"
        case .genre:
            let genre = "JOIN title_genres ON title_genres.title ="
            lent = """
                SELECT title_genres.genre AS word, COUNT(*) AS total FROM loans \(genre) loans.title
                WHERE \(inRange) GROUP BY title_genres.genre
                """
            held = """
                SELECT title_genres.genre AS word, COUNT(*) AS total FROM copies \(genre) copies.title
                WHERE \(onShelf) GROUP BY title_genres.genre
                """
        case .branch, .itemType:
            let column = "copies.\(group.rawValue)"
            lent = """
                SELECT \(column) AS word, COUNT(*) AS total FROM loans JOIN copies ON copies.id = loans.copy
                WHERE \(inRange) GROUP BY \(column)
                """
            held = "SELECT \(column) AS word, COUNT(*) AS total FROM copies WHERE \(onShelf) GROUP BY \(column)"
        case .day, .week, .month, .year, .category:
            throw .fault("turnover is by title, genre, branch or item type")
        }
        // A full outer join, in the words that both databases have.
        return """
            SELECT CAST(joined.word AS TEXT), \(label), joined.loans, joined.copies
            FROM (SELECT word, CAST(SUM(lent) AS {integer}) AS loans, CAST(SUM(held) AS {integer}) AS copies
                FROM (SELECT word, total AS lent, 0 AS held FROM (\(lent)) AS lending
                    UNION ALL SELECT word, 0 AS lent, total AS held FROM (\(held)) AS holding) AS parts
                WHERE word IS NOT NULL GROUP BY word) AS joined
            \(labels)
            ORDER BY CASE WHEN joined.copies = 0 THEN 1 ELSE 0 END,
                CAST(joined.loans AS DOUBLE PRECISION) / CASE WHEN joined.copies = 0 THEN 1 ELSE joined.copies END DESC,
                joined.word LIMIT ?
            """
    }
}
