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

    /// The parts of a query that have a word in them.
    static func terms(of query: CatalogueQuery) -> [SearchTerm] {
        if query.field == .isbn, let term = isbnTerm(query.words, isPrefix: query.prefix) { return [term] }
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

    /// Whether all terms are found in one field, or in any.
    static func areFound(
        _ terms: [SearchTerm], in texts: [(field: CatalogueQuery.Field, words: [Substring])],
        _ field: CatalogueQuery.Field
    ) -> Bool {
        terms.allSatisfy { term in
            texts.contains { text in (field == .all || text.field == field) && term.isFound(in: text.words) }
        }
    }
}
