import Circulation

extension CatalogueQuery.Field {
    /// The index's column; nil: all of them.
    var column: String? { self == .all ? nil : rawValue }
}

/// What one part of a query asks for: words that stand side by side.
struct SearchTerm: Hashable, Sendable {
    var words: [String]
    /// Whether the last word may go on.
    var isPrefix: Bool
    /// Where it is looked for, if not where the query says.
    var field: CatalogueQuery.Field?

    init(words: [String], isPrefix: Bool = false, field: CatalogueQuery.Field? = nil) {
        self.words = words
        self.isPrefix = isPrefix
        self.field = field
    }

    /// What a query asks of the index: its words and its facets; nothing if it has words of which none can be found.
    static func terms(of query: CatalogueQuery) -> [SearchTerm] {
        let words = words(of: query)
        return words.isEmpty && !query.words.allSatisfy(\.isWhitespace)
            ? [] : words + facets(of: query.facets)
    }

    /// The parts of a query that have a word in them.
    static func words(of query: CatalogueQuery) -> [SearchTerm] {
        if query.field == .isbn, let term = isbnTerm(query.words, isPrefix: query.prefix) {
            return [term]
        }
        // A whole query may be an ISBN with blanks in it.
        if query.field == .all, let isbn = try? ISBN(query.words) {
            return [SearchTerm(words: [isbn.digits13], isPrefix: false)]
        }
        return query.words.split(whereSeparator: \.isWhitespace).compactMap { part in
            let words = TextFolding.tokens(String(part))
            return words.isEmpty ? nil : SearchTerm(words: words, isPrefix: query.prefix)
        }
    }

    /// An ISBN whole, in either length, or as far as it was typed.
    private static func isbnTerm(_ text: String, isPrefix: Bool) -> SearchTerm? {
        if let isbn = try? ISBN(text) { return SearchTerm(words: [isbn.digits13], isPrefix: false) }
        let digits = TextFolding.tokens(text).joined()
        return digits.isEmpty ? nil : SearchTerm(words: [digits], isPrefix: isPrefix)
    }
}

// What the indexes do, for texts that are at hand.
extension SearchTerm {
    /// Whether the words stand side by side among those of one field.
    func isFound(in field: some RandomAccessCollection<some StringProtocol>) -> Bool {
        guard field.count >= words.count else { return false }
        return field.indices.dropLast(words.count - 1).contains { start in
            zip(words.indices, field[start...]).allSatisfy { number, word in
                isPrefix && number == words.count - 1
                    ? word.unicodeScalars.starts(with: words[number].unicodeScalars)
                    : word == words[number]
            }
        }
    }

    /// Whether all terms are found in their fields, or in one field, or in any.
    static func areFound(
        _ terms: [SearchTerm], in texts: [(field: CatalogueQuery.Field, words: [Substring])],
        _ field: CatalogueQuery.Field
    ) -> Bool {
        terms.allSatisfy { term in
            let field = term.field ?? field
            return texts.contains { text in
                (field == .all || text.field == field) && term.isFound(in: text.words)
            }
        }
    }
}

// Years and languages stand in the index among the numbers of titles, behind characters that no reader can ask for: what is typed is
// letters, marks and digits.
extension SearchTerm {
    /// Before a year of four digits, before another, and before a language; `none` stands in no title.
    private enum Mark: String {
        case year = "\u{E001}"
        case otherYear = "\u{E002}"
        case language = "\u{E003}"
        case none = "\u{E004}"
    }

    /// What the index holds for the year and the language of a title.
    static func marks(year: Int64?, language: String?) -> [String] {
        [year.map(mark), language.flatMap(mark)].compactMap { $0 }
    }

    private static func mark(_ year: Int64) -> String {
        ((1_000...9_999).contains(year) ? Mark.year : .otherYear).rawValue
            + String(year).replacing("-", with: Mark.none.rawValue)
    }

    private static func mark(_ language: String) -> String? {
        let words = TextFolding.tokens(language)
        return words.isEmpty
            ? nil : Mark.language.rawValue + words.joined(separator: Mark.none.rawValue)
    }

    private static func facets(of facets: CatalogueQuery.Facets) -> [SearchTerm] {
        var terms: [SearchTerm] = []
        func add(_ words: [String], _ field: CatalogueQuery.Field, isPrefix: Bool = false) {
            // What has no words is nobody's name.
            terms.append(
                SearchTerm(
                    words: words.isEmpty ? [Mark.none.rawValue] : words, isPrefix: isPrefix, field: field))
        }
        if let author = facets.author { add(TextFolding.tokens(author), .author) }
        if let genre = facets.genre { add(TextFolding.tokens(genre), .genre) }
        if let language = facets.language { add(mark(language).map { [$0] } ?? [], .isbn) }
        if let year = facets.year { add([mark(year)], .isbn) }
        if let decade = facets.decade {
            // The beginning of four characters is one that the index has by itself.
            let isDecade = (1_000...9_990).contains(decade) && decade.isMultiple(of: 10)
            add(isDecade ? [Mark.year.rawValue + String(decade / 10)] : [], .isbn, isPrefix: isDecade)
        }
        return terms
    }
}
