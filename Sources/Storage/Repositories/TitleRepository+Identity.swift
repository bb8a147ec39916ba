package import Circulation
import TextFormats

extension TitleRepository {
    private static let withoutISBN = Query(
        "SELECT \(columns) FROM titles WHERE title_key = ? AND isbn IS NULL ORDER BY id")

    /// Titles without an ISBN that are called so, case and diacritics apart.
    package func withoutISBN(called title: String) throws(StoreError) -> [Title] {
        let folded = TextFolding.folded(title)
        let found = try transaction.all(Self.withoutISBN, [.text(IndexedText.of(folded))]) { row throws(StoreError) in
            try Self.title(&row)
        }
        return found.filter { TextFolding.folded($0.title) == folded }
    }
}
