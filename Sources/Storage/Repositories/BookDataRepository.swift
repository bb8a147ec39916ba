package import Circulation
import TextFormats

/// What services that know books have answered, by ISBN: so that none is asked again and again.
package struct BookDataRepository {
    let transaction: Transaction

    private static let get = Query("SELECT answer FROM book_data WHERE isbn = ? AND asked_at >= ?")
    private static let removal = Query("DELETE FROM book_data WHERE isbn = ?")
    private static let clearing = Query("DELETE FROM book_data WHERE asked_at < ?")
    private static let insertion = Query(
        "INSERT INTO book_data (id, isbn, asked_at, answer) VALUES ({id book_data}, ?, ?, ?) ON CONFLICT DO NOTHING")

    /// What was answered since a moment, empty where no service knew the book; nil: it was not asked for.
    package func get(_ isbn: ISBN, since moment: Instant) throws(StoreError) -> BookData? {
        let found = try transaction.first(Self.get, [.text(isbn.digits13), .instant(moment)]) { row in
            [row.optionalText()]
        }
        guard let found else { return nil }
        guard let text = found[0] else { return BookData() }
        guard case .object(let object)? = try? JSONParser.parse(text) else {
            throw .corrupt("what was kept of a book cannot be read")
        }
        return BookData(json: object)
    }

    /// Keeps an answer; one without anything: no service knew the book. Of two that come at once either stays.
    package func keep(_ data: BookData, of isbn: ISBN, at moment: Instant) throws(StoreError) {
        try transaction.execute(Self.removal, [.text(isbn.digits13)])
        _ = try transaction.insert(
            Self.insertion,
            [
                .id(0), .text(isbn.digits13), .instant(moment),
                .optional(data.isEmpty ? nil : JSON.object(data.json).text()),
            ])
    }

    /// Lets go of what was answered before a moment.
    package func remove(before moment: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(moment)])
    }
}
