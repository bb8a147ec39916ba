package import Circulation
import Synchronization

/// The catalogue search over tokens that are folded in Swift, so that every database finds the same.
package struct SearchRepository {
    let transaction: Transaction
    var bounds = SearchBounds.standard

    /// The titles that match, a page of them.
    package func titles(_ query: CatalogueQuery) throws(StoreError) -> [Title] {
        if let ranked = ranked(query) { return try titles(ranked.titles()) }
        if query.order == .lent { return try titles(places(query).map(Standing.title)) }
        guard let plan = try plan(query) else { return [] }
        // The page is cut from narrow rows; only what stands on it is read whole.
        let text = """
            SELECT \(TitleRepository.columns)
            FROM (\(plan.ids) LIMIT ? OFFSET ?) AS page
            JOIN titles ON titles.id = page.found \(plan.order)
            """
        return try transaction.all(planned(text), plan.values + Self.page(query), TitleRepository.table.read)
    }

    private static func page(_ query: CatalogueQuery) -> [StoredValue] {
        [.integer(Int64(max(query.limit, 0))), .integer(Int64(max(query.offset, 0)))]
    }

    /// Titles in the order of their ids as they are given.
    private func titles(_ ids: [Int64]) throws(StoreError) -> [Title] {
        var titles: [Int64: Title] = [:]
        for part in Self.parts(of: ids) {
            let text = "SELECT \(TitleRepository.columns) FROM titles WHERE \(part.condition("titles.id"))"
            try transaction.each(Self.kept(text), part.values) { row throws(StoreError) in
                let title = try TitleRepository.table.read(&row)
                titles[title.id] = title
                return true
            }
        }
        return ids.compactMap { titles[$0] }
    }

    /// The queries for pages, which come in a few shapes: what is searched for is a value, and compiling one of them
    /// takes longer than finding a title.
    private static let pages = Mutex<[String: Query]>([:])

    static func kept(_ text: String) -> Query {
        pages.withLock { pages in
            if let known = pages[text] { return known }
            let query = Query(text)
            pages[text] = query
            return query
        }
    }

    /// What is searched for, and how much of it, is a value. PostgreSQL is to know it when it plans: of a rare word it reads the
    /// index, and of a common one the first rows.
    func planned(_ text: String) throws(StoreError) -> Query {
        try transaction.connection().dialect.searchIsOrdered ? Self.kept(text) : Query(once: text)
    }

    /// How many titles match in all, or `most` if they are more.
    package func count(_ query: CatalogueQuery, most: Int64? = nil) throws(StoreError) -> Int64 {
        var query = query
        query.order = .none
        let terms = SearchTerm.terms(of: query)
        if let most, !terms.isEmpty { return try RankedSearch(transaction, query, terms, bounds).count(most: most) }
        if let most, query.words.allSatisfy(\.isWhitespace), let copies = WantedCopies(query) {
            return try count(copies, most: most)
        }
        guard let plan = try plan(query) else { return 0 }
        guard let most else {
            return try transaction.number(
                planned("SELECT COUNT(*) FROM \(plan.source)\(plan.condition)"), plan.values)
        }
        return try transaction.number(
            planned("SELECT COUNT(*) FROM (\(plan.ids) LIMIT ?) AS first"), plan.values + [.integer(most)])
    }

    /// How many titles have such a copy, or `most` if they are more.
    private func count(_ copies: WantedCopies, most: Int64) throws(StoreError) -> Int64 {
        let limit = try areRare(copies) ? "" : " LIMIT ?"
        let count = try transaction.number(
            planned("SELECT COUNT(*) FROM (\(copies.distinctTitles)\(limit)) AS first"),
            copies.values + (limit.isEmpty ? [] : [.integer(most)]))
        return min(count, most)
    }

    /// Whether there are so few such copies that all of them may be looked at.
    func areRare(_ copies: WantedCopies) throws(StoreError) -> Bool {
        try transaction.number(
            planned("SELECT COUNT(*) FROM (\(copies.titles) LIMIT ?) AS first"),
            copies.values + [.integer(bounds.rare + 1)])
            <= bounds.rare
    }

    /// The titles that match, in the query's order from its offset on, until `body` returns false; the query's limit
    /// says how many at most. `body` may write.
    package func forEach(_ query: CatalogueQuery, _ body: (Title) throws -> Bool) throws {
        var ids: [Int64] = []
        if let ranked = ranked(query) {
            ids = try ranked.titles()
        } else if query.order == .lent {
            ids = try places(query).map(Standing.title)
        } else if let plan = try plan(query) {
            ids = try transaction.all(
                Query(once: "\(plan.ids) LIMIT ? OFFSET ?"), plan.values + Self.page(query)
            ) { row in row.integer() }
        }
        for id in ids {
            guard let title = try transaction.titles.get(id) else { continue }
            guard try body(title) else { return }
        }
    }

    /// nil if a query asks for another order, or for no words.
    private func ranked(_ query: CatalogueQuery) -> RankedSearch? {
        guard query.order == .relevance else { return nil }
        let terms = SearchTerm.terms(of: query)
        return terms.isEmpty ? nil : RankedSearch(transaction, query, terms, bounds)
    }

    private struct Plan {
        var source: String
        var condition: String
        var order: String
        var values: [StoredValue]

        /// The ids of what is found, in order.
        var ids: String { "SELECT titles.id AS found FROM \(source)\(condition) \(order)" }
    }

    /// nil if the query asks for nothing that a word could match.
    private func plan(_ query: CatalogueQuery) throws(StoreError) -> Plan? {
        let terms = SearchTerm.terms(of: query)
        let copies = WantedCopies(query)
        guard !terms.isEmpty || query.words.allSatisfy(\.isWhitespace) else { return nil }
        var plan = Plan(source: "titles", condition: "", order: Self.order(query.order), values: [])
        if let among = query.among ?? Self.most(of: query.order), isSortedAmong(query, terms) {
            var first = query
            (first.offset, first.limit) = (0, among)
            plan.condition = " WHERE {among titles.id}"
            plan.values = [.numbers(try places(first).map(Standing.title))]
            return plan
        }
        if terms.isEmpty {
            if let copies, try areRare(copies) {
                // So few titles are sorted more quickly than found on a walk through all.
                plan.source = "(\(copies.distinctTitles)) AS held JOIN titles ON titles.id = held.title"
                plan.values = copies.values
                return plan
            }
        } else {
            plan.source = "{titlesInSearch}"
            plan.condition = " WHERE {searchMatches}"
            plan.values = [.text(try transaction.connection().dialect.searchExpression(terms, query.field))]
        }
        if let copies {
            plan.condition += (plan.condition.isEmpty ? " WHERE " : " AND ") + copies.exist(of: "titles.id")
            plan.values += copies.values
        }
        return plan
    }

    /// Whether a bound on what is sorted makes a difference: without words all other orders than by year are read off an index.
    private func isSortedAmong(_ query: CatalogueQuery, _ terms: [SearchTerm]) -> Bool {
        switch query.order {
        case .title, .author, .id, .added: !terms.isEmpty
        case .year, .rated: true
        case .relevance, .lent, .none: false
        }
    }

    /// How many titles are put in an order that no index has, whatever the query says.
    private static func most(of order: CatalogueQuery.Sorting) -> Int? { order == .rated ? 10_000 : nil }

    /// What a title's ratings are worth in thousandths of a star: few of them say little.
    private static let rated = """
        COALESCE((SELECT (rated.stars + 15) * 1000 / (rated.ratings + 5) FROM rating_totals AS rated \
        WHERE rated.id = titles.id), 3000)
        """

    private static func order(_ order: CatalogueQuery.Sorting) -> String {
        switch order {
        case .title, .relevance: "ORDER BY titles.title_key, titles.id"
        case .author: "ORDER BY titles.author_key, titles.title_key, titles.id"
        // The order of nulls differs between databases, so they are put last.
        case .year: "ORDER BY titles.year IS NULL, titles.year DESC, titles.title_key, titles.id"
        case .added: "ORDER BY titles.id DESC"
        case .id: "ORDER BY titles.id"
        case .rated: "ORDER BY \(rated) DESC, titles.title_key, titles.id"
        // The index yields it: see ``places(_:)``.
        case .none, .lent: ""
        }
    }
}

// Many ids are looked up in statements of one shape, which is compiled once.
extension SearchRepository {
    struct Part {
        let values: [StoredValue]

        /// The condition that a column is one of the ids.
        func condition(_ column: String) -> String {
            "\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))"
        }
    }

    private static let partSize = 50

    /// Ids in parts, the last of which is filled up with its last one.
    static func parts(of ids: [Int64]) -> [Part] {
        stride(from: 0, to: ids.count, by: partSize).map { start in
            let part = ids[start..<min(start + partSize, ids.count)]
            let filling = repeatElement(ids[ids.count - 1], count: partSize - part.count)
            return Part(values: (part + filling).map { .integer($0) })
        }
    }
}
