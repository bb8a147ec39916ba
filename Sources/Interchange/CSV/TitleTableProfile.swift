import Circulation
import TextFormats

/// A table of titles under the usual names of columns, one row a title; what `export --format csv` writes.
struct TitleTableProfile: TableProfile {
    static let name = "titles"
    static let vital: [String: Set<String>] = [
        "copy": ["barcode"], "loan": ["lent_at", "due_on", "returned_at"], "title": ["isbn"],
    ]

    /// The columns that it reads.
    static let columns = [
        "isbn", "isbn13", "title", "authors", "author", "creator", "publisher", "year", "publication_year",
        "pubdate", "language", "language_code", "genres", "genre", "subjects", "subject", "courses", "course",
        "college", "edition", "description", "cover", "cover_url", "preview_url", "stars", "recommended",
        "item_type", "branch", "location", "call_number", "copies", "series", "series_number",
    ]

    static func recognises(_ header: CSVHeader) -> Bool {
        header.has("title") && header.hasAny(["isbn", "isbn13", "authors", "author"])
    }

    func records(of row: inout RowReader) -> [ImportedRecord] {
        guard row.text("title") != nil else {
            row.reject("title", "missing", "a title is required")
            return []
        }
        let isbn = row.isbn(["isbn", "isbn13"])
        guard var title = title(of: &row, isbn) else { return [] }
        if row.isExact { title.id = row.integer("id") ?? 0 }
        title.extra = row.own(.title)
        let copies = row.integer("copies") ?? 0
        if !(0...10_000).contains(copies) {
            row.reject("copies", "out_of_range", "\(copies) copies; expected 0 to 10000")
        }
        guard !row.isRejected else { return [] }
        return [
            .title(
                ImportedTitle(
                    title: title, copies: Int(copies), branch: row.text("branch"), itemType: row.text("item_type"),
                    location: row.text("location"), callNumber: row.text("call_number")))
        ]
    }

    /// What a row says of a title; nil where it names none.
    func title(of row: inout RowReader, _ isbn: ISBN?) -> Title? {
        guard let name = row.text("title") else { return nil }
        var title = Title(title: name, authors: row.list(["authors", "author", "creator"]))
        title.isbn = isbn
        title.publisher = row.text("publisher")
        title.year = year(of: &row)
        title.language = row.text(anyOf: ["language", "language_code"])
        title.genres = row.list(["genres", "genre"])
        title.subjects = row.list(["subjects", "subject"])
        title.courses = row.list(["courses", "course"]).map { Course(code: $0) }
        title.college = row.text("college")
        title.edition = row.text("edition")
        title.series = row.text("series")
        title.seriesNumber = row.text("series_number")
        title.description = row.text("description")
        title.coverURL = row.address(anyOf: ["cover", "cover_url"])
        title.previewURL = row.text("preview_url")
        title.stars = row.integer("stars")
        title.recommended = row.text("recommended").map { ["true", "yes", "1"].contains($0.lowercased()) } ?? false
        return title
    }

    private func year(of row: inout RowReader) -> Int64? {
        guard let text = row.text(anyOf: ["year", "publication_year", "pubdate"]) else { return nil }
        guard let year = FieldText.year(text) else {
            row.warn("year", "bad_year", "'\(text)' is not a year; left out")
            return nil
        }
        return year
    }
}
