import Circulation

extension Dialect {
    static let sqlite = sqlite(rowKey: "INTEGER PRIMARY KEY")
    /// For a store in which all keys are counted, so that they can be made to begin anywhere.
    static let sqliteCountingKeys = sqlite(rowKey: identity)

    private static let identity = "INTEGER PRIMARY KEY AUTOINCREMENT"

    private static let emptiedSearch = """
        ALTER TABLE title_search RENAME TO earlier_search;
        CREATE VIRTUAL TABLE title_search USING fts5(
            title, author, isbn, course, college, publisher, genre, tokenize = 'ascii', prefix = '1 2 3 4');
        """

    private static func sqlite(rowKey: String) -> Dialect {
        Dialect(
            name: "SQLite",
            words: [
                "identity": identity,
                "rowKey": rowKey,
                "integer": "INTEGER",
                "options": "STRICT",
                // One tree instead of two.
                "counters": "STRICT, WITHOUT ROWID",
                "forUpdate": "",
                "indexNames": "SELECT name FROM sqlite_schema WHERE type = 'index'",
                "titleSearch": """
                -- The tokenizer splits at white space and ASCII punctuation only: words come folded from Swift.
                CREATE VIRTUAL TABLE title_search USING fts5(
                    title, author, isbn, course, college, publisher, genre, tokenize = 'ascii', prefix = '2 3');
                """,
                "placedSearch": """
                \(emptiedSearch)
                INSERT INTO title_search (rowid, title, author, isbn, course, college, publisher, genre)
                \(Schema.placedTexts) JOIN earlier_search ON earlier_search.rowid = titles.id ORDER BY 1;
                DROP TABLE earlier_search;
                """,
                "emptiedSearch": emptiedSearch,
                "completedSearch": "DROP TABLE earlier_search",
                "freeRequests": Schema.freeRequests(rowKey: rowKey),
                "searchKey": "rowid",
                "titlesInSearch": "title_search JOIN titles ON titles.id = "
                    + Standing.titleAtPlace.replacing("{searchKey}", with: "rowid"),
                "searchMatches": "title_search MATCH ?",
            ],
            instantText: { column in "strftime('%Y-%m-%dT%H:%M:%SZ', \(column) / 1000000, 'unixepoch')" },
            dateText: { column in "date(\(column) * 86400, 'unixepoch')" },
            jsonText: { column, name in "(\(column) ->> '\(name)')" },
            amongNumbers: { column in "\(column) IN (SELECT value FROM json_each(?))" },
            alternatives: { terms, field in
                func column(_ field: CatalogueQuery.Field) -> String {
                    field.column.map { "\($0) : " } ?? ""
                }
                func phrases(_ terms: [SearchTerm]) -> String {
                    let phrases = terms.map(\.fullTextPhrase).joined(separator: " OR ")
                    return terms.count == 1 ? phrases : "(\(phrases))"
                }
                let common = terms.filter { $0.first?.field == nil }.map(phrases)
                let own = terms.compactMap { terms in
                    terms.first?.field.map { column($0) + "(" + phrases(terms) + ")" }
                }
                let first =
                    common.isEmpty ? [] : [column(field) + "(" + common.joined(separator: " AND ") + ")"]
                return (first + own).joined(separator: " AND ")
            },
            searchIsOrdered: true)
    }
}

extension SearchTerm {
    /// The term as FTS5 reads it: quoted, so that no word of a reader is an operator.
    fileprivate var fullTextPhrase: String {
        let quoted = "\"" + words.joined(separator: " ").replacing("\"", with: "\"\"") + "\""
        return isPrefix ? quoted + " *" : quoted
    }
}
