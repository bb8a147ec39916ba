import Circulation

/// The places of the titles that have some words: see ``Standing``.
struct SearchIndex {
    let transaction: Transaction
    let terms: [SearchTerm]
    let isOrdered: Bool
    private let bounds: SearchBounds
    private let expression: StoredValue

    init(
        _ transaction: Transaction, _ terms: [SearchTerm], _ field: CatalogueQuery.Field, _ bounds: SearchBounds
    ) throws(StoreError) {
        self.bounds = bounds
        let dialect = try transaction.connection().dialect
        self.transaction = transaction
        self.terms = terms
        isOrdered = dialect.searchIsOrdered
        // The index joins all that begins with a word first, unless it has entries for so short a beginning; words that are known are
        // read side by side as far as they are asked for.
        var words: [[SearchTerm]] = []
        for term in terms { words.append(isOrdered ? try transaction.search.spelled(term, in: field, bounds) : [term]) }
        expression = .text(dialect.alternatives(words, field))
    }

    /// What a search begins with.
    enum Beginning {
        /// All places, in order.
        case all([Int64])
        /// There are more than were asked for: the first of them in order, where the index yields them so.
        case more([Int64])
    }

    /// The matches if they are not more than `most`.
    func beginning(most: Int) throws(StoreError) -> Beginning {
        let limit = Int64(most) + 1
        if !isOrdered, hasShortBeginning, try counted(inFirst: bounds.sample, upTo: limit) == limit { return .more([]) }
        let found = try places("\(selection)\(order) LIMIT ?", [expression, .integer(limit)])
        if found.count <= most { return .all(isOrdered ? found : found.sorted()) }
        return .more(isOrdered ? found : [])
    }

    /// A page of the matches in order.
    func places(_ copies: WantedCopies?, offset: Int64, limit: Int64) throws(StoreError) -> [Int64] {
        guard isOrdered else { return try walked(copies, offset: offset, limit: limit) }
        return try places(
            "\(selection)\(try copied(copies))\(order) LIMIT ? OFFSET ?",
            [expression] + (copies?.values ?? []) + [.integer(limit), .integer(offset)])
    }

    /// How many match, or `most` if they are more.
    func count(_ copies: WantedCopies?, most: Int64) throws(StoreError) -> Int64 {
        if !isOrdered, copies == nil, hasShortBeginning {
            let found = try counted(inFirst: bounds.sample, upTo: most)
            // Where so many have a word, reading on is quicker than the index, which joins all words of that beginning first.
            if found >= most || found * 32 >= bounds.sample { return try counted(inFirst: .max, upTo: most) }
        }
        return try transaction.number(
            transaction.search.planned("SELECT COUNT(*) FROM (\(selection)\(try copied(copies)) LIMIT ?) AS first"),
            [expression] + (copies?.values ?? []) + [.integer(most)])
    }

    private var selection: String { "SELECT title_search.{searchKey} AS place FROM title_search WHERE {searchMatches}" }
    private var order: String { isOrdered ? " ORDER BY title_search.{searchKey}" : "" }

    private func copied(_ copies: WantedCopies?) throws(StoreError) -> String {
        guard let copies else { return "" }
        // The titles of a small branch are read once, instead of being looked for with each match.
        if isOrdered, copies.isOfBranch,
            try SearchRepository(transaction: transaction, bounds: bounds).areRare(copies)
        {
            return " AND \(Standing.titleAtPlace) IN (\(copies.titles))"
        }
        return " AND " + copies.exist(of: Standing.titleAtPlace)
    }

    private func places(_ text: String, _ values: [StoredValue]) throws(StoreError) -> [Int64] {
        try transaction.all(try transaction.search.planned(text), values) { row in row.integer() }
    }
}

// Where the index yields its matches in no order, common words are found by walking through the titles in the order of their places,
// and others by sorting all matches.
extension SearchIndex {
    /// Whether a word is asked for by so few letters that a great many words begin with them.
    private var hasShortBeginning: Bool {
        terms.contains { $0.isPrefix && ($0.words.last?.unicodeScalars.count ?? 0) <= 3 }
    }

    /// How many of the first rows, as they come, match, or `most` if they are more.
    private func counted(inFirst rows: Int64, upTo most: Int64) throws(StoreError) -> Int64 {
        let text = """
            SELECT COUNT(*) FROM (SELECT 1 FROM (SELECT document FROM title_search LIMIT ?) AS title_search
                WHERE {searchMatches} LIMIT ?) AS first
            """
        return try transaction.number(transaction.search.planned(text), [.integer(rows), expression, .integer(most)])
    }

    private func walked(_ copies: WantedCopies?, offset: Int64, limit: Int64) throws(StoreError) -> [Int64] {
        let page = try walk(bounds.walk, copies, offset: offset, limit: limit)
        if page.count >= limit { return page }
        let found = try transaction.number(
            transaction.search.planned("SELECT COUNT(*) FROM (\(try walking(copies))) AS found"),
            walked(bounds.walk, copies))
        // As many rows as have the page if the words are as common further on, and some more.
        let wanted = Double(offset) + Double(limit)
        let rows = wanted / Double(max(found, 1)) * Double(bounds.walk) * 1.25
        let titles = try transaction.number(transaction.search.planned("SELECT COALESCE(MAX(id), 0) FROM titles"))
        let matches = Double(found) / Double(bounds.walk) * Double(titles)
        // Neighbours in that order lie side by side for the most part; matches lie everywhere.
        if found > 0, rows < 4 * matches, rows < Double(titles) {
            let page = try walk(Int64(rows), copies, offset: offset, limit: limit)
            if page.count >= limit { return page }
        }
        return try places(
            """
            WITH found AS MATERIALIZED (\(selection)\(try copied(copies)))
            SELECT place FROM found ORDER BY place LIMIT ? OFFSET ?
            """, [expression] + (copies?.values ?? []) + [.integer(limit), .integer(offset)])
    }

    private func walk(
        _ rows: Int64, _ copies: WantedCopies?, offset: Int64, limit: Int64
    ) throws(StoreError) -> [Int64] {
        try places(
            "\(try walking(copies)) ORDER BY place LIMIT ? OFFSET ?",
            walked(rows, copies) + [.integer(limit), .integer(offset)])
    }

    private func walking(_ copies: WantedCopies?) throws(StoreError) -> String {
        """
        SELECT place FROM (SELECT place, document FROM title_search ORDER BY place LIMIT ?) AS title_search
        WHERE {searchMatches}\(try copied(copies))
        """
    }

    private func walked(_ rows: Int64, _ copies: WantedCopies?) -> [StoredValue] {
        [.integer(rows), expression] + (copies?.values ?? [])
    }
}
