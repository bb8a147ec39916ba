package import Circulation
import TextFormats

extension SearchRepository {
    /// What the words of a query were perhaps meant to be: words that stand together in titles and of which each is one edit away from
    /// what was typed, or two where six letters or more were. Which copies a title has counts nothing here.
    ///
    /// - Returns: the words, folded; nil if nothing is near, if the query finds what it asks for, or if it has more than
    ///   ``SpellingSearch/mostWords`` words.
    package func spelling(_ query: CatalogueQuery) throws(StoreError) -> String? {
        try SpellingSearch(search: self, query: query).mended()
    }
}

/// Mends what a reader mistyped by the words that titles have.
///
/// A word with one edit has its first or its last half whole, or two neighbours in its middle changed places; so do nearly all with two
/// edits. So only words of about that length that begin or end alike are compared, and no more than ``mostCompared`` of each kind.
struct SpellingSearch {
    let search: SearchRepository
    let query: CatalogueQuery

    static let mostWords = 8
    private static let mostCompared: Int64 = 3_000
    /// So many words may be meant by one.
    private static let mostMeant = 24
    /// So many titles that may be meant are looked at.
    private static let mostTitles: Int64 = 200
    /// A query that finds so many titles finds what it asks for.
    private static let enough: Int64 = 3

    /// A word of the query, and what it may have been meant to be.
    private struct Choice {
        let terms: [SearchTerm]
        /// How far each word is from what was typed: see ``distance(_:_:)``.
        let distances: [String: Int]
    }

    private static let heads = Query(
        "SELECT word FROM search_words WHERE word >= ? AND word < ? AND LENGTH(word) BETWEEN ? AND ? LIMIT ?")
    private static let tails = Query(
        "SELECT tail FROM search_words WHERE tail >= ? AND tail < ? AND LENGTH(tail) BETWEEN ? AND ? LIMIT ?")

    func mended() throws(StoreError) -> String? {
        let parts = query.words.split(whereSeparator: \.isWhitespace).map {
            TextFolding.tokens(String($0))
        }
        .filter { !$0.isEmpty }
        guard query.field != .isbn, (1...Self.mostWords).contains(parts.count),
            (try? ISBN(query.words)) == nil
        else {
            return nil
        }
        let found = try search.count(
            CatalogueQuery(words: query.words, field: query.field, prefix: query.prefix),
            most: Self.enough + 1)
        guard found <= Self.enough else { return nil }
        var choices: [Choice] = []
        for words in parts { choices.append(try choice(of: words)) }
        return try best(of: choices, beyond: found)
    }

    /// What some words may be meant to be: a word that titles have as it was typed may be meant as well.
    private func choice(of words: [String]) throws(StoreError) -> Choice {
        let typed = SearchTerm(words: words, isPrefix: query.prefix)
        let asTyped = Choice(terms: [typed], distances: [words.joined(separator: " "): 0])
        guard words.count == 1, let word = SpelledWord(words[0]) else { return asTyped }
        var distances = try near(word)
        if try search.has([[SearchTerm(words: words)]], query.field) {
            distances[word.text] = 0
        } else if query.prefix, try search.has([[typed]], query.field) {
            // The beginning of a word is as near as a word with an edit.
            distances[word.text] = 2
        }
        if distances.isEmpty { return asTyped }
        return Choice(
            terms: distances.keys.sorted().map {
                SearchTerm(words: [$0], isPrefix: query.prefix && $0 == word.text)
            },
            distances: distances)
    }

