import TextFormats

extension NameSuggestion {
    /// The candidate that is nearest to `name`, or, where none is near, the one that says part of it or of which it says
    /// part: `loan_period` means `loan`, `item` means `item_type`.
    ///
    /// Of several, the one with the most words wins, then the one whose words stand first.
    package static func meant(by name: String, among candidates: some Sequence<String>) -> String? {
        let candidates = candidates.filter { $0 != name }.sorted()
        if let nearest = nearest(to: name, among: candidates) { return nearest }
        let words = words(name)
        guard !words.isEmpty else { return nil }
        let contained = candidates.compactMap { candidate -> (name: String, words: Int, place: Int)? in
            let parts = self.words(candidate)
            let places = parts.compactMap { part in words.firstIndex { isAlike($0, part) } }
            guard places.count == parts.count, let place = places.min() else { return nil }
            return (candidate, parts.count, place)
        }
        if let best = contained.min(by: { ($1.words, $0.place) < ($0.words, $1.place) }) { return best.name }
        return candidates.first { candidate in
            let parts = self.words(candidate)
            return words.allSatisfy { word in parts.contains { isAlike($0, word) || isBeginning(word, of: $0) } }
        }
    }

    /// `max_renewals` and `maxRenewals` are `max` and `renewals`.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var word = ""
        for letter in name {
            if !letter.isLetter {
                words.append(word)
                word = ""
            } else if letter.isUppercase, word.last?.isLowercase == true {
                words.append(word)
                word = letter.lowercased()
            } else {
                word += letter.lowercased()
            }
        }
        return (words + [word]).filter { !$0.isEmpty }
    }

    private static func isAlike(_ word: String, _ other: String) -> Bool {
        word == other || word + "s" == other || word == other + "s"
    }

    private static func isBeginning(_ word: String, of other: String) -> Bool {
        word.count >= 3 && other.hasPrefix(word)
    }
}
