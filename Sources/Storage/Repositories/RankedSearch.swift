import Circulation

/// Titles that have some words, in the order ``CatalogueQuery/Sorting/relevance``, without ever sorting many of them.
///
/// - First come titles that are the words, then those that begin with them (the head), of the first thousand by title: see
///   ``SearchBounds/few``.
/// - Of at most a thousand matches those follow that have the words in their title, then the others; within both by place, which is by
///   how often they were lent: see ``Standing``.
/// - More matches follow by place alone, as the index yields them.
struct RankedSearch {
    private let transaction: Transaction
    private let query: CatalogueQuery
    private let terms: [SearchTerm]
    /// Those of the terms that are the query's words.
    private let words: [SearchTerm]
    private let copies: WantedCopies?
    private let bounds: SearchBounds

    init(_ transaction: Transaction, _ query: CatalogueQuery, _ terms: [SearchTerm], _ bounds: SearchBounds) {
        self.bounds = bounds
        self.transaction = transaction
        self.query = query
        self.terms = terms
        words = terms.filter { $0.field == nil }
        copies = WantedCopies(query)
    }

    /// The ids of a page.
    func titles() throws(StoreError) -> [Int64] {
        let (offset, limit) = (max(query.offset, 0), max(query.limit, 0))
        let (end, isEndless) = offset.addingReportingOverflow(limit)
        let head = try head(enough: isEndless ? .max : end)
        let first = Array(head.dropFirst(offset).prefix(limit))
        if first.count == limit { return first }
        return try first + rest(after: head, offset: max(0, offset - head.count), limit: limit - first.count)
    }

    /// How many titles match, or `most` if they are more.
    func count(most: Int64) throws(StoreError) -> Int64 {
        let index = try SearchIndex(transaction, terms, query.field, bounds)
        guard let copies else { return try index.count(nil, most: most) }
        if case .all(let places) = try index.beginning(most: bounds.few) {
            return min(most, Int64(try withCopies(places.map(Standing.title)).count))
        }
        if let titles = try titlesOfFewCopies() { return min(most, Int64(try matching(titles).count)) }
        return try index.count(copies, most: most)
    }
}

// MARK: - Titles that begin with the words

extension RankedSearch {
    private static let beginning = Query(
        """
        SELECT id, title_key FROM titles WHERE title_key >= ? AND title_key < ? ORDER BY title_key, id LIMIT ?
        """)

    /// The titles that begin with the words, in order; if there are `enough` of them, perhaps not all.
    private func head(enough: Int) throws(StoreError) -> [Int64] {
        guard [.all, .title].contains(query.field), !self.words.isEmpty else { return [] }
        let words = TextFolding.folded(query.words).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let key = IndexedText.of(words)
        let (some, isWhole) = try head(key, most: bounds.firstFew)
        if isWhole || some.count >= enough { return some }
        return try head(key, most: Int64(bounds.few)).titles
    }

    /// - Parameter most: how many titles are looked at.
    /// - Returns: whether there are no more to look at.
    private func head(_ key: String, most: Int64) throws(StoreError) -> (titles: [Int64], isWhole: Bool) {
        var (titles, left): ([Int64], Int64) = ([], most)
        for (from, to) in Self.ranges(isPrefix: query.prefix) where left > 0 {
            try transaction.each(Self.beginning, [.text(key + from), .text(key + to), .integer(left)]) { row in
                let (id, key) = (row.integer(), row.text())
                left -= 1
                if isFound(key) { titles.append(id) }
                return true
            }
        }
        let isWhole = left > 0
        if words.count < terms.count, !titles.isEmpty {
            let found = Set(try matching(titles).map(\.title))
            titles.removeAll { !found.contains($0) }
        }
        guard copies != nil else { return (titles, isWhole) }
        let found = try withCopies(titles)
        return (titles.filter(found.contains), isWhole)
    }

    /// What may stand behind the words, in the order of code points, where blanks and marks stand before the digits and between the
    /// digits and the letters: nothing; the end of a word; for words that may go on, a letter or a digit.
    private static func ranges(isPrefix: Bool) -> [(from: String, to: String)] {
        let ranges = [("", "\u{1}"), (" ", "0"), (":", "a")]
        return isPrefix ? ranges + [("0", ":"), ("a", "\u{10FFFF}")] : ranges
    }

    /// Whether a title has the words in its key, which may be cut.
    private func isFound(_ key: String) -> Bool {
        var words = TextFolding.tokens(key)
        if IndexedText.isCut(key) { words = words.dropLast() }
        return self.words.allSatisfy { $0.isFound(in: words) }
    }
}

// MARK: - The others

