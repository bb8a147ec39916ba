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
            AND NOT EXISTS (SELECT 1 FROM title_lendings WHERE title_lendings.title = titles.id AND title_lendings.loans > 0)
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
        since: Instant? = nil, _ part: ListPart = ListPart(limit: 100)
    ) throws(StoreError) -> [Title] {
        let query = since == nil ? Self.neverLent : Self.neverLentSince
        let values = (since.map { [StoredValue.instant($0)] } ?? []) + part.values
        return try transaction.all(query, values, TitleRepository.table.read)
    }

    /// How often what stands on the shelves was lent between two days, by title, genre, branch or item type: the busiest
    /// first. What has neither copies nor loans is left out.
    ///
    /// Copies are counted as they are now, loans where they were made and as what was lent then.
    ///
    /// - Throws: ``StoreError/Code/fault`` for other groups.
    package func turnover(
        by group: LoanGroup, from: CivilDate? = nil, to: CivilDate? = nil, zone: Zone,
        _ part: ListPart = ListPart(limit: 100)
    ) throws(StoreError) -> [Turnover] {
        let query = StatisticsQuery(group: group, from: from, to: to, zone: zone)
        let lent = try lentText(query)
        let text = try Self.turnoverText(group, lent: lent.text)
        return try transaction.all(Query(once: text), lent.values + part.values) { row in
            Turnover(key: row.text(), label: row.optionalText(), loans: row.integer(), copies: row.integer())
        }
    }

    /// Of the columns `word` and `total`.
    private func lentText(_ query: StatisticsQuery) throws(StoreError) -> (text: String, values: [StoredValue]) {
        switch query.group {
        case .branch, .itemType:
            return DayCounts(query).lent
        default:
            let counts = try TitleCounts(query)
            guard query.group == .genre else {
                return ("SELECT title AS word, total FROM (\(counts.text)) AS counted WHERE title <> 0", counts.values)
            }
            let text = """
                SELECT title_genres.genre AS word, CAST(SUM(counted.total) AS {integer}) AS total
                FROM (\(counts.text)) AS counted JOIN title_genres ON title_genres.title = counted.title
                GROUP BY title_genres.genre
                """
            return (text, counts.values)
        }
    }

    private static func turnoverText(_ group: LoanGroup, lent: String) throws(StoreError) -> String {
        let held: String
        let onShelf = "copies.status NOT IN ('lost', 'withdrawn')"
        switch group {
        case .title:
            held = "SELECT copies.title AS word, COUNT(*) AS total FROM copies WHERE \(onShelf) GROUP BY copies.title"
        case .genre:
            held = """
                SELECT title_genres.genre AS word, COUNT(*) AS total
                FROM copies JOIN title_genres ON title_genres.title = copies.title
                WHERE \(onShelf) GROUP BY title_genres.genre
                """
        case .branch, .itemType:
            let column = "copies.\(group.rawValue)"
            held = "SELECT \(column) AS word, COUNT(*) AS total FROM copies WHERE \(onShelf) GROUP BY \(column)"
        case .day, .week, .month, .year, .category:
            throw .fault("turnover is by title, genre, branch or item type")
        }
        let order = """
            ORDER BY CASE WHEN joined.copies = 0 THEN 1 ELSE 0 END,
                CAST(joined.loans AS DOUBLE PRECISION) / CASE WHEN joined.copies = 0 THEN 1 ELSE joined.copies END DESC,
                joined.word
            """
        // A full outer join, in the words that both databases have. Only what is in the part has its title looked up.
        let page = """
            SELECT joined.word AS word, joined.loans AS loans, joined.copies AS copies
            FROM (SELECT word, CAST(SUM(lent) AS {integer}) AS loans, CAST(SUM(held) AS {integer}) AS copies
                FROM (SELECT word, total AS lent, 0 AS held FROM (\(lent)) AS lending
                    UNION ALL SELECT word, 0 AS lent, total AS held FROM (\(held)) AS holding) AS parts
                WHERE word IS NOT NULL GROUP BY word) AS joined
            \(order) LIMIT ? OFFSET ?
            """
        let (label, labels) =
            group == .title ? ("titles.title", "LEFT JOIN titles ON titles.id = joined.word") : ("NULL", "")
        return """
            SELECT CAST(joined.word AS TEXT), \(label), joined.loans, joined.copies FROM (\(page)) AS joined \(labels) \(order)
            """
    }
}
