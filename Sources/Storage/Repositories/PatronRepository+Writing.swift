package import Circulation

extension PatronRepository {
    private static let wordInsertion = Query(
        "INSERT INTO patron_words (word, patron) VALUES (?, ?) ON CONFLICT DO NOTHING")
    private static let wordRemoval = Query("DELETE FROM patron_words WHERE patron = ?")

    /// Adds a patron, under their own id or, if that is 0, under a new one. Ids are never given twice.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if the username is taken, or category or branch do not exist.
    @discardableResult
    package func insert(_ patron: Patron) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(patron, in: transaction)
        try insertWords(of: patron, id: id)
        return id
    }

    /// - Returns: false if there is no patron of that id.
    @discardableResult
    package func update(_ patron: Patron) throws(StoreError) -> Bool {
        guard try Self.table.update(patron, in: transaction) else { return false }
        try transaction.execute(Self.wordRemoval, [.integer(patron.id)])
        try insertWords(of: patron, id: patron.id)
        return true
    }

    private func insertWords(of patron: Patron, id: Int64) throws(StoreError) {
        guard transaction.derived.hasIndexes else { return }
        for word in Self.words(of: patron) {
            try transaction.execute(Self.wordInsertion, [.text(word), .integer(id)])
        }
    }

    /// The words by which the patron is found, each once.
    static func words(of patron: Patron) -> Set<String> {
        var words: Set<String> = []
        for text in [patron.name, patron.surname, patron.displayName ?? "", patron.username, patron.email ?? ""] {
            words.formUnion(TextFolding.tokens(text).map(IndexedText.of))
        }
        return words
    }

    /// Surname, then name, folded; what has neither goes by the username.
    static func nameKey(_ patron: Patron) -> String {
        let name = patron.surname + " " + patron.name
        return IndexedText.of(TextFolding.folded(name == " " ? patron.username : name))
    }
}
