import Circulation

// Kept by ``TitleRepository``, in the same transaction as the titles.
extension SearchRepository {
    static let insertion = Query(
        """
        INSERT INTO title_search ({searchKey}, title, author, isbn, course, college, publisher, genre)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let change = Query(
        """
        UPDATE title_search SET title = ?, author = ?, isbn = ?, course = ?, college = ?, publisher = ?, genre = ?
        WHERE {searchKey} = ?
        """)
    private static let removal = Query("DELETE FROM title_search WHERE {searchKey} = ?")
    private static let entry = Query(
        """
        SELECT \(columns) FROM title_search WHERE {searchKey} = ?
        """)

    /// The index's columns of words, in their order.
    static let fields: [CatalogueQuery.Field] = [.title, .author, .isbn, .course, .college, .publisher, .genre]
    static let columns = fields.map { "title_search.\($0.rawValue)" }.joined(separator: ", ")

    func insert(_ title: Title, id: Int64) throws(StoreError) {
        guard transaction.derived.hasIndexes else { return }
        // A title that is new was never lent, so that its place is its id.
        let texts = Self.texts(of: title)
        try transaction.execute(Self.insertion, [.integer(id)] + texts.map { .text($0) })
        try learn(SpelledWord.words(of: texts))
    }

    /// Leaves the index alone if the words are the same, as they are when stars or a cover change.
    func update(_ title: Title) throws(StoreError) {
        guard transaction.derived.hasIndexes else { return }
        let texts = Self.texts(of: title)
        let before = try self.texts(of: title.id)
        if before == texts { return }
        try transaction.execute(Self.change, texts.map { .text($0) } + [.integer(place(of: title.id))])
        let (old, new) = (SpelledWord.words(of: before ?? []), SpelledWord.words(of: texts))
        try learn(new.subtracting(old))
        try forget(old.subtracting(new))
    }

    func remove(_ id: Int64) throws(StoreError) {
        guard transaction.derived.hasIndexes else { return }
        let words = SpelledWord.words(of: try texts(of: id) ?? [])
        try transaction.execute(Self.removal, [.integer(place(of: id))])
        try forget(words)
    }

    /// What the index holds for a title, nil if nothing.
    func texts(of id: Int64) throws(StoreError) -> [String]? {
        try transaction.first(Self.entry, [.integer(place(of: id))]) { row in (0..<7).map { _ in row.text() } }
    }

    /// What the index is to hold for a title: folded words, column by column.
    static func texts(of title: Title) -> [String] {
        let isbns = [title.isbn?.digits13, title.isbn?.isbn10?.lowercased()].compactMap { $0 }
        let numbers = isbns + SearchTerm.marks(year: title.year, language: title.language)
        return [
            words([title.title, title.series].compactMap { $0 }), words(title.authors), numbers.joined(separator: " "),
            courses(title.courses),
            words([title.college].compactMap { $0 }), words([title.publisher].compactMap { $0 }),
            words(title.genres + title.subjects),
        ]
    }

    private static func words(_ texts: [String]) -> String {
        texts.flatMap { TextFolding.tokens($0) }.joined(separator: " ")
    }

    /// A code such as `CS-101` is found in parts and, as people type it, in one.
    private static func courses(_ courses: [Course]) -> String {
        var words: [String] = []
        for course in courses {
            let parts = TextFolding.tokens(course.code)
            words += parts
            if parts.count > 1 { words.append(parts.joined()) }
            words += TextFolding.tokens(course.name ?? "")
        }
        return words.joined(separator: " ")
    }
}
