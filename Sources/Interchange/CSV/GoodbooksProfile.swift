import Circulation
import TextFormats

/// The `books.csv` of goodbooks-10k, whose ISBN columns a spreadsheet has damaged: ISBN-10 without their leading zeros,
/// ISBN-13 as floating-point numbers that have lost the check digit.
struct GoodbooksProfile: TableProfile {
    static let name = "goodbooks"
    static let columns = [
        "isbn", "isbn13", "title", "original_title", "authors", "original_publication_year", "language_code",
        "image_url",
        "average_rating",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("isbn", "isbn13", "authors", "original_publication_year", "language_code")
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard let name = row.text("title") ?? row.text("original_title") else {
            row.reject("title", "missing", "a title is required")
            return []
        }
        var title = Title(title: name, authors: row.list(["authors"], separators: [","]))
        title.isbn = isbn(of: &row)
        title.year = row.text("original_publication_year").flatMap(FieldText.year)
        title.language = row.text("language_code")
        title.coverURL = row.text("image_url")
        if let rating = row.text("average_rating").flatMap(Double.init), rating.isFinite {
            title.stars = Int64(min(5, max(0, rating.rounded())))
        }
        return [.title(ImportedTitle(title: title))]
    }

    /// A title stays without an ISBN where neither column gives one for certain.
    private func isbn(of row: inout RowReader) -> ISBN? {
        let ten = row.text("isbn")
        let thirteen = row.text("isbn13")
        if ten == nil && thirteen == nil { return nil }
        guard let found = ISBNRepair.from(isbn10Text: ten ?? "", isbn13Text: thirteen ?? "") else {
            row.warn(
                "isbn", "bad_isbn",
                "neither '\(ten ?? "")' nor '\(thirteen ?? "")' gives an ISBN; the title is kept without one")
            return nil
        }
        if found.isRepaired {
            row.repair(
                "isbn13", "repaired_isbn",
                "\(found.isbn.digits13) from '\(ten ?? "")' and '\(thirteen ?? "")': \(found.why)")
        }
        return found.isbn
    }
}
