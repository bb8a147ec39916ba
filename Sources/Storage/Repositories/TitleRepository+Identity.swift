package import Circulation
import TextFormats

extension TitleRepository {
    // Not by `isbn IS NULL`: SQLite takes the index of the unique ISBNs for it, as if it found one title, and walks all that
    // have none. The expressions are those of an index.
    private static let withoutISBN = Query(
        """
        SELECT \(columns) FROM titles
        WHERE title_key = ? AND SUBSTR(author_key, 1, 40) = SUBSTR(?, 1, 40)
            AND COALESCE(year, \(Int64.min + 1)) = ? AND COALESCE(isbn, '') = '' AND id > ?
        ORDER BY id LIMIT ?
        """)

    /// The first title by id that has no ISBN and the name, case and diacritics apart, the authors and the year of this one.
    ///
    /// - Parameters:
    ///   - id: the one before the first that is looked at.
    ///   - isWanted: passes over what is not meant.
    package func first(
        like title: Title, after id: Int64 = .min, where isWanted: (Title) -> Bool = { _ in true }
    ) throws(StoreError) -> Title? {
        let keys = Self.keys(of: title)
        var last = id
        while true {
            let page = try transaction.all(
                Self.withoutISBN,
                [
                    .text(keys.title), .text(keys.author), .integer(title.year ?? Int64.min + 1), .integer(last),
                    .integer(Self.alikePage),
                ]
            ) { row throws(StoreError) in try Self.table.read(&row) }
            if let found = page.first(where: { Self.isAlike($0, title) && isWanted($0) }) { return found }
            guard let end = page.last?.id, page.count == Self.alikePage else { return nil }
            last = end
        }
    }

    private static let namesakes = Query(
        """
        SELECT \(columns) FROM titles
        WHERE title_key = ? AND SUBSTR(author_key, 1, 40) = SUBSTR(?, 1, 40)
        ORDER BY COALESCE(year, \(Int64.min + 1)), COALESCE(isbn, ''), id LIMIT ?
        """)

    /// Other titles with the name and the authors of this one, at most `limit`.
    package func namesakes(of title: Title, limit: Int64) throws(StoreError) -> [Title] {
        let keys = Self.keys(of: title)
        return try all(Self.namesakes, [.text(keys.title), .text(keys.author), .integer(limit + 1)])
            .filter { $0.id != title.id }
    }

    /// Whether two titles without an ISBN have the same name, case and diacritics apart, authors and year.
    package static func isAlike(_ one: Title, _ other: Title) -> Bool {
        one.isbn == nil && other.isbn == nil && one.year == other.year && one.authors == other.authors
            && TextFolding.folded(one.title) == TextFolding.folded(other.title)
    }

    /// Few titles are alike, so that the first page nearly always has them all.
    private static let alikePage: Int64 = 16
}
