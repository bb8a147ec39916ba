extension NameSuggestion {
    /// Whether of two words the one is most likely the other with a slip of the pen: one letter too many, too few, wrong,
    /// or two neighbours in the wrong order. Short words, and words that differ in a figure, a space or a dash, are told
    /// apart on purpose; a plural (`dvd`, `dvds`) and other capitals (`DVD`) are slips at any length.
    package static func isSlip(_ word: String, of other: String) -> Bool {
        let (left, right) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
        guard word != other else { return false }
        if word.lowercased() == other.lowercased() { return true }
        guard left.filter({ !$0.properties.isAlphabetic }) == right.filter({ !$0.properties.isAlphabetic }) else {
            return false
        }
        // `group_a` and `group_b`.
        if left.count == right.count, left.dropLast() == right.dropLast() { return false }
        return min(left.count, right.count) >= shortest(left, right) && distance(left, right) == 1
    }

    /// From how many letters on two words are too alike to be two. A wrong letter makes another word of a short one (`lent`,
    /// `rent`); a letter more or less, or two that changed places, seldom does.
    private static func shortest(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left + ["s"] == right || right + ["s"] == left { return 1 }
        return left.count == right.count && left.sorted() != right.sorted() ? 5 : 4
    }
}
