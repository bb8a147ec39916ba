/// The name that a patron chooses to be seen by: on the market, in ratings, in lists.
package enum DisplayName {
    package static let lengths = 2...40

    /// The most digits: more of them read as a telephone number.
    private static let mostDigits = 5

    /// Why a text cannot become a display name; nil where it can. Whether others are called so, and which words the
    /// library keeps to itself, is not asked here.
    package static func problem(of text: String) -> String? {
        guard lengths.contains(text.count), text.utf8.count <= Username.mostBytes else {
            return "A display name must have \(lengths.lowerBound) to \(lengths.upperBound) characters."
        }
        switch Username.flaw(of: text) {
        case .blanks: return "A display name cannot begin or end with a space, or contain two spaces in a row."
        case .invisibleLetters: return "A display name cannot contain invisible characters."
        case .piledMarks: return "A display name can have at most two accents or other marks on a letter."
        case .mixedAlphabets:
            return "A display name must use letters of one alphabet only, so that it cannot be mistaken for another "
                + "one."
        case nil: break
        }
        guard text.contains(where: \.isLetter) else { return "A display name must contain at least one letter." }
        guard !isContact(text) else {
            return "A display name cannot contain an e-mail address, telephone number or web address, because "
                + "everyone can read it."
        }
        return nil
    }

    /// Whether its bearer could be reached by it.
    private static func isContact(_ text: String) -> Bool {
        let folded = Username.folded(text)
        if folded.contains("@") || folded.contains("://") || folded.contains("www.") { return true }
        if text.count(where: \.isNumber) > mostDigits { return true }
        return folded.contains(#/[\p{L}\p{N}-]{2,}\.\p{L}{2,}/#)
    }

    /// What names have in common that a reader may take for each other. No two patrons have display names of one key.
    package static func key(_ text: String) -> String { Username.key(text) }

    /// Whether a name reads as one of some words, which only the library may call itself: one of its words begins with
    /// it, all of it does without blanks and signs, or the name is the word itself.
    package static func reads(_ text: String, asOneOf words: [String]) -> Bool {
        let parts = key(text).split(whereSeparator: { !$0.isLetter }).map(String.init)
        let whole = parts.joined()
        return words.contains { word in
            guard word.contains(where: \.isLetter) else { return false }
            let wanted = key(word).filter(\.isLetter)
            return whole.hasPrefix(wanted) || parts.contains { $0.hasPrefix(wanted) }
        }
    }
}
