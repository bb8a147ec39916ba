/// What to look for in the catalogue.
package struct CatalogueQuery: Hashable, Sendable {
    /// Where the words are looked for.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case all, title, author, isbn, course, college, publisher, genre
    }

    /// How titles follow each other.
    package enum Sorting: String, Hashable, Sendable, CaseIterable {
        /// By title, then by id.
        case title
        /// Titles that are the words first, then those that begin with them, both by title and up to a thousand. Then the others by
        /// how often they were lent, in classes that double, as it was counted last, and by id; where no more than a thousand match,
        /// those with the words in their title before those that have them elsewhere. Where no words are looked for: by title.
        ///
        /// The first page is found as quickly among a million titles as among a thousand; other orders sort all that match.
        case relevance
        /// By the first author, then by title.
        case author
        /// The newest first, those without a year last, then by title.
        case year
        /// The first added first.
        case id
        /// The last added first.
        case added
        /// Those that were lent most first, in classes that double, as it was counted last, then by id. As quick as ``relevance``.
        case lent
        /// Those with the most stars on average first, as if five more readers had given three to each; then by title. Titles
        /// without ratings stand between those that were liked and those that were not.
        case rated
        /// As the index gives them: the fastest.
        case none

        /// Those that scripts and requests may ask for.
        package static let offered: [Sorting] = [
            .title, .relevance, .author, .year, .id, .added, .lent, .rated,
        ]
    }

    /// Words, in any order; a title matches if it has all of them. Every character that is not a letter or a digit
    /// separates words and has no other meaning. Parts without white space in them, such as `o'brien` or `図書館`, match
    /// words side by side. Blank: all titles.
    package var words: String
    package var field: Field
    /// Whether words may go on: `harr` finds Harry.
    package var prefix: Bool
    /// Only titles with a copy available now, at ``branch`` if that is set.
    package var available: Bool
    /// Only titles with a copy of that branch that is neither lost nor withdrawn.
    package var branch: String?
    package var facets: Facets
    package var order: Sorting
    /// Where more titles are found than this, only so many, those lent most, are put in order; nil: all are. ``Sorting/relevance`` and
    /// ``Sorting/lent`` need no such bound, nor do titles that are looked for without words or facets, but by year
    /// or ``Sorting/rated``.
    package var among: Int?
    package var limit: Int
    package var offset: Int

    package init(
        words: String = "", field: Field = .all, prefix: Bool = false, available: Bool = false,
        branch: String? = nil, facets: Facets = Facets(), order: Sorting = .title, among: Int? = nil,
        limit: Int = 50, offset: Int = 0
    ) {
        self.words = words
        self.field = field
        self.prefix = prefix
        self.available = available
        self.branch = branch
        self.facets = facets
        self.order = order
        self.among = among
        self.limit = limit
        self.offset = offset
    }

    /// What a title must be besides having the words.
    package struct Facets: Hashable, Sendable {
        /// Words that stand side by side in the name of an author.
        package var author: String?
        /// Words that stand side by side in a genre or subject.
        package var genre: String?
        /// As the record gives it, case apart.
        package var language: String?
        /// The year of publication.
        package var year: Int64?
        /// The first year of a decade, from 1000 to 9990.
        package var decade: Int64?

        package init(
            author: String? = nil, genre: String? = nil, language: String? = nil, year: Int64? = nil,
            decade: Int64? = nil
        ) {
            self.author = author
            self.genre = genre
            self.language = language
            self.year = year
            self.decade = decade
        }
    }

    /// Whether it finds all titles.
    package var isUnbounded: Bool {
        words.allSatisfy(\.isWhitespace) && !available && branch == nil && facets == Facets()
    }
}
