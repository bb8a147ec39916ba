package import Circulation

extension TitleRepository {
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
        let id = try Self.table.insert(title, in: transaction)
        try insertGenres(title.genres, id)
        try transaction.search.insert(title, id: id)
        return id
    }

    /// Replaces all of a title.
    ///
    /// - Returns: false if no title has that id.
    @discardableResult
    package func update(_ title: Title) throws(StoreError) -> Bool {
        guard try Self.table.update(title, in: transaction) else { return false }
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
        guard try transaction.execute(Self.removal, [.integer(id)]) == 1 else { return false }
        try transaction.counters.forget(title: id)
        return true
    }

    private func insertGenres(_ genres: [String], _ id: Int64) throws(StoreError) {
        for genre in genres where transaction.derived.hasIndexes {
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
}
