package import Circulation
import Synchronization

/// The catalogue search over tokens that are folded in Swift, so that every database finds the same.
package struct SearchRepository {
    let transaction: Transaction

    /// The titles that match, a page of them.
    package func titles(_ query: CatalogueQuery) throws(StoreError) -> [Title] {
        guard let plan = try plan(query) else { return [] }
        // The page is cut from narrow rows; only what stands on it is read whole.
        let text = """
            SELECT \(TitleRepository.columns)
            FROM (\(plan.ids) LIMIT ? OFFSET ?) AS page
            JOIN titles ON titles.id = page.found \(plan.order)
            """
        let values = plan.values + [.integer(Int64(max(query.limit, 0))), .integer(Int64(max(query.offset, 0)))]
        return try transaction.all(Self.kept(text), values, TitleRepository.table.read)
    }

    /// The queries for pages, which come in a few shapes: what is searched for is a value, and compiling one of them
    /// takes longer than finding a title.
    private static let pages = Mutex<[String: Query]>([:])

    private static func kept(_ text: String) -> Query {
        pages.withLock { pages in
            if let known = pages[text] { return known }
            let query = Query(text)
            pages[text] = query
            return query
        }
    }

    /// How many titles match in all, or `most` if they are more.
    package func count(_ query: CatalogueQuery, most: Int64? = nil) throws(StoreError) -> Int64 {
        var unordered = query
        unordered.order = .none
        guard let plan = try plan(unordered) else { return 0 }
        guard let most else {
            return try transaction.number(
                Self.kept("SELECT COUNT(*) FROM \(plan.source)\(plan.condition)"), plan.values)
        }
        return try transaction.number(
            Self.kept("SELECT COUNT(*) FROM (\(plan.ids) LIMIT ?) AS first"), plan.values + [.integer(most)])
    }

    /// The titles that match, in the query's order from its offset on, until `body` returns false; the query's limit
    /// says how many at most. `body` may write.
    package func forEach(_ query: CatalogueQuery, _ body: (Title) throws -> Bool) throws {
        var ids: [Int64] = []
        if let plan = try plan(query) {
            ids = try transaction.all(
                Query(once: "\(plan.ids) LIMIT ? OFFSET ?"),
                plan.values + [.integer(Int64(max(query.limit, 0))), .integer(Int64(max(query.offset, 0)))]
            ) { row in row.integer() }
        }
        for id in ids {
            guard let title = try transaction.titles.get(id) else { continue }
            guard try body(title) else { return }
        }
    }

    private struct Plan {
        var source: String
        var condition: String
        /// A further column of what is found, by which it is ordered; empty: none.
        var place = ""
        var order: String
        /// Those of the place, then those of the condition.
        var values: [StoredValue]

        /// The ids of what is found, in order.
        var ids: String { "SELECT titles.id AS found\(place) FROM \(source)\(condition) \(order)" }
    }

    /// nil if the query asks for nothing that a word could match.
    private func plan(_ query: CatalogueQuery) throws(StoreError) -> Plan? {
        var conditions: [String] = []
        var values: [StoredValue] = []
        var source = "titles"
        let terms = SearchTerm.terms(of: query)
        if !terms.isEmpty {
            source = "{titlesInSearch}"
            conditions.append("{searchMatches}")
            values.append(.text(try transaction.connection().dialect.searchExpression(terms, query.field)))
        } else if !query.words.allSatisfy(\.isWhitespace) {
            return nil
        }
        if query.available || query.branch != nil {
            var copies = "SELECT 1 FROM copies WHERE copies.title = titles.id AND "
            copies += query.available ? "copies.status = 'available'" : "copies.status NOT IN ('lost', 'withdrawn')"
            if let branch = query.branch {
                copies += " AND copies.branch = ?"
                values.append(.text(branch))
            }
            conditions.append("EXISTS (\(copies))")
        }
        var plan = Plan(
            source: source,
            condition: conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "),
            order: Self.order(query.order), values: values)
        if query.order == .relevance, [.all, .title].contains(query.field), !terms.isEmpty {
            plan.place = ", \(Self.place) AS place"
            plan.order = "ORDER BY place, titles.title_key, titles.id"
            plan.values.insert(contentsOf: Self.places(of: query.words), at: 0)
        }
        return plan
    }

    /// Where a title stands: it is the words, it begins with them as words of their own or as the beginning of one, or it
    /// has them anywhere.
    private static let place = """
        CASE WHEN titles.title_key = ? THEN 0
            WHEN titles.title_key >= ? AND titles.title_key < ? OR titles.title_key >= ? AND titles.title_key < ? THEN 1
            WHEN titles.title_key >= ? AND titles.title_key < ? THEN 2 ELSE 3 END
        """

    /// The bounds of the places: in the order of code points, blanks and marks stand before the digits and between the
    /// digits and the letters.
    private static func places(of words: String) -> [StoredValue] {
        let key = IndexedText.of(TextFolding.folded(words).split(whereSeparator: \.isWhitespace).joined(separator: " "))
        return ["", " ", "0", ":", "a", "", "\u{10FFFF}"].map { .text(key + $0) }
    }

    private static func order(_ order: CatalogueQuery.Sorting) -> String {
        switch order {
        case .title, .relevance: "ORDER BY titles.title_key, titles.id"
        case .author: "ORDER BY titles.author_key, titles.title_key, titles.id"
        // The order of nulls differs between databases, so they are put last.
        case .year: "ORDER BY titles.year IS NULL, titles.year DESC, titles.title_key, titles.id"
        case .added: "ORDER BY titles.id DESC"
        case .id: "ORDER BY titles.id"
        case .none: ""
        }
    }
}
