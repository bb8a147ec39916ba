package import Circulation
import TextFormats

// What stands on the shelves, put together by the database: of a million titles no more than the answer comes here.
extension StatisticsRepository {
    /// Copies that are neither lost nor withdrawn by title, of the columns `title`, `total` and `lent`.
    private static let held = """
        SELECT copies.title AS title, COUNT(*) AS total,
            CAST(SUM(CASE WHEN copies.status = 'on_loan' THEN 1 ELSE 0 END) AS {integer}) AS lent
        FROM copies WHERE copies.status NOT IN ('lost', 'withdrawn') GROUP BY copies.title
        """

    /// Titles on the shelves that were hardly lent, the least lent first, of those the oldest.
    package func rarelyLent(_ query: RarelyLentQuery, _ part: ListPart) throws(StoreError) -> [RarelyLent] {
        let (found, values) = Self.rare(query)
        let text = """
            SELECT id, recent, ever FROM (\(found)) AS found WHERE recent <= ?
            ORDER BY recent, ever, year IS NULL, year, id LIMIT ? OFFSET ?
            """
        let rows = try transaction.all(Query(once: text), values + [.integer(query.most)] + part.values) { row in
            (id: row.integer(), recent: row.integer(), ever: row.integer())
        }
        var titles: [RarelyLent] = []
        for row in rows {
            guard let title = try transaction.titles.get(row.id) else { continue }
            titles.append(RarelyLent(title: title, recent: row.recent, ever: row.ever))
        }
        return titles
    }

    /// How many titles ``rarelyLent(_:_:)`` lists in all.
    package func rarelyLentTotals(_ query: RarelyLentQuery) throws(StoreError) -> TitleTotals {
        let (found, values) = Self.rare(query)
        let text = """
            SELECT COUNT(*), CAST(SUM(copies) AS {integer}) FROM (\(found)) AS found WHERE recent <= ?
            """
        let totals = try transaction.first(Query(once: text), values + [.integer(query.most)]) { row in
            TitleTotals(titles: row.integer(), copies: row.integer())
        }
        return totals ?? TitleTotals(titles: 0, copies: 0)
    }

    private static func rare(_ query: RarelyLentQuery) -> (text: String, values: [StoredValue]) {
        let ever = """
            COALESCE((SELECT CAST(SUM(title_lendings.loans) AS {integer}) FROM title_lendings
                WHERE title_lendings.title = titles.id), 0)
            """
        var recent = ever
        var values: [StoredValue] = []
        if let since = query.since {
            recent = "(SELECT COUNT(*) FROM loans WHERE loans.title = titles.id AND loans.lent_at >= ?)"
            values.append(.instant(since))
        }
        var conditions = Conditions()
        conditions.add("titles.year < ?", query.publishedBefore.map { .integer($0) })
        if query.isIdle {
            conditions.add(
                """
                held.lent = 0 AND titles.recommended = 0
                    AND NOT EXISTS (SELECT 1 FROM holds WHERE holds.title = titles.id AND holds.closed_at IS NULL)
                """)
        }
        let text = """
            SELECT titles.id AS id, titles.year AS year, held.total AS copies, \(recent) AS recent, \(ever) AS ever
            FROM (\(held)) AS held JOIN titles ON titles.id = held.title\(conditions.clause)
            """
        return (text, values + conditions.values)
    }

    /// What stands on the shelves by the year in which it came out, the oldest first, what has no year last.
    ///
    /// - Parameter genre: only titles of it.
    package func collection(genre: String? = nil, _ part: ListPart = .all) throws(StoreError) -> [YearOfCollection] {
        let genres = "JOIN title_genres ON title_genres.title = titles.id AND title_genres.genre = ?"
        let text = """
            SELECT titles.year, COUNT(*), CAST(SUM(held.total) AS {integer}), CAST(SUM(held.lent) AS {integer})
            FROM (\(Self.held)) AS held JOIN titles ON titles.id = held.title \(genre == nil ? "" : genres)
            GROUP BY titles.year ORDER BY titles.year IS NULL, titles.year LIMIT ? OFFSET ?
            """
        let values = (genre.map { [StoredValue.text(IndexedText.of($0))] } ?? []) + part.values
        return try transaction.all(Query(once: text), values) { row in
            YearOfCollection(
                year: row.optionalInteger(), titles: row.integer(), copies: row.integer(), onLoan: row.integer())
        }
    }

    /// What the library holds by subject, genre or college with how often that was lent between two days, the highest
    /// turnover first. A title of several counts in each.
    ///
    /// - Parameter leastCopies: groups with fewer are left out; 1 at least.
    package func holdings(
        by group: HoldingGroup, from: CivilDate?, to: CivilDate?, zone: Zone, leastCopies: Int64 = 1, _ part: ListPart
    ) throws(StoreError) -> [Holding] {
        let counts = try TitleCounts(StatisticsQuery(group: .title, from: from, to: to, zone: zone))
        let column = group == .subject ? "subjects" : group == .genre ? "genres" : "college"
        let text = """
            SELECT titles.\(column), COALESCE(held.total, 0), COALESCE(lent.total, 0)
            FROM titles LEFT JOIN (\(Self.held)) AS held ON held.title = titles.id
            LEFT JOIN (\(counts.text)) AS lent ON lent.title = titles.id
            """
        var holdings = GroupedHoldings()
        try transaction.each(Query(once: text, isLong: true), counts.values) { row throws(StoreError) in
            let words = row.optionalText()
            try holdings.add(words, isList: group != .college, copies: row.integer(), loans: row.integer())
            return true
        }
        return part.of(holdings.ranked(leastCopies: leastCopies))
    }
}

/// Titles put together by words of theirs, which stand in their rows as lists.
private struct GroupedHoldings {
    private var holdings: [Holding] = []
    private var places: [String: Int] = [:]
    /// Many titles have the same list: it is read once.
    private var known: [String: [Int]] = [:]
    private static let mostKnown = 50_000

    mutating func add(_ words: String?, isList: Bool, copies: Int64, loans: Int64) throws(StoreError) {
        for place in try places(of: words ?? "", isList: isList) {
            holdings[place].titles += 1
            holdings[place].copies += copies
            holdings[place].loans += loans
        }
    }

    private mutating func places(of words: String, isList: Bool) throws(StoreError) -> [Int] {
        guard isList else { return [place(of: words)] }
        if let known = known[words] { return known }
        let list = try RowReader.parsed(words).arrayValue?.compactMap(\.stringValue) ?? []
        let places = list.isEmpty ? [place(of: "")] : list.map { place(of: $0) }
        if known.count >= Self.mostKnown { known.removeAll() }
        known[words] = places
        return places
    }

    private mutating func place(of word: String) -> Int {
        if let place = places[word] { return place }
        places[word] = holdings.count
        holdings.append(Holding(key: word))
        return holdings.count - 1
    }

    func ranked(leastCopies: Int64) -> [Holding] {
        holdings.filter { $0.copies >= max(1, leastCopies) }.sorted { one, other in
            let (first, second) = (one.turnover ?? 0, other.turnover ?? 0)
            return first != second ? first > second : one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
        }
    }
}
