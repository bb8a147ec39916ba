extension NameSuggestion {
    /// Whether of two words the one is most likely the other with a slip of the pen: one letter too many, too few, wrong,
    /// or two neighbours in the wrong order. Short words, and words that differ in a figure, a space or a dash, are told
    /// apart on purpose.
    package static func isSlip(_ word: String, of other: String) -> Bool {
        let (left, right) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
        guard min(left.count, right.count) >= 5, word != other else { return false }
        guard left.filter({ !$0.properties.isAlphabetic }) == right.filter({ !$0.properties.isAlphabetic }) else {
            return false
        }
        // `group_a` and `group_b`.
        if left.count == right.count, left.dropLast() == right.dropLast() { return false }
        return distance(left, right) == 1
    }
}
