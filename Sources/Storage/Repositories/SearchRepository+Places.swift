import Circulation

extension SearchRepository {
    /// A page of the places of titles that match, in order: those lent most first.
    func places(_ query: CatalogueQuery) throws(StoreError) -> [Int64] {
        let terms = SearchTerm.terms(of: query)
        let (offset, limit) = (Int64(max(query.offset, 0)), Int64(max(query.limit, 0)))
        let copies = WantedCopies(query)
        if !terms.isEmpty {
            return try SearchIndex(transaction, terms, query.field, bounds).places(
                copies, offset: offset, limit: limit)
        }
        guard query.words.allSatisfy(\.isWhitespace) else { return [] }
        var text = "SELECT title_search.{searchKey} AS place FROM title_search"
        if let copies {
            // So few titles are sorted more quickly than found on a walk through all.
            text =
                try areRare(copies)
                ? """
                SELECT \(Standing.placeOfTitle) AS place
                FROM (\(copies.distinctTitles)) AS held JOIN titles ON titles.id = held.title
                """ : text + " WHERE \(copies.exist(of: Standing.titleAtPlace))"
        }
        let order = text.contains("AS held") ? "place" : "title_search.{searchKey}"
        return try transaction.all(
            planned("\(text) ORDER BY \(order) LIMIT ? OFFSET ?"),
            (copies?.values ?? []) + [.integer(limit), .integer(offset)]
        ) { row in row.integer() }
    }
}
