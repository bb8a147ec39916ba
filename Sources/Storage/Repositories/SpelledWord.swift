import Circulation

/// A word of a title that readers mean when they mistype it, or begin it: three letters or digits or more, not digits alone.
struct SpelledWord: Hashable, Comparable {
    let text: String

    /// nil for what is no such word.
    init?(_ text: String) {
        guard Self.sizes.contains(text.unicodeScalars.count), text.utf8.contains(where: { $0 < 0x30 || $0 > 0x39 })
        else { return nil }
        self.text = text
    }

    /// In scalars. Longer words than the longest are no words of people, and fit into no index.
    static let sizes = 3...500

    /// The word from its end.
    var tail: String { Self.reversed(text) }

    static func reversed(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
    }

    /// The words that the index holds for a title, without the ISBN's.
    static func words(of texts: [String]) -> Set<SpelledWord> {
        var words: Set<SpelledWord> = []
        for (field, text) in zip(SearchRepository.fields, texts) where field != .isbn {
            // By bytes, which takes a fraction of the time that characters take.
            for part in text.utf8.split(separator: UInt8(ascii: " ")) {
                if let word = SpelledWord(String(Substring(part))) { words.insert(word) }
            }
        }
        return words
    }

    static func < (left: SpelledWord, right: SpelledWord) -> Bool { left.text < right.text }
}
