import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APICall {
    /// The value of a declared word.
    func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
        (arguments[name] as String?).flatMap(Word.init)
    }

    func catalogueQuery() throws -> CatalogueQuery {
        CatalogueQuery(
            words: arguments["query"] ?? "", field: word("by") ?? .all,
            prefix: arguments["prefix"] ?? false,
            available: arguments["available"] ?? false, branch: arguments["branch"],
            facets: CatalogueQuery.Facets(
                author: arguments["author"], genre: arguments["genre"], language: arguments["language"],
                year: arguments["year"], decade: arguments["decade"]))
    }

    /// The barcode of a copy named by barcode, id or record; an unknown id has none that exists.
    func barcode(_ name: String, in session: DeskSession) throws -> String {
        switch try arguments.need(name) as RecordKey {
        case .text(let barcode): barcode
        case .id(let id): try session.catalogue.copy(id: id)?.barcode ?? "#\(id)"
        }
    }

    /// Sets what is given of a title.
    func change(_ title: inout Title, by changes: APIArguments) throws {
        if let authors: [String] = changes["authors"] { title.authors = authors }
        title.publisher = changes.changed("publisher", title.publisher).flatMap { $0.isEmpty ? nil : $0 }
        title.year = changes.changed("year", title.year)
        title.language = changes.changed("language", title.language)
        if let genres: [String] = changes["genres"] { title.genres = genres }
        if let subjects: [String] = changes["subjects"] { title.subjects = subjects }
        if let courses: [APIArguments] = changes["courses"] {
            title.courses = try courses.map { Course(code: try $0.need("code"), name: $0["name"]) }
        }
        title.college = changes.changed("college", title.college)
        title.edition = changes.changed("edition", title.edition)
        title.series = changes.changed("series", title.series).flatMap { $0.isEmpty ? nil : $0 }
        title.seriesNumber = changes.changed("series_number", title.seriesNumber).flatMap { $0.isEmpty ? nil : $0 }
        title.description = changes.changed("description", title.description)
        title.coverURL = changes.changed("cover_url", title.coverURL)
        title.previewURL = changes.changed("preview_url", title.previewURL)
        title.stars = changes.changed("stars", title.stars)
        if let recommended: Bool = changes["recommended"] { title.recommended = recommended }
        title.extra = try ownFields(changes, .title, of: title.extra)
    }
}

extension SharedTitle {
    /// A title's text and the addresses that share it.
    ///
    /// - Parameter address: where its page is; it stands behind the text.
    init(_ title: Title, at address: String? = nil) {
        var text = title.title
        if !title.authors.isEmpty { text += " by " + title.authors.joined(separator: ", ") }
        if let year = title.year { text += " (\(year))" }
        if let isbn = title.isbn { text += ", ISBN \(isbn.digits13)" }
        if let address { text += "\n" + address }
        self.text = text
        let words = PercentEncoding.encoded(text)
        let subject = PercentEncoding.encoded(title.title)
        links = [
            ("email", "mailto:?subject=\(subject)&body=\(words)"),
            ("whatsapp", "https://wa.me/?text=\(words)"),
            ("x", "https://x.com/intent/post?text=\(words)"),
            ("telegram", "https://t.me/share/url?url=\(words)"),
        ]
    }
}