    /// Words that this one may be meant to be, each with its distance.
    private func near(_ word: SpelledWord) throws(StoreError) -> [String: Int] {
        let letters = Array(word.text.unicodeScalars)
        let most = letters.count > 5 ? 2 : 1
        let half = max(1, letters.count / 2)
        let sizes = letters.count - most...letters.count + most
        var compared = Set(try words(Self.heads, sizes, letters.prefix(half)))
        compared.formUnion(
            try words(Self.tails, sizes, letters.reversed().prefix(half)).map(SpelledWord.reversed))
        compared.formUnion(try swapped(letters))
        let set = LetterSet(letters)
        var found: [(word: String, distance: Int)] = []
        for candidate in compared where candidate != word.text {
            let scalars = Array(candidate.unicodeScalars)
            guard set.differs(from: LetterSet(scalars), by: most) else { continue }
            let edits = NameSuggestion.distance(letters, scalars)
            if edits <= most { found.append((candidate, Self.distance(letters, scalars, edits: edits))) }
        }
        found.sort { ($0.distance, $0.word) < ($1.distance, $1.word) }
        return Dictionary(
            found.prefix(Self.mostMeant).map { ($0.word, $0.distance) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Two for each edit; one less where only letters are doubled or single that should not be, which is the commonest mistake, and one
    /// more where the first letter differs, which people get right nearly always.
    private static func distance(_ typed: [Unicode.Scalar], _ meant: [Unicode.Scalar], edits: Int) -> Int {
        2 * edits - (single(typed) == single(meant) ? 1 : 0) + (typed.first == meant.first ? 0 : 1)
    }

    /// The letters without those that repeat the one before.
    private static func single(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
        zip(letters, [nil] + letters).compactMap { $0 == $1 ? nil : $0 }
    }

    private func words(
        _ query: Query, _ sizes: ClosedRange<Int>, _ beginning: some Sequence<Unicode.Scalar>
    ) throws(StoreError) -> [String] {
        let beginning = String(String.UnicodeScalarView(beginning))
        return try search.transaction.all(
            query,
            [
                .text(beginning), .text(beginning + "\u{10FFFF}"), .integer(Int64(sizes.lowerBound)),
                .integer(Int64(sizes.upperBound)), .integer(Self.mostCompared),
            ]
        ) { row in row.text() }
    }

    /// Words in which two neighbours changed places.
    private func swapped(_ letters: [Unicode.Scalar]) throws(StoreError) -> [String] {
        var words: Set<SpelledWord> = []
        for place in letters.indices.dropLast() where letters[place] != letters[place + 1] {
            var letters = letters
            letters.swapAt(place, place + 1)
            SpelledWord(String(String.UnicodeScalarView(letters))).map { _ = words.insert($0) }
        }
        return words.subtracting(try search.unknown(words)).map(\.text)
    }
}

// Which of the words that may be meant stand together.
extension SpellingSearch {
    private struct Meaning: Comparable {
        let words: [String]
        let distance: Int
        var titles = 0

        /// Twice the distance, less one for each time that the titles double.
        private var cost: Int { 2 * distance - (Int.bitWidth - titles.leadingZeroBitCount) }

        /// The better one is less.
        static func < (left: Meaning, right: Meaning) -> Bool {
            (left.cost, -left.titles, left.words.joined(separator: " "))
                < (right.cost, -right.titles, right.words.joined(separator: " "))
        }
    }

    /// Of the words that stand together in a title those that are nearest to what was typed, where words that more of the first titles have
    /// are a little nearer: people look for what there is much of.
    ///
    /// - Parameter found: how many titles the query finds as it was typed: where there are some, many more must be found by one edit.
    private func best(of choices: [Choice], beyond found: Int64) throws(StoreError) -> String? {
        guard choices.contains(where: { $0.terms.count > 1 || $0.distances.values.contains { $0 > 0 } })
        else {
            return nil
        }
        var meanings: [[String]: Meaning] = [:]
        for texts in try titles(choices.map(\.terms)) {
            for words in together(choices, in: texts) {
                let distance = zip(words, choices).reduce(0) { $0 + ($1.1.distances[$1.0] ?? 0) }
                if distance > 0 {
                    meanings[words, default: Meaning(words: words, distance: distance)].titles += 1
                }
            }
        }
        guard let best = meanings.values.min() else { return nil }
        // What finds something was perhaps meant.
        guard found == 0 || best.distance <= 2 && Int64(best.titles) >= 5 * found else { return nil }
        return best.words.joined(separator: " ")
    }

    /// The words of the first titles that have one of each choice, field by field.
    private func titles(_ terms: [[SearchTerm]]) throws(StoreError) -> [[(
        field: CatalogueQuery.Field, words: [Substring]
    )]] {
        let expression = try search.transaction.connection().dialect.alternatives(terms, query.field)
        return try search.transaction.all(
            try search.planned(
                "SELECT \(SearchRepository.columns) FROM title_search WHERE {searchMatches} LIMIT ?"),
            [.text(expression), .integer(Self.mostTitles)]
        ) { row in SearchRepository.fields.map { (field: $0, words: row.text().split(separator: " ")) }
        }
    }

    /// The ways in which a title has a word of each choice; no more than 64, which no title of few words has.
    private func together(
        _ choices: [Choice], in texts: [(field: CatalogueQuery.Field, words: [Substring])]
    ) -> [[String]] {
        var ways: [[String]] = [[]]
        for choice in choices {
            let words = choice.terms.filter { SearchTerm.areFound([$0], in: texts, query.field) }
                .map { $0.words.joined(separator: " ") }
            ways = Array(ways.lazy.flatMap { way in words.map { way + [$0] } }.prefix(64))
        }
        return ways
    }
}

/// Which letters a word has, as far as 64 bits tell them apart.
private struct LetterSet {
    private let bits: UInt64

    init(_ letters: [Unicode.Scalar]) {
        bits = letters.reduce(0) { $0 | 1 << UInt64($1.value & 63) }
    }

    /// Whether so few edits can lead from one word to the other.
    func differs(from other: LetterSet, by edits: Int) -> Bool {
        (bits & ~other.bits).nonzeroBitCount <= edits && (other.bits & ~bits).nonzeroBitCount <= edits
    }
}
