package import Circulation
import TextFormats

/// Bibliographic records, with their place in the search index.
package struct TitleRepository: RecordRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Title>(derived: [
        .init("title_key") { .text(keys(of: $0).title) }, .init("author_key") { .text(keys(of: $0).author) },
        .init("series_key") { .optional(Title.seriesKey($0.series)) },
        .init("series_place") {
            .optional(Title.seriesKey($0.series) == nil ? nil : Title.seriesPlace($0.seriesNumber))
        },
    ])
    private static let byISBN = Query("SELECT \(columns) FROM titles WHERE isbn = ?")
    // The index has no titles without a series, which SQLite has to be told.
    private static let ofSeries = Query(
        """
        SELECT \(columns) FROM titles WHERE series_key IS NOT NULL AND series_key = ?
        ORDER BY series_place, id LIMIT ? OFFSET ?
        """)
    private static let counted = Query("SELECT COUNT(*) FROM titles")
    private static let recommendedOnes = Query(
        "SELECT \(columns) FROM titles WHERE recommended = 1 ORDER BY title_key, id LIMIT ? OFFSET ?")

    /// Each found in the index from the one before it.
    private static let collegesInOrder = Query(
        """
        WITH RECURSIVE found (college) AS (
            SELECT MIN(college) FROM titles WHERE college > ''
            UNION ALL
            SELECT (SELECT MIN(titles.college) FROM titles WHERE titles.college > found.college)
            FROM found WHERE found.college IS NOT NULL
        )
        SELECT college FROM found WHERE college IS NOT NULL LIMIT ? OFFSET ?
        """)

    /// The colleges that titles have, in the store's order of texts.
    package func colleges(_ part: ListPart) throws(StoreError) -> [String] {
        try transaction.all(Self.collegesInOrder, part.values) { row in row.text() }
    }

    package func find(_ isbn: ISBN) throws(StoreError) -> Title? {
        try first(finding(isbn))
    }

    /// What ``find(_:)`` asks.
    package func finding(_ isbn: ISBN) -> BoundQuery { BoundQuery(Self.byISBN, [.text(isbn.digits13)]) }

    package func count() throws(StoreError) -> Int64 { try transaction.number(Self.counted) }

    /// The volumes of a series in their order; none for a name without letters and digits.
    package func series(_ name: String, _ part: ListPart) throws(StoreError) -> [Title] {
        guard let key = Title.seriesKey(name) else { return [] }
        return try all(Self.ofSeries, [.text(key)] + part.values)
    }

    /// Recommended titles by their title.
    package func recommended(_ part: ListPart = ListPart(limit: 100)) throws(StoreError) -> [Title] {
        try all(Self.recommendedOnes, part.values)
    }

    static func isbn(_ digits: String?) throws(StoreError) -> ISBN? {
        guard let digits else { return nil }
        do {
            return try ISBN(digits)
        } catch {
            throw .corrupt("a title has an ISBN that is none")
        }
    }

    /// Courses are a list of pairs: code, name or null.
    static func courses(_ json: JSON) throws(StoreError) -> [Course] {
        var courses: [Course] = []
        for pair in json.arrayValue ?? [] {
            guard case .array(let parts) = pair, parts.count == 2, case .string(let code) = parts[0] else {
                throw .corrupt("a title's courses cannot be read")
            }
            courses.append(Course(code: code, name: parts[1].stringValue))
        }
        return courses
    }
}
