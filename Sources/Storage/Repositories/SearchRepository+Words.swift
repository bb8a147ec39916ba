import Circulation

// The words of all titles, each once, kept as the index is. How many titles have a word is not counted: that would be a write for
// each word of each title.
extension SearchRepository {
    /// So many words are written in one statement; shorter lists are filled up with their last one.
    private static let wordsAtOnce = 8
    private static let learning = Query(
        "INSERT INTO search_words (word, tail) VALUES "
            + Array(repeating: "(?, ?)", count: wordsAtOnce).joined(separator: ", ") + " ON CONFLICT DO NOTHING")
    private static let forgetting = Query("DELETE FROM search_words WHERE word = ?")
    private static let words = Query("SELECT word, tail FROM search_words WHERE word > ? ORDER BY word LIMIT ?")
    private static let beginning = Query("SELECT word FROM search_words WHERE word >= ? AND word < ? LIMIT ?")

    /// So many words are remembered by a transaction.
    private static let mostRemembered = 200_000

    func learn(_ words: Set<SpelledWord>) throws(StoreError) {
        // Not by subtraction, which goes through all that is remembered.
        let words = words.filter { !transaction.learntWords.contains($0) }.sorted()
        for start in stride(from: 0, to: words.count, by: Self.wordsAtOnce) {
            let part = words[start..<min(start + Self.wordsAtOnce, words.count)]
            let filling = repeatElement(words[words.count - 1], count: Self.wordsAtOnce - part.count)
            try transaction.post(
                Self.learning, (part + filling).flatMap { [.text($0.text), .text($0.tail)] })
        }
        if transaction.learntWords.count > Self.mostRemembered { transaction.learntWords = [] }
        transaction.learntWords.formUnion(words)
    }

    /// The words that begin so.
    ///
    /// - Returns: nil if there are more than `most`.
    func words(beginning: String, most: Int) throws(StoreError) -> [String]? {
        let words = try transaction.all(
            Self.beginning, [.text(beginning), .text(beginning + "\u{10FFFF}"), .integer(Int64(most) + 1)]
        ) { row in row.text() }
        return words.count > most ? nil : words
    }

    /// A term with a word that may go on as one term for each way in which words of titles do; the term itself if they are too many, if
    /// the index has entries for its beginning, or if it may be that of a number, which is not kept.
    func spelled(
        _ term: SearchTerm, in field: CatalogueQuery.Field, _ bounds: SearchBounds
    ) throws(StoreError) -> [SearchTerm] {
        guard term.isPrefix, (term.field ?? field) != .isbn, let last = term.words.last,
            last.unicodeScalars.count > Self.longestEntry, last.unicodeScalars.first?.properties.numericType == nil,
            let words = try words(beginning: last, most: bounds.beginnings)
        else { return [term] }
        let phrases = words.map { word in
            SearchTerm(words: term.words.dropLast() + [word], field: term.field)
        }
        return phrases.isEmpty ? [SearchTerm(words: term.words, field: term.field)] : phrases
    }

    /// The longest beginnings of words that SQLite's index has entries for.
    private static let longestEntry = 4

    /// Forgets those words that no title has any more.
    func forget(_ words: Set<SpelledWord>) throws(StoreError) {
        for word in words.sorted() where try !isUsed(word) {
            try transaction.execute(Self.forgetting, [.text(word.text)])
            transaction.learntWords.remove(word)
        }
    }

    private func isUsed(_ word: SpelledWord) throws(StoreError) -> Bool {
        let term = SearchTerm(words: [word.text], isPrefix: false)
        return try has([[term]], .all)
    }

    /// Whether any title has one term of each list.
    func has(_ terms: [[SearchTerm]], _ field: CatalogueQuery.Field) throws(StoreError) -> Bool {
        let expression = try transaction.connection().dialect.alternatives(terms, field)
        let text = "SELECT title_search.{searchKey} AS place FROM title_search WHERE {searchMatches} LIMIT 1"
        return try transaction.first(planned(text), [.text(expression)]) { row in row.integer() } != nil
    }

    /// Those of some words that are not kept.
    func unknown(_ words: Set<SpelledWord>) throws(StoreError) -> Set<SpelledWord> {
        var unknown = words
        let sorted = words.sorted()
        for start in stride(from: 0, to: sorted.count, by: 50) {
            let part = sorted[start..<min(start + 50, sorted.count)]
            let list = part.map { _ in "?" }.joined(separator: ", ")
            let known = try transaction.all(
                Query(once: "SELECT word FROM search_words WHERE word IN (\(list))"), part.map { .text($0.text) }
            ) { row in row.text() }
            unknown.subtract(known.compactMap(SpelledWord.init))
        }
        return unknown
    }

    /// The next words that are kept.
    ///
    /// - Returns: those that no title has, or that stand there otherwise than they should, and the last one that was looked at.
    func unusedWords(
        after last: String, limit: Int64
    ) throws(StoreError) -> (unused: [String], last: String?) {
        let page = try transaction.all(Self.words, [.text(last), .integer(limit)]) { row in
            (word: row.text(), tail: row.text())
        }
        var unused: [String] = []
        for entry in page {
            if let word = SpelledWord(entry.word), word.tail == entry.tail, try isUsed(word) { continue }
            unused.append(entry.word)
        }
        return (unused, page.last?.word)
    }
}
