// Names that a reader takes for each other.
extension Username {
    /// What the names have in common that may be taken for each other: `root` and `r00t`, but `neil` and `nell` as well. Among
    /// those with the same key ``areAlike(_:_:)`` decides.
    package static func key(_ text: String) -> String { String(folded(text).map { stems[$0] ?? $0 }) }

    /// What stands in a key for a letter or digit. Migration 21 says the same to the database.
    private static let stems: [Character: Character] = [
        "0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b",
    ]

    /// Digits that are drawn like a letter, wherever they stand.
    private static let drawnAlike: [Character: Character] = ["0": "o", "1": "l"]

    /// Digits that are read as a letter within a word. At its end they count: `ann3` is not `anne`.
    private static let readAlike: [Character: Character] = ["1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"]

    /// Whether a reader takes one name for the other.
    package static func areAlike(_ one: String, _ other: String) -> Bool {
        let (left, right) = (Letters(one), Letters(other))
        guard left.folded.count == right.folded.count else { return false }
        return left.folded.indices.allSatisfy { place in
            left.folded[place] == right.folded[place] || left.passes(for: right, at: place)
                || right.passes(for: left, at: place)
        }
    }

    private struct Letters {
        let folded: [Character]
        /// As they were written; the folded ones where the two do not stand letter by letter.
        private let written: [Character]
        private let lastLetter: Int

        init(_ text: String) {
            let folded = Array(Username.folded(text))
            self.folded = folded
            written = text.count == folded.count ? Array(text) : folded
            lastLetter = folded.lastIndex { $0.isLetter } ?? -1
        }

        /// Whether what stands at a place is taken for the other name's letter.
        func passes(for other: Letters, at place: Int) -> Bool {
            let letter = other.folded[place]
            if Username.drawnAlike[folded[place]] == letter { return true }
            if Username.readAlike[folded[place]] == letter { return place < lastLetter }
            return written[place] == "I" && letter == "l"
        }
    }

    /// Whether a name is a number, however it is written: `2133 4455`.
    package static func isNumber(_ text: String) -> Bool {
        text.contains { $0.isNumber } && !text.contains { $0.isLetter }
    }
}
