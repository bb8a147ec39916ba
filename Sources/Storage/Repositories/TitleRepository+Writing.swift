package import Circulation
import TextFormats

extension TitleRepository {
    private static let insertion = Query(
        """
        INSERT INTO titles (id, isbn, title, title_key, authors, author_key, publisher, year, language, genres,
            subjects, courses, college, edition, description, cover_url, preview_url, stars, recommended, extra)
        VALUES ({id titles}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let change = Query(
        """
        UPDATE titles SET isbn = ?, title = ?, title_key = ?, authors = ?, author_key = ?, publisher = ?, year = ?,
            language = ?, genres = ?, subjects = ?, courses = ?, college = ?, edition = ?, description = ?,
            cover_url = ?, preview_url = ?, stars = ?, recommended = ?, extra = ?
        WHERE id = ?
        """)
    private static let removal = Query("DELETE FROM titles WHERE id = ?")
    private static let genreInsertion = Query(
        "INSERT INTO title_genres (title, genre) VALUES (?, ?) ON CONFLICT DO NOTHING")
    private static let genreRemoval = Query("DELETE FROM title_genres WHERE title = ?")

    /// Adds a title, under its own id or, if that is 0, under a new one.
    ///
    /// - Returns: the id.
    /// - Throws: ``StoreError/Code/constraint`` if the ISBN is taken.
    @discardableResult
    package func insert(_ title: Title) throws(StoreError) -> Int64 {
        guard let id = try transaction.insert(Self.insertion, [.id(title.id)] + Self.values(title)) else {
            throw .fault("a title was not inserted")
        }
        try insertGenres(title.genres, id)
        try transaction.search.insert(title, id: id)
        return id
    }

    /// Replaces all of a title.
    ///
    /// - Returns: false if no title has that id.
    @discardableResult
    package func update(_ title: Title) throws(StoreError) -> Bool {
        let changes = try transaction.execute(Self.change, Self.values(title) + [.integer(title.id)])
        guard changes == 1 else { return false }
        try transaction.execute(Self.genreRemoval, [.integer(title.id)])
        try insertGenres(title.genres, title.id)
        try transaction.search.update(title)
        return true
    }

    /// Removes a title; its past loans stay, without it.
    ///
    /// - Returns: false if no title has that id.
    /// - Throws: ``StoreError/Code/constraint`` while it has copies.
    @discardableResult
    package func remove(_ id: Int64) throws(StoreError) -> Bool {
        try transaction.search.remove(id)
        return try transaction.execute(Self.removal, [.integer(id)]) == 1
    }

    private func insertGenres(_ genres: [String], _ id: Int64) throws(StoreError) {
        for genre in genres {
            try transaction.execute(Self.genreInsertion, [.integer(id), .text(IndexedText.of(genre))])
        }
    }

    /// By what titles are ordered: the folded title, the folded first author.
    static func keys(of title: Title) -> (title: String, author: String) {
        (
            IndexedText.of(TextFolding.folded(title.title)),
            IndexedText.of(TextFolding.folded(title.authors.first ?? ""))
        )
    }

    private static func values(_ title: Title) -> [StoredValue] {
        let keys = keys(of: title)
        return [
            .optional(title.isbn?.digits13), .text(title.title), .text(keys.title),
            .list(title.authors), .text(keys.author), .optional(title.publisher),
            .optional(title.year), .optional(title.language), .list(title.genres), .list(title.subjects),
            .text(courses(title.courses)), .optional(title.college), .optional(title.edition),
            .optional(title.description), .optional(title.coverURL), .optional(title.previewURL),
            .optional(title.stars), .flag(title.recommended), .json(title.extra),
        ]
    }

    private static func courses(_ courses: [Course]) -> String {
        if courses.isEmpty { return "[]" }
        return JSON.array(courses.map { .array([.string($0.code), $0.name.map { .string($0) } ?? .null]) }).text()
    }
}