extension RankedSearch {
    private func rest(after head: [Int64], offset: Int, limit: Int) throws(StoreError) -> [Int64] {
        let index = try SearchIndex(transaction, terms, query.field, bounds)
        let beginning = try index.beginning(most: bounds.few)
        if case .all(let places) = beginning {
            return try page(few(places, but: head), offset, limit)
        }
        if let titles = try titlesOfFewCopies() {
            let isFirst = Set(head)
            let found = try matching(titles).filter { !isFirst.contains($0.title) }.sorted { $0.order < $1.order }
            return page(found.map(\.title), offset, limit)
        }
        let stream = PlacesAfterHead(head: try places(of: head), offset: offset, limit: limit)
        if copies == nil, case .more(let places) = beginning, stream.end <= places.count {
            return stream.page(places[offset..<Int(stream.end)]).map(Standing.title)
        }
        return stream.page(
            try index.places(copies, offset: Int64(offset), limit: stream.length)[...]
        ).map(Standing.title)
    }

    private func page(_ titles: [Int64], _ offset: Int, _ limit: Int) -> [Int64] {
        Array(titles.dropFirst(offset).prefix(limit))
    }

    /// The titles of few places: those with the words in their title first.
    private func few(_ places: [Int64], but head: [Int64]) throws(StoreError) -> [Int64] {
        let isFirst = Set(head)
        var places = places.filter { !isFirst.contains(Standing.title(at: $0)) }
        if copies != nil {
            let found = try withCopies(places.map(Standing.title))
            places.removeAll { !found.contains(Standing.title(at: $0)) }
        }
        if query.field == .all, !words.isEmpty, places.count > 1,
            case .all(let named) = try SearchIndex(transaction, terms, .title, bounds).beginning(most: bounds.few)
        {
            let isNamed = Set(named)
            places = places.filter(isNamed.contains) + places.filter { !isNamed.contains($0) }
        }
        return places.map(Standing.title)
    }

    private func places(of titles: [Int64]) throws(StoreError) -> [Int64] {
        var places: [Int64] = []
        for part in SearchRepository.parts(of: titles) {
            places += try transaction.all(
                SearchRepository.kept(
                    "SELECT \(Standing.placeOfTitle) FROM titles WHERE \(part.condition("titles.id"))"),
                part.values
            ) { row in row.integer() }
        }
        return places
    }
}

// MARK: - Copies

extension RankedSearch {
    private struct Match {
        var title: Int64
        var order: (isElsewhere: Int, place: Int64)
    }

    /// Those of some titles that have a copy as it is wanted.
    private func withCopies(_ titles: [Int64]) throws(StoreError) -> Set<Int64> {
        guard let copies else { return Set(titles) }
        var found: Set<Int64> = []
        for part in SearchRepository.parts(of: titles) {
            let text = """
                SELECT DISTINCT copies.title FROM copies
                WHERE \(part.condition("copies.title")) AND \(copies.condition)
                """
            try transaction.each(SearchRepository.kept(text), part.values + copies.values) { row in
                found.insert(row.integer())
                return true
            }
        }
        return found
    }

    /// All titles that have a copy as it is wanted, if those copies are few.
    private func titlesOfFewCopies() throws(StoreError) -> [Int64]? {
        guard let copies else { return nil }
        let titles = try transaction.all(
            try transaction.search.planned(copies.titles + " LIMIT ?"),
            copies.values + [.integer(Int64(bounds.few) + 1)]
        ) { row in row.integer() }
        return titles.count <= bounds.few ? Set(titles).sorted() : nil
    }

    /// Those of a few titles that match.
    private func matching(_ titles: [Int64]) throws(StoreError) -> [Match] {
        var found: [Match] = []
        for part in SearchRepository.parts(of: titles) {
            let text = """
                SELECT titles.id, title_search.{searchKey}, \(SearchRepository.columns)
                FROM titles JOIN title_search ON title_search.{searchKey} = \(Standing.placeOfTitle)
                WHERE \(part.condition("titles.id"))
                """
            try transaction.each(SearchRepository.kept(text), part.values) { row in
                let (title, place) = (row.integer(), row.integer())
                let texts = SearchRepository.fields.map { (field: $0, words: row.text().split(separator: " ")) }
                guard SearchTerm.areFound(terms, in: texts, query.field) else { return true }
                let isNamed = query.field != .all || SearchTerm.areFound(terms, in: texts, .title)
                found.append(Match(title: title, order: (isNamed ? 0 : 1, place)))
                return true
            }
        }
        return found
    }
}

/// What is read of all places in order, so that a page of those without the head's can be cut from it.
private struct PlacesAfterHead {
    private let head: Set<Int64>
    private let offset: Int
    private let limit: Int

    init(head: [Int64], offset: Int, limit: Int) {
        self.head = Set(head)
        self.offset = offset
        self.limit = limit
    }

    /// How many are read, from the offset on.
    var length: Int64 {
        let (sum, overflow) = Int64(limit).addingReportingOverflow(Int64(head.count))
        return overflow ? .max : sum
    }

    /// Behind the last one that is read.
    var end: Int64 {
        let (sum, overflow) = length.addingReportingOverflow(Int64(offset))
        return overflow ? .max : sum
    }

    func page(_ places: ArraySlice<Int64>) -> [Int64] {
        guard let first = places.first else { return [] }
        var passed = head.count { $0 < first }
        var page: [Int64] = []
        for (number, place) in places.enumerated() where page.count < limit {
            if head.contains(place) {
                passed += 1
            } else if number >= passed {
                page.append(place)
            }
        }
        return page
    }
}
