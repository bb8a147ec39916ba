package import TextFormats

/// A bibliographic record.
package struct Title: Hashable, Sendable {
    package var id: Int64
    /// nil: a title without an ISBN.
    package var isbn: ISBN?
    package var title: String
    package var authors: [String]
    package var publisher: String?
    /// Negative before the common era.
    package var year: Int64?
    /// An ISO 639 code as the source gives it.
    package var language: String?
    package var genres: [String]
    package var subjects: [String]
    package var courses: [Course]
    package var college: String?
    package var edition: String?
    /// The series that it is a volume of.
    package var series: String?
    /// Which volume, as the title page has it.
    package var seriesNumber: String?
    package var description: String?
    package var coverURL: String?
    /// The picture of its cover that the library keeps: see ``WrittenPicture/name``.
    package var cover: String?
    package var previewURL: String?
    /// 0 to 5.
    package var stars: Int64?
    package var recommended: Bool
    package var extra: JSONObject

    package init(
        id: Int64 = 0, isbn: ISBN? = nil, title: String, authors: [String] = [], publisher: String? = nil,
        year: Int64? = nil, language: String? = nil, genres: [String] = [], subjects: [String] = [],
        courses: [Course] = [], college: String? = nil, edition: String? = nil, series: String? = nil,
        seriesNumber: String? = nil, description: String? = nil, coverURL: String? = nil, cover: String? = nil,
        previewURL: String? = nil, stars: Int64? = nil, recommended: Bool = false,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.isbn = isbn
        self.title = title
        self.authors = authors
        self.publisher = publisher
        self.year = year
        self.language = language
        self.genres = genres
        self.subjects = subjects
        self.courses = courses
        self.college = college
        self.edition = edition
        self.series = series
        self.seriesNumber = seriesNumber
        self.description = description
        self.coverURL = coverURL
        self.cover = cover
        self.previewURL = previewURL
        self.stars = stars
        self.recommended = recommended
        self.extra = extra
    }
}

/// A course that uses a title.
package struct Course: Hashable, Sendable {
    package var code: String
    package var name: String?

    package init(code: String, name: String? = nil) {
        self.code = code
        self.name = name
    }
}

/// How many copies of a title there are, counted from the copies.
package struct CopyCounts: Hashable, Sendable {
    /// All but withdrawn and lost ones.
    package var copies: Int64
    package var available: Int64
    package var onLoan: Int64
    /// Those beside `copies` that are lost.
    package var lost: Int64

    package init(copies: Int64, available: Int64, onLoan: Int64, lost: Int64 = 0) {
        self.copies = copies
        self.available = available
        self.onLoan = onLoan
        self.lost = lost
    }
}
