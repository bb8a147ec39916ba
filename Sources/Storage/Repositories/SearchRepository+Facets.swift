package import Circulation

extension SearchRepository {
    private static let records = Query(
        "SELECT authors, genres, subjects, year, language FROM titles WHERE {among titles.id}")
    private static let shelves = Query("SELECT title, status, branch FROM copies WHERE {among title}")

    /// How many of the titles that a query finds have each author, genre, language, decade, year and branch, and how many are
    /// available: by what the query can be narrowed further, so that kinds that it names already are left out.
    ///
    /// - Parameters:
    ///   - most: how many titles are counted; where more are found, those lent most are.
    ///   - values: how many values of each kind are given.
    /// - Returns: kind by kind the most frequent values, the first in the alphabet of those that are equally frequent.
    package func facets(_ query: CatalogueQuery, most: Int, values: Int) throws(StoreError)
        -> [FacetCount]
    {
        var first = query
        (first.offset, first.limit) = (0, min(most, Int.max - 1) + 1)
        let found = try places(first).map(Standing.title)
        var tally = FacetTally(query: query)
        let counted = StoredValue.numbers(found.prefix(most))
        try transaction.each(Self.records, [counted]) { row in
            tally.add(
                authors: row.text(), subjects: [row.text(), row.text()], year: row.optionalInteger(),
                language: row.optionalText())
            return true
        }
        try transaction.each(Self.shelves, [counted]) { row in
            tally.add(copyOf: row.integer(), status: row.text(), branch: row.text())
            return true
        }
        return try tally.counts(values: max(values, 0), isMore: found.count > most)
    }
}
