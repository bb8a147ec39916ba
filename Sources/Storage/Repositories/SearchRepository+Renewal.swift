import Circulation

// The index of a store as it was before years and languages stood in it. What it holds is read from the index itself, not from the
// records of titles, which may have got other columns since.
extension SearchRepository {
    /// Fills the index, which is empty, from the earlier one, adds what years and languages are found by, and learns the words of all
    /// titles. It reads some hundred titles at a time.
    func renew() throws(StoreError) {
        // In a new store there is nothing to read.
        let first = try transaction.first(Query(once: "SELECT id FROM titles LIMIT 1"), []) { row in row.integer() }
        if first != nil { try fill() }
        try transaction.connection().execute(script: "{completedSearch}")
    }

    private func fill() throws(StoreError) {
        let earlier = Query(
            once: """
                SELECT earlier_search.{searchKey}, \(Self.fields.map { "earlier_search.\($0.rawValue)" }.joined(separator: ", ")),
                    titles.year, titles.language
                FROM earlier_search LEFT JOIN titles
                    ON titles.id = \(Standing.titleAtPlace.replacing("title_search", with: "earlier_search"))
                WHERE earlier_search.{searchKey} > ? ORDER BY earlier_search.{searchKey} LIMIT ?
                """)
        var last: Int64? = .min
        while let place = last {
            last = nil
            var entries: [(place: Int64, texts: [String])] = []
            try transaction.each(earlier, [.integer(place), .integer(Transaction.pageSize)]) { row in
                let place = row.integer()
                var texts = Self.fields.map { _ in row.text() }
                let marks = SearchTerm.marks(year: row.optionalInteger(), language: row.optionalText())
                if let numbers = Self.fields.firstIndex(of: .isbn) {
                    texts[numbers] = ([texts[numbers]] + marks).filter { !$0.isEmpty }.joined(separator: " ")
                }
                entries.append((place, texts))
                last = place
                return true
            }
            var words: Set<SpelledWord> = []
            for (place, texts) in entries {
                try transaction.post(Self.insertion, [.integer(place)] + texts.map { .text($0) })
                words.formUnion(SpelledWord.words(of: texts))
            }
            try learn(words)
        }
    }
}
