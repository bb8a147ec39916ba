package import Circulation
import TextFormats

extension TitleRepository {
    private static let withoutISBN = Query(
        "SELECT \(columns) FROM titles WHERE title_key = ? AND isbn IS NULL ORDER BY id")

    /// Titles without an ISBN that are called so, case and diacritics apart.
    package func withoutISBN(called title: String) throws(StoreError) -> [Title] {
        try transaction.all(Self.withoutISBN, [.text(TextFolding.folded(title))]) { row throws(StoreError) in
            try Self.title(&row)
        }
    }
}
