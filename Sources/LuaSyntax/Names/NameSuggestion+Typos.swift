import TextFormats

extension NameSuggestion {
    /// What other languages call by another name.
    package static let foreign: [String: String] = [
        "null": "nil", "NULL": "nil", "None": "nil", "undefined": "nil", "Nil": "nil", "NIL": "nil", "True": "true",
        "TRUE": "true", "False": "false", "FALSE": "false",
    ]

    /// What to say about a name that nothing is near to.
    package static func quotes(_ name: String) -> String { "a text stands in quotation marks: \"\(name)\"" }

    /// Whether of two words the one is most likely the other with a slip of the pen: one letter too many, too few, wrong,
    /// or two neighbours in the wrong order. Short words, and words that differ in a figure, a space or a dash, are told
    /// apart on purpose; a plural (`dvd`, `dvds`) and other capitals (`DVD`) are slips at any length.
    package static func isTypo(_ word: String, of other: String) -> Bool {
        let (left, right) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
        guard word != other else { return false }
        if word.lowercased() == other.lowercased() { return true }
        guard left.filter({ !$0.properties.isAlphabetic }) == right.filter({ !$0.properties.isAlphabetic }) else {
            return false
        }
        // `group_a` and `group_b`, `student_ft` and `student_pt`, `resident` and `president`.
        if left.count == right.count, left.dropLast() == right.dropLast() { return false }
        if ending(left) != ending(right), max(ending(left).count, ending(right).count) <= 3 { return false }
        if left.first != right.first, left.sorted() != right.sorted() { return false }
        return min(left.count, right.count) >= shortest(left, right) && distance(left, right) == 1
    }

    /// Whether of two words the one is the other with an `s` at its end, or in other capitals.
    package static func isPlural(_ word: String, of other: String) -> Bool {
        let (left, right) = (word.lowercased(), other.lowercased())
        return left == right || left + "s" == right || right + "s" == left
    }

    /// The last of several words that are joined by anything but letters; empty for a single one.
    private static func ending(_ word: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        word.lastIndex { !$0.properties.isAlphabetic }.map { word[($0 + 1)...] } ?? []
    }

    /// From how many letters on two words are too alike to be two. A wrong letter makes another word of a short one (`lent`,
    /// `rent`); a letter more or less, or two that changed places, seldom does.
    private static func shortest(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left + ["s"] == right || right + ["s"] == left { return 1 }
        return left.count == right.count && left.sorted() != right.sorted() ? 5 : 4
    }
}
