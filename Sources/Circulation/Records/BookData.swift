package import TextFormats

/// What a service that knows books says of one: what a catalogue may lack.
package struct BookData: Hashable, Sendable {
    package var description: String?
    package var coverURL: String?
    package var previewURL: String?
    package var pages: Int64?
    package var year: Int64?
    package var subjects: [String]
    /// What a new title begins with; a title that is there has its own.
    package var title: String?
    package var authors: [String]
    package var publisher: String?
    /// A code such as `en`.
    package var language: String?

    package init(
        description: String? = nil, coverURL: String? = nil, previewURL: String? = nil, pages: Int64? = nil,
        year: Int64? = nil, subjects: [String] = [], title: String? = nil, authors: [String] = [],
        publisher: String? = nil, language: String? = nil
    ) {
        self.description = description
        self.coverURL = coverURL
        self.previewURL = previewURL
        self.pages = pages
        self.year = year
        self.subjects = subjects
        self.title = title
        self.authors = authors
        self.publisher = publisher
        self.language = language
    }

    package var isEmpty: Bool { self == BookData() }

    /// Whether another service could add nothing.
    package var isWhole: Bool {
        description != nil && coverURL != nil && previewURL != nil && pages != nil && year != nil && !subjects.isEmpty
    }

    /// With what another one knows besides.
    package func completed(by other: BookData) -> BookData {
        BookData(
            description: description ?? other.description, coverURL: coverURL ?? other.coverURL,
            previewURL: previewURL ?? other.previewURL, pages: pages ?? other.pages, year: year ?? other.year,
            subjects: subjects.isEmpty ? other.subjects : subjects, title: title ?? other.title,
            authors: authors.isEmpty ? other.authors : authors, publisher: publisher ?? other.publisher,
            language: language ?? other.language)
    }

    /// Writes it into a title: where the title says nothing, or everywhere. Pages stand in `extra`.
    package func fill(_ title: inout Title, replacing: Bool) {
        func take<Value>(_ new: Value?, _ present: inout Value?) {
            if let new, replacing || present == nil { present = new }
        }
        take(description, &title.description)
        take(coverURL, &title.coverURL)
        take(previewURL, &title.previewURL)
        take(year, &title.year)
        if !subjects.isEmpty, replacing || title.subjects.isEmpty { title.subjects = subjects }
        if let pages, replacing || title.extra["pages"] == nil { title.extra["pages"] = .integer(pages) }
    }
}

extension BookData {
    package var json: JSONObject {
        var object: JSONObject = [:]
        object["description"] = description.map { .string($0) }
        object["cover_url"] = coverURL.map { .string($0) }
        object["preview_url"] = previewURL.map { .string($0) }
        object["pages"] = pages.map { .integer($0) }
        object["year"] = year.map { .integer($0) }
        if !subjects.isEmpty { object["subjects"] = .array(subjects.map { .string($0) }) }
        object["title"] = title.map { .string($0) }
        if !authors.isEmpty { object["authors"] = .array(authors.map { .string($0) }) }
        object["publisher"] = publisher.map { .string($0) }
        object["language"] = language.map { .string($0) }
        return object
    }

    /// Reads what ``json`` writes.
    package init(json: JSONObject) {
        self.init(
            description: json["description"]?.stringValue, coverURL: json["cover_url"]?.stringValue,
            previewURL: json["preview_url"]?.stringValue, pages: json["pages"]?.integerValue,
            year: json["year"]?.integerValue, subjects: (json["subjects"]?.arrayValue ?? []).compactMap(\.stringValue),
            title: json["title"]?.stringValue, authors: (json["authors"]?.arrayValue ?? []).compactMap(\.stringValue),
            publisher: json["publisher"]?.stringValue, language: json["language"]?.stringValue)
    }
}
